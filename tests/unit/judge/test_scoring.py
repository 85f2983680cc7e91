import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.core import Outcome, ScoreMode
from sdkbench.judge.pipeline import Score, runtime_part, score
from sdkbench.test_harness import TestResult

MODES = list(ScoreMode)


def counts(passed: int, failed: int, skipped: int = 0) -> TestResult:
    total = passed + failed + skipped
    return TestResult(
        success=not failed, total=total, passed=passed, failed=failed, skipped=skipped
    )


RESULTS = st.builds(counts, st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))


@pytest.mark.parametrize("mode", MODES)
def test_ten_of_ten_is_a_hundred_in_every_mode(mode: ScoreMode) -> None:
    assert score(mode, Outcome.PASSED, build_errors=0, tests=counts(10, 0)) == Score(
        100.0, 0, 100.0
    )


@pytest.mark.parametrize(
    ("mode", "value"),
    [(ScoreMode.WEIGHTED, 77.5), (ScoreMode.PASS_RATE, 70.0), (ScoreMode.STRICT, 0.0)],
)
def test_seven_of_ten_with_three_errors(mode: ScoreMode, value: float) -> None:
    scored = score(mode, Outcome.FAILED, build_errors=0, tests=counts(7, 3))
    assert scored == Score(value, 3, 70.0)


@pytest.mark.parametrize(
    ("mode", "value"),
    [(ScoreMode.WEIGHTED, 22.5), (ScoreMode.PASS_RATE, 0.0), (ScoreMode.STRICT, 0.0)],
)
def test_a_failed_build_with_one_error(mode: ScoreMode, value: float) -> None:
    assert score(mode, Outcome.FAILED, build_errors=1, tests=None) == Score(value, 1, 90.0)


def test_tests_that_never_ended_are_runtime_errors() -> None:
    cut_short = TestResult(success=False, total=10, passed=7, failed=1)
    scored = score(ScoreMode.WEIGHTED, Outcome.FAILED, build_errors=0, tests=cut_short)
    assert scored == Score(77.5, 3, 70.0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("outcome", list(Outcome))
@pytest.mark.parametrize("none", [None, counts(0, 0)], ids=["not run", "none found"])
def test_no_tests_is_zero_in_every_mode(
    mode: ScoreMode, outcome: Outcome, none: TestResult | None
) -> None:
    assert score(mode, outcome, build_errors=0, tests=none).score == 0.0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("outcome", [Outcome.INVALID, Outcome.ERROR, Outcome.NOT_EXECUTED])
def test_what_is_no_verdict_on_the_solution_is_zero(mode: ScoreMode, outcome: Outcome) -> None:
    assert score(mode, outcome, build_errors=0, tests=counts(10, 0)).score == 0.0


@pytest.mark.parametrize("mode", MODES)
def test_what_never_came_to_a_build_is_zero(mode: ScoreMode) -> None:
    assert score(mode, Outcome.FAILED, build_errors=None, tests=None).score == 0.0


@pytest.mark.parametrize("mode", MODES)
def test_only_skipped_tests_earn_nothing_for_passing(mode: ScoreMode) -> None:
    without = score(mode, Outcome.FAILED, build_errors=0, tests=counts(0, 0, skipped=5)).score
    assert without <= 50.0
    assert without < score(mode, Outcome.PASSED, build_errors=0, tests=counts(5, 0)).score


@given(errors=st.integers(0, 1000))
def test_ten_errors_use_up_the_runtime_part(errors: int) -> None:
    assert runtime_part(errors) == pytest.approx(max(0.0, 1 - errors / 10))


@given(
    mode=st.sampled_from(MODES),
    outcome=st.sampled_from(list(Outcome)),
    build_errors=st.none() | st.integers(0, 50),
    results=st.none() | RESULTS,
)
def test_a_score_is_always_from_zero_to_a_hundred(
    mode: ScoreMode, outcome: Outcome, build_errors: int | None, results: TestResult | None
) -> None:
    scored = score(mode, outcome, build_errors=build_errors, tests=results)
    assert 0.0 <= scored.score <= 100.0
    assert 0.0 <= scored.runtime_score <= 100.0
    if mode is ScoreMode.STRICT:
        assert scored.score == (100.0 if scored.score else 0.0)


@given(mode=st.sampled_from(MODES), total=st.integers(1, 60), data=st.data())
def test_another_passed_test_never_lowers_the_score(
    mode: ScoreMode, total: int, data: st.DataObject
) -> None:
    passed = data.draw(st.integers(0, total - 1))

    def value(passed: int) -> float:
        outcome = Outcome.PASSED if passed == total else Outcome.FAILED
        return score(mode, outcome, build_errors=0, tests=counts(passed, total - passed)).score

    assert value(passed + 1) >= value(passed)
    if mode is not ScoreMode.STRICT:
        assert value(passed + 1) > value(passed)


@given(results=RESULTS, build_errors=st.integers(1, 20))
def test_tests_count_for_nothing_after_a_failed_build(
    results: TestResult, build_errors: int
) -> None:
    scored = score(ScoreMode.PASS_RATE, Outcome.FAILED, build_errors=build_errors, tests=results)
    assert scored.score == 0.0
    weighted = score(ScoreMode.WEIGHTED, Outcome.FAILED, build_errors=build_errors, tests=results)
    assert weighted.score <= 22.5
