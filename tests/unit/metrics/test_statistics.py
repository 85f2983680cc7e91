import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.core import Outcome
from sdkbench.core.intervals import Rate, wilson
from sdkbench.metrics.statistics import (
    Mean,
    Standing,
    Trial,
    bootstrap_mean,
    compare,
    sign_test,
    statistics,
)

SCORES = st.lists(st.floats(0, 100), min_size=1, max_size=30)


def standings(*scores: float) -> dict[str, Standing]:
    return {
        f"s{place}": Standing(pass_share=float(score == 100), mean_score=score)
        for place, score in enumerate(scores)
    }


def trial(sample: str, outcome: Outcome, *, model: str = "a", task_type: str = "1") -> Trial:
    return Trial(model, sample, task_type, outcome, 100.0 if outcome is Outcome.PASSED else 0.0)


@given(SCORES)
def test_a_mean_lies_in_its_interval_and_its_range(values: list[float]) -> None:
    mean = Mean.of(values, scale=100.0)
    assert mean.value is not None
    assert mean.low is not None
    assert mean.high is not None
    assert 0 <= mean.low <= mean.value <= mean.high <= 100
    assert mean.value == pytest.approx(math.fsum(values) / len(values))
    assert mean.samples == len(values)


def test_a_mean_of_passes_and_failures_has_wilson_s_interval() -> None:
    mean = Mean.of([1.0] * 7 + [0.0] * 3)
    assert (mean.low, mean.high) == wilson(7, 10)


def test_six_passes_of_six_are_no_certainty() -> None:
    low = Mean.of([100.0] * 6, scale=100.0).low
    assert low is not None
    assert 55 < low < 65


def test_a_score_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 100"):
        Mean.of([101.0], scale=100.0)


def test_the_interval_holds_the_truth_nineteen_times_of_twenty() -> None:
    chance = random.Random(7)
    hits = 0
    for _ in range(400):
        values = [chance.betavariate(2, 3) for _ in range(25)]
        mean = Mean.of(values)
        assert mean.low is not None
        assert mean.high is not None
        hits += mean.low <= 0.4 <= mean.high
    assert hits >= 380


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (9, 1, 0.021484375), (5, 5, 1.0)],
)
def test_the_exact_sign_test_by_known_values(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p)
    assert sign_test(losses, wins) == pytest.approx(p)


def test_thousands_of_differing_samples_don_t_overflow() -> None:
    assert sign_test(2000, 2000) == 1.0
    assert 0 <= sign_test(4000, 1) < 1e-300


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=15))
def test_a_bootstrap_interval_is_repeatable_and_within_the_values(values: list[float]) -> None:
    interval = bootstrap_mean(values, resamples=200)
    assert interval == bootstrap_mean(values, resamples=200)
    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9


def test_a_bootstrap_interval_is_near_the_normal_one() -> None:
    chance = random.Random(3)
    values = [chance.gauss(10, 5) for _ in range(400)]
    mean = sum(values) / 400
    half = 1.96 * math.sqrt(sum((v - mean) ** 2 for v in values) / 399) / 20
    interval = bootstrap_mean(values)
    assert interval.low == pytest.approx(mean - half, abs=0.1)
    assert interval.high == pytest.approx(mean + half, abs=0.1)


def test_a_comparison_takes_the_samples_in_common_only() -> None:
    first = standings(100, 100, 0, 100)
    second = {**standings(0, 100, 0), "other": Standing(pass_share=1, mean_score=100)}
    found = compare("a", "b", first, second)
    assert (found.samples, found.only_first, found.only_second) == (3, 1, 1)
    assert (found.first_better, found.second_better, found.p_value) == (1, 0, 1.0)
    assert found.difference == pytest.approx(100 / 3)


@given(SCORES, st.data())
def test_a_comparison_turned_round_changes_its_sign_only(
    scores: list[float], data: st.DataObject
) -> None:
    others = data.draw(st.lists(st.floats(0, 100), min_size=len(scores), max_size=len(scores)))
    there = compare("a", "b", standings(*scores), standings(*others))
    back = compare("b", "a", standings(*others), standings(*scores))
    assert (there.first_better, there.second_better) == (back.second_better, back.first_better)
    assert there.p_value == back.p_value
    assert there.difference == pytest.approx(-(back.difference or 0.0))


def test_models_without_a_sample_in_common_are_not_compared_by_number() -> None:
    found = compare("a", "b", standings(100), {})
    assert (found.samples, found.p_value, found.difference, found.low) == (0, None, None, None)


def test_errors_are_in_no_denominator_but_are_reported() -> None:
    trials = [
        trial("s1", Outcome.PASSED),
        trial("s2", Outcome.FAILED),
        trial("s3", Outcome.INVALID),
        trial("s4", Outcome.ERROR),
        trial("s5", Outcome.NOT_EXECUTED),
    ]
    (model,) = statistics(trials).models
    assert (model.all.attempts, model.all.judged, model.all.samples) == (5, 3, 3)
    assert model.all.passed == Rate.of(1, 3)
    assert model.all.mean_score.value == pytest.approx(100 / 3)


def test_each_sample_counts_once_however_often_it_was_tried() -> None:
    trials = [trial("easy", Outcome.PASSED)] * 9 + [trial("hard", Outcome.FAILED)]
    (model,) = statistics(trials).models
    assert model.all.passed == Rate.of(9, 10)
    assert model.all.pass_share.value == 0.5
    assert model.all.pass_share.samples == 2


def test_task_types_and_models_have_figures_of_their_own() -> None:
    trials = [
        trial("s1", Outcome.PASSED, task_type="1"),
        trial("s2", Outcome.FAILED, task_type="2"),
        trial("s1", Outcome.FAILED, model="b", task_type="1"),
    ]
    found = statistics(trials)
    assert [model.model for model in found.models] == ["a", "b"]
    assert found.models[0].by_task_type["1"].passed == Rate.of(1, 1)
    assert found.models[0].by_task_type["2"].passed == Rate.of(0, 1)
    assert [(c.first, c.second, c.samples) for c in found.comparisons] == [("a", "b", 1)]


def test_pass_at_k_goes_up_to_the_most_trials_unless_asked() -> None:
    trials = [trial("s1", Outcome.PASSED)] * 3 + [trial("s1", Outcome.FAILED)] * 2
    assert [each.k for each in statistics(trials).models[0].pass_at_k] == [1, 5]
    assert [each.k for each in statistics(trials, ks=(2,)).models[0].pass_at_k] == [2]
