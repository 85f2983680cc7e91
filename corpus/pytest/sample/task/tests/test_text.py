"""Durations, ranges and words."""

import pytest
from expected import app


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("1h30m", 5400), ("2d 5s", 172805)],
    ids=["one part", "two parts", "with a blank"],
)
def test_duration_is_read(text: str, seconds: int) -> None:
    assert app.parse_duration(text) == seconds


def test_nonsense_is_no_duration() -> None:
    with pytest.raises(ValueError):
        app.parse_duration("soon")


def test_touching_ranges_become_one() -> None:
    assert app.merge_ranges([(5, 8), (1, 3), (3, 4)]) == [(1, 4), (5, 8)]
    assert app.merge_ranges([]) == []


def test_words_are_counted_in_lower_case() -> None:
    counts = app.count_words("The cat, the hat. THE END")
    assert counts["the"] == 3
    assert "hat" in counts
    assert "dog" not in counts


def test_slug_is_plain() -> None:
    assert app.slug("Crème brûlée, twice!") == "creme-brulee-twice"
