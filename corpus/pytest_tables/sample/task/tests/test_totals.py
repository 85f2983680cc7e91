"""Sums, and what they are for."""

import pytest
from expected import app

WITH_BOOKS = 5350


@pytest.fixture
def with_tools() -> int:
    return 2380


def test_total_with_books() -> None:
    assert app.total([2000, 3000], 7) == WITH_BOOKS


def test_total_with_tools(with_tools: int) -> None:
    assert app.total([1500, 500], 19) == with_tools


def test_totals_of_a_week() -> None:
    assert app.total([100, 200], 7) == 321
    assert app.total([1000], 19) == 1190
    assert app.total([50, 50], 0) == 100
    assert app.total([], 19) == 0


def test_totals_of_a_month() -> None:
    assert app.total([4000, 4000], 7) == 8560
    assert app.total([7000], 19) == 8330
    assert app.total([250, 250], 0) == 500
    assert app.total([10, 90], 7) == 107
