"""What was read from code, wherever stored attempts are shown: tables, files, the report."""

import csv
import io
from pathlib import Path

import pytest
from pydantic import JsonValue

from sdkbench.core import Outcome
from sdkbench.engine import RunSettings
from sdkbench.errors import InputError
from sdkbench.metrics.code.models import Finding, MetricResult, Part
from sdkbench.metrics.overall import parse_weights
from sdkbench.report import write_csv
from sdkbench.report.code_metrics import attempt_overall, code_figures, run_weights
from sdkbench.report.pages.details import VIEWER_ROOM, attempt_details
from sdkbench.report.pages.html import write_report
from sdkbench.report.pages.overview import collect
from sdkbench.report.pages.samples import SampleLibrary
from sdkbench.store import Attempt, Run, open_store
from sdkbench.store.database import Store
from tests.support.store.builder import attempt, key

FINDING = Finding(message="`connect` is <b>called</b> elsewhere", path="app.py", line=12)


def measured(number: int, model: str, figure: float, **changes: object) -> Attempt:
    part = Part(name="file", weight=20, score=figure, findings=(FINDING,))
    results = [
        MetricResult(metric="I-ACC", parts=(part,)),
        MetricResult(metric="CQ", parts=(part.model_copy(update={"score": None}),)),
    ]
    kept = [result.model_dump(mode="json") for result in results]
    return attempt(number, model=model, result={"metrics": kept}, **changes)


def stored(store: Store, weights: JsonValue = "balanced") -> Run:
    run = store.start_run(planned=3, settings={"weights": weights})
    attempts = [
        measured(1, "good", 100),
        measured(2, "good", 50, outcome=Outcome.FAILED, score=0.0),
        measured(3, "bad", 0, outcome=Outcome.ERROR, score=0.0),
        attempt(4, model="unread"),
    ]
    store.save_attempts(run.id, [(each, ()) for each in attempts])
    return run


def test_means_are_over_attempts_that_have_a_figure() -> None:
    attempts = [
        measured(1, "good", 100),
        measured(2, "good", 50, outcome=Outcome.FAILED, score=0.0),
        measured(3, "bad", 0, outcome=Outcome.ERROR, score=0.0),
        attempt(4, model="unread"),
    ]
    bad, good = code_figures(attempts, {"I-ACC": 50, "F-CORR": 50})
    assert (good.model, good.means, good.counts) == (
        "good", {"I-ACC": 75, "F-CORR": 50}, {"I-ACC": 2, "F-CORR": 2},
    )  # fmt: skip
    assert (good.overall.score, good.overall.weights_name) == (62.5, "own")
    assert bad.means == {"I-ACC": 0}  # our own error is no verdict on the code
    assert attempt_overall(attempts[1], {"I-ACC": 50, "F-CORR": 50}).score == 25


def test_the_report_shows_figures_and_findings(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        run = stored(store)
        overview = collect(store, [run]).overview
        details = attempt_details(store, run, key(1), SampleLibrary.of_run(run), VIEWER_ROOM)
        stream = io.StringIO()
        write_report(stream, store, [run])
    assert [each.model for each in overview.code] == ["bad", "good"]
    assert overview.code[0].overall.weights_name == "balanced"
    first = details.metrics[0]
    assert (first.name, first.score, first.parts) == ("I-ACC", "100", "file 100")
    assert first.findings == (f"app.py:12: {FINDING.message}",)
    assert details.metrics[1].score == "–"
    document = stream.getvalue()
    assert 'id="code-title"' in document
    assert "Overall by balanced weights" in document
    assert "<b>called</b>" not in document


def test_a_run_that_read_no_code_has_no_such_section(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run(planned=1)
        store.save_attempts(run.id, [(attempt(1), ())])
        stream = io.StringIO()
        write_report(stream, store, [run])
    assert 'id="code-title"' not in stream.getvalue()


def test_two_runs_of_one_model_are_told_apart(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        runs = [stored(store), stored(store, {"I-ACC": 100})]
        figures = collect(store, runs).overview.code
    assert [each.overall.weights_name for each in figures].count("own") == 2
    assert len({each.model for each in figures}) == 4


def test_a_column_for_each_metric() -> None:
    stream = io.StringIO()
    write_csv(stream, "run", [measured(1, "good", 75), attempt(2)])
    first, second = csv.DictReader(io.StringIO(stream.getvalue()))
    assert (first["i_acc"], first["cq"], first["ipa"]) == ("75.0", "", "")
    assert second["i_acc"] == ""


@pytest.mark.parametrize(
    ("weights", "wrong"),
    [("IPA=20", "not to 20"), ("nice", "No weights are called"), ({"X": 100}, "no metric 'X'")],
)
def test_weights_that_do_not_add_up_are_refused(weights: object, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        RunSettings.model_validate({"weights": weights})


def test_own_weights_as_words_and_as_a_table() -> None:
    own = {"IPA": 50.0, "CQ": 50.0}
    assert RunSettings.model_validate({"weights": "IPA=50,CQ=50"}).weights == own
    assert RunSettings.model_validate({"weights": own}).weights == own


def test_what_a_store_says_of_weights_is_read_with_care(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        odd_ones: list[JsonValue] = [7, {"I-ACC": "x"}, "nonsense", None]
        for odd in odd_ones:
            assert run_weights(stored(store, odd)) == "classic"


def test_unknown_weights_are_bad_input() -> None:
    with pytest.raises(InputError, match="gives no weight"):
        parse_weights("IPA=much")
