from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.metrics.statistics import Tries, mean_pass_at_k, pass_at_k


@st.composite
def tries(draw: st.DrawFn) -> tuple[int, int, int]:
    total = draw(st.integers(1, 12))
    return total, draw(st.integers(0, total)), draw(st.integers(1, total))


@given(tries())
def test_it_is_the_share_of_subsets_with_a_pass(case: tuple[int, int, int]) -> None:
    total, passed, k = case
    subsets = list(combinations([True] * passed + [False] * (total - passed), k))
    assert pass_at_k(total, passed, k) == pytest.approx(sum(map(any, subsets)) / len(subsets))


@given(tries())
def test_more_tries_never_lower_it(case: tuple[int, int, int]) -> None:
    total, passed, k = case
    assert 0 <= pass_at_k(total, passed, k) <= 1
    if k < total:
        assert pass_at_k(total, passed, k) <= pass_at_k(total, passed, k + 1)


@given(st.integers(1, 100_000), st.data())
def test_pass_at_1_is_the_pass_rate(total: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, total))
    assert pass_at_k(total, passed, 1) == passed / total


def test_thousands_of_trials_don_t_overflow() -> None:
    assert pass_at_k(5000, 1, 2500) == 0.5
    assert pass_at_k(5000, 5000, 2500) == 1.0


@pytest.mark.parametrize(("total", "passed", "k"), [(3, 1, 4), (3, 1, 0), (3, 4, 1), (0, 0, 1)])
def test_what_can_t_be_estimated_is_refused(total: int, passed: int, k: int) -> None:
    with pytest.raises(ValueError, match=r"trials|passed"):
        pass_at_k(total, passed, k)


def test_samples_with_too_few_trials_are_counted_apart() -> None:
    found = mean_pass_at_k([Tries(4, 2), Tries(4, 0), Tries(1, 1)], 2)
    assert (found.mean.samples, found.left_out) == (2, 1)
    assert found.mean.value == pytest.approx((5 / 6 + 0) / 2)


def test_without_samples_there_is_no_number() -> None:
    assert mean_pass_at_k([], 1).mean.value is None
