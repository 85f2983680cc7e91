"""What a gate asks of a run."""

import pytest

from sdkbench.core import Outcome
from sdkbench.errors import InputError
from sdkbench.metrics.thresholds import parse_thresholds
from sdkbench.report import GateRequest, gate_markdown, gate_run
from sdkbench.store import RunState
from tests.support.store.sources import HOSTILE, judged, shell, source

NOTHING = GateRequest()


def unmet(report: object) -> list[str]:
    return [check.name for check in report.unmet]  # type: ignore[attr-defined]


def test_a_whole_run_with_verdicts_meets_a_gate_that_asks_for_nothing_else() -> None:
    report = gate_run(source([judged(0, Outcome.FAILED)], planned=1), NOTHING, None)
    assert report.met
    assert [check.name for check in report.checks] == ["finished", "max-errors"]


@pytest.mark.parametrize("outcome", [Outcome.ERROR, Outcome.NOT_EXECUTED])
def test_an_attempt_without_a_verdict_does_not_go_unnoticed(outcome: Outcome) -> None:
    run = source([judged(0), judged(1, outcome)])
    report = gate_run(run, GateRequest(parse_thresholds(["100"])), None)
    assert unmet(report) == ["max-errors"]
    assert f"1 of 2 attempts have no verdict (1 {outcome}); 0 may." in report.unmet[0].message
    assert report.unmet[0].details == (f"demo/demo_001 by model-a: {outcome}",)
    assert gate_run(run, GateRequest(max_errors=1), None).met


@pytest.mark.parametrize(
    ("state", "planned"),
    [(RunState.RUNNING, None), (RunState.STOPPED, 2), (RunState.FINISHED, 2)],
)
def test_an_unfinished_run_is_not_met_unless_allowed(state: RunState, planned: int | None) -> None:
    run = source([judged(0)], state=state, planned=planned)
    assert unmet(gate_run(run, NOTHING, None)) == ["finished"]
    assert gate_run(run, GateRequest(allow_unfinished=True), None).met


def test_thresholds_by_suite_and_category() -> None:
    run = source([judged(0), shell(0), shell(1, Outcome.FAILED)])
    request = GateRequest(parse_thresholds(["sdk=demo:100", "category=safety:60"]))
    report = gate_run(run, request, None)
    assert unmet(report) == ["fail-under"]
    assert "CSR of category=safety by model-a: 50 % over 2 samples is below 60 %" in (
        report.unmet[0].message
    )


def test_regressions_against_a_baseline() -> None:
    before = source([judged(0), judged(1), judged(2, Outcome.FAILED)], "base")
    after = source([judged(0, Outcome.FAILED), judged(1), judged(2)], "new")
    report = gate_run(after, NOTHING, before)
    assert unmet(report) == ["max-regressions"]
    assert report.unmet[0].details == ("demo/demo_000 by model-a (F-CORR)",)
    assert gate_run(after, GateRequest(max_regressions=1), before).met
    assert gate_run(before, NOTHING, before).met


def test_samples_that_only_the_baseline_has_are_missing() -> None:
    before, after = source([judged(0), judged(1)], "base"), source([judged(0)], "new")
    assert unmet(gate_run(after, NOTHING, before)) == ["max-missing"]
    assert gate_run(after, GateRequest(max_missing=1), before).met


def test_unstable_ones_are_told_and_not_counted() -> None:
    before = source([judged(0), judged(0, trial=1, key="a" * 64)], "base")
    after = source([judged(0), judged(0, Outcome.FAILED, trial=1, key="a" * 64)], "new")
    report = gate_run(after, NOTHING, before)
    assert report.met
    assert "Not counted: 1 unstable." in report.checks[2].message


def test_one_model_against_another_of_the_baseline() -> None:
    before = source([judged(0, model="old"), judged(1, model="x", key="b" * 64)], "base")
    after = source([judged(0, Outcome.FAILED, model="new"), judged(1, model="x")], "new")
    report = gate_run(after, GateRequest(model="new", against="old"), before)
    assert report.comparison is not None
    assert report.comparison.models[0].named == "old → new"
    assert unmet(report) == ["max-regressions"]
    assert report.outcomes == {Outcome.FAILED: 1}
    with pytest.raises(InputError, match="no attempt of model 'nope'"):
        gate_run(after, GateRequest(model="nope"), None)


def test_markdown_has_every_check_and_what_is_not_met() -> None:
    name = HOSTILE.replace("\x00", "").replace("\ud800", "")
    before = source([judged(0, sample=name)], "base")
    after = source([judged(0, Outcome.FAILED, sample=name)], "new")
    text = gate_markdown(gate_run(after, GateRequest(parse_thresholds(["50"])), before))
    assert text.startswith("## Gate **not met**: new\n")
    assert text.count("❌") == 2
    assert "is below 50 %" in text
    assert "### Against base" in text
    assert "<script" not in text.replace("\\<script", "")
