"""Another literal is another one for certain, and fits where the first did."""

from hypothesis import given
from hypothesis import strategies as st

from sdkbench.test_harness.mutations import misspelt, other_integer, other_text


@given(st.text())
def test_another_text_differs_in_more_than_case(text: str) -> None:
    assert other_text(text).casefold() != text.casefold()


@given(st.integers(min_value=0, max_value=9999), st.integers(min_value=0, max_value=99))
def test_a_number_in_a_text_stays_a_number(whole: int, part: int) -> None:
    assert float(other_text(f"{whole}.{part}")) >= 0


@given(st.integers(min_value=0, max_value=2**64))
def test_another_integer_needs_no_larger_type(value: int) -> None:
    other = int(other_integer(str(value)))
    assert other != value
    assert 0 <= other <= max(value, 127)


def test_short_words_are_not_misspelt() -> None:
    assert misspelt("a 12 word") is None
    changed = misspelt("the balance of ROADS")
    assert changed
    assert (len(changed), changed.startswith("the ")) == (20, True)
