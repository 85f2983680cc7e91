"""Thresholds: how they are written, whom they cover, and who stays below."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.core import Outcome
from sdkbench.errors import GateNotMet, InputError
from sdkbench.metrics.thresholds import (
    GatedTrial,
    Threshold,
    check_thresholds,
    is_below,
    parse_thresholds,
    require_thresholds,
    rounded_down,
)
from tests.support.store.builder import attempt


def trial(
    sample: str = "a", *, score: float = 100.0, model: str = "m", suite: str = "sdk",
    group: str = "lancedb", kind: str = "1", outcome: Outcome | None = None,
) -> GatedTrial:  # fmt: skip
    default = Outcome.PASSED if score else Outcome.FAILED
    return GatedTrial(suite, group, kind, model, sample, outcome or default, score)


@pytest.mark.parametrize(
    ("text", "percent", "where"),
    [
        ("80", 80, {}),
        ("0", 0, {}),
        ("99.5", 99.5, {}),
        ("sdk=lancedb:80", 80, {"sdk": "lancedb"}),
        ("model=openai:gpt-4o:90", 90, {"model": "openai:gpt-4o"}),
        ("category=safety,model=m:95", 95, {"category": "safety", "model": "m"}),
    ],
)
def test_a_threshold_is_a_percent_with_conditions(
    text: str, percent: float, where: dict[str, str]
) -> None:
    parsed = Threshold.parse(text)
    assert (parsed.percent, parsed.where) == (percent, where)


@pytest.mark.parametrize(
    "text",
    ["", "x", "101", "-1", "nan", "inf", ":80", "lancedb:80", "sdk=:80", "sdk=a,sdk=b:80",
     "colour=red:80", "sdk=lancedb", "sdk=lancedb:", "80%"],
)  # fmt: skip
def test_what_is_no_threshold_is_bad_input_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match="--fail-under"):
        parse_thresholds([text])


def test_every_model_and_suite_is_checked_by_itself() -> None:
    trials = [
        trial("a"), trial("b", score=0), trial("a", model="n"),
        trial("c", suite="shell", group="core", kind="safety", score=0),
    ]  # fmt: skip
    found = check_thresholds(trials, parse_thresholds(["50"]))
    assert [(c.suite, c.model, c.value, c.samples, c.met) for c in found] == [
        ("sdk", "m", 50.0, 2, True),
        ("sdk", "n", 100.0, 1, True),
        ("shell", "m", 0.0, 1, False),
    ]


def test_conditions_leave_only_what_they_name() -> None:
    trials = [trial("a", score=0), trial("b", group="stripe"), trial("c", suite="shell", kind="1")]
    (found,) = check_thresholds(trials, parse_thresholds(["sdk=stripe:100"]))
    assert (found.samples, found.met) == (1, True)
    (found,) = check_thresholds(trials, parse_thresholds(["task-type=1,sdk=lancedb:1"]))
    assert (found.samples, found.met) == (1, False)


def test_a_dataset_is_no_sdk() -> None:
    shell = [trial(suite="shell", group="core")]
    with pytest.raises(InputError, match=r"covers nothing.*dataset=core"):
        check_thresholds(shell, parse_thresholds(["sdk=core:10"]))


def test_errors_are_in_no_figure_and_nothing_judged_is_below() -> None:
    mixed = [trial("a"), trial("b", score=0, outcome=Outcome.ERROR)]
    (found,) = check_thresholds(mixed, parse_thresholds(["100"]))
    assert (found.value, found.met) == (100.0, True)
    (found,) = check_thresholds(mixed[1:], parse_thresholds(["0"]))
    assert (found.value, found.met) == (None, False)
    assert "nothing has a verdict" in found.sentence


def test_trials_of_a_sample_count_once() -> None:
    trials = [trial("a"), trial("a"), trial("a"), trial("b", score=0)]
    (found,) = check_thresholds(trials, parse_thresholds(["51"]))
    assert (found.value, found.samples, found.met) == (50.0, 2, False)


def test_what_is_not_met_is_raised_with_all_sentences() -> None:
    trials = [trial("a", score=0), trial("a", score=0, model="n")]
    with pytest.raises(GateNotMet, match=r"by m: 0 % over 1 sample is below 5 %; .*by n: 0 %"):
        require_thresholds(trials, parse_thresholds(["5"]))
    require_thresholds(trials, parse_thresholds(["0"]))
    require_thresholds(trials, ())


def test_of_an_attempt_everything_that_matters_is_taken() -> None:
    made = attempt(3, model="gpt", score=0.0, outcome=Outcome.FAILED)
    assert GatedTrial.of(made) == (
        "sdk", "demo", "4", "gpt", "demo_003", Outcome.FAILED, 0.0,
    )  # fmt: skip


@given(st.floats(min_value=0, max_value=100))
def test_what_is_below_never_looks_like_the_threshold(value: float) -> None:
    assert float(rounded_down(value)) <= value + 1e-9
    assert not is_below(value, value)
    assert is_below(None, 0)


def test_rounding_of_sums_is_forgiven() -> None:
    assert not is_below(sum([0.1] * 10) * 100, 100)
    assert is_below(99.99, 100)
