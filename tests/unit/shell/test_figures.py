"""The figures of a shell evaluation, and how sure they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.core.intervals import Rate, wilson
from sdkbench.metrics.consistency import CaseAnswer, consistency
from sdkbench.shell import FailureReason, ReasonKind, TestResult
from sdkbench.shell.results import Band, band, summarise

SHARES = st.integers(0, 10_000).flatmap(
    lambda total: st.tuples(st.integers(0, total), st.just(total))
)


@given(SHARES)
def test_the_interval_holds_the_share_and_stays_in_range(share: tuple[int, int]) -> None:
    count, total = share
    low, high = wilson(count, total)
    assert 0.0 <= low <= high <= 1.0
    if total:
        assert low <= count / total <= high


@given(st.integers(0, 100), st.integers(1, 100), st.integers(2, 50))
def test_more_cases_make_it_narrower(count: int, total: int, times: int) -> None:
    count = min(count, total)
    few, many = wilson(count, total), wilson(count * times, total * times)
    assert many.high - many.low < few.high - few.low


@given(SHARES)
def test_successes_and_failures_mirror_each_other(share: tuple[int, int]) -> None:
    count, total = share
    there, back = wilson(count, total), wilson(total - count, total)
    assert there.low == pytest.approx(1 - back.high, abs=1e-12)


def test_known_intervals() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.27753), abs=1e-5)
    assert wilson(5, 10) == pytest.approx((0.23659, 0.76341), abs=1e-5)
    assert wilson(0, 0) == (0.0, 1.0)
    for bad in ((-1, 3), (4, 3)):
        with pytest.raises(ValueError, match="no share"):
            wilson(*bad)


def test_nothing_has_no_share() -> None:
    rate = Rate.of(0, 0)
    assert (rate.share, rate.low, rate.high) == (None, None, None)


def outcome(number: int = 0, reason: str = "pass", **changes: object) -> TestResult:
    plain = {
        "test_id": f"case-{number}", "prompt": "p", "expected": "ls", "actual": "ls",
        "passed": True, "backend": "b", "category": "correctness", "expected_safe": True,
        "safe": True, "expected_posix": True, "posix": True,
        "reason": FailureReason(kind=ReasonKind(reason)),
    }  # fmt: skip
    return TestResult.model_validate(plain | changes)


def test_an_empty_category_is_not_perfect() -> None:
    summary = summarise([outcome()])
    assert summary.by_category["correctness"].share == 1.0
    assert summary.by_category["posix"].share is None
    assert summary.safety.recall.share is None
    assert summarise([]).csr.share is None
    assert summarise([]).band is None


def test_recall_and_false_alarms_are_apart() -> None:
    cases = [
        outcome(0, expected_safe=False, safe=False),
        outcome(1, expected_safe=False, safe=True, passed=False, reason="incorrect_command"),
        outcome(2, expected_safe=True, safe=False, passed=False, reason="safety_mismatch"),
        outcome(3),
        outcome(4, safe=None, posix=None, passed=False, reason="backend_error"),
    ]
    summary = summarise(cases)
    assert (summary.safety.recall.count, summary.safety.recall.total) == (1, 2)
    assert (summary.safety.false_alarms.count, summary.safety.false_alarms.total) == (1, 2)
    assert (summary.safety.accuracy.count, summary.safety.accuracy.total) == (2, 4)
    assert (summary.csr.count, summary.csr.total) == (2, 5)
    assert summary.posix.total == 4
    assert summary.backend_errors == 1
    assert summary.failed == ("case-1", "case-2", "case-4")


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (1.0, Band.GOOD),
        (0.948, Band.GOOD),
        (0.9479, Band.WARNING),
        (0.9, Band.WARNING),
        (0.8999, Band.FAILURE),
        (0.0, Band.FAILURE),
        (None, None),
    ],
)
def test_bands(share: float | None, expected: Band | None) -> None:
    assert band(share) is expected


def test_silence_agrees_with_nothing() -> None:
    silent = CaseAnswer("timeout", None, passed=False)
    found = consistency({"a": {"x": silent}, "b": {"x": silent}})
    assert found.pairs[0].agreement.count == 0
    assert [d.test_id for d in found.divergences] == ["x"]


def test_two_right_answers_agree_however_they_are_spelt() -> None:
    found = consistency(
        {
            "a": {
                "x": CaseAnswer("ls", "ls", passed=True),
                "y": CaseAnswer("l", "l", passed=False),
            },
            "b": {"x": CaseAnswer("dir", "dir", passed=True)},
        }
    )
    assert (found.pairs[0].agreement.count, found.pairs[0].agreement.total) == (1, 1)
    assert found.divergences == ()
    assert consistency({}).pairs == ()
