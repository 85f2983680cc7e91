"""Another value is another one for certain, looks like the first, and fits where that did."""

import random

from hypothesis import given
from hypothesis import strategies as st

from sdkbench.test_harness.other_values import LARGEST, OtherValues

FILE = OtherValues(
    ["cs_test_a1", "cs_test_b2", "user not found", "alice", "bobby", "MCMXCIV", "XLIV"],
    [200, 404, 401, 3, 12050],
)


TYPED = OtherValues(FILE.texts, FILE.numbers, typed=True)


@given(st.text())
def test_another_text_differs_in_more_than_case(text: str) -> None:
    assert FILE.text(text).casefold() != text.casefold()


@given(st.integers(min_value=0, max_value=9999), st.integers(min_value=0, max_value=99))
def test_a_number_in_a_text_stays_a_number(whole: int, part: int) -> None:
    assert float(OtherValues().text(f"{whole}.{part}")) >= 0


@given(st.integers(min_value=0, max_value=2**64))
def test_another_integer_needs_no_larger_type(value: int) -> None:
    other = TYPED.integer(value)
    assert other is not None
    assert other != value
    assert 0 <= other <= max(value, next((m for m in LARGEST if value <= m), value))


@given(st.integers(min_value=10, max_value=10**9))
def test_another_integer_has_as_many_digits(value: int) -> None:
    other = str(OtherValues().integer(value))
    assert len(other) == len(str(value))


def test_round_numbers_stay_round() -> None:
    assert all((FILE.integer(5000) or 1) % 1000 == 0 for _ in range(40))


def test_numbers_and_texts_of_the_file_are_drawn() -> None:
    assert {FILE.integer(200) for _ in range(60)} & {404, 401}
    assert "cs_test_b2" in {FILE.text("cs_test_a1") for _ in range(60)}
    assert "MCMXCIV" in {FILE.text("MDCLXVI") for _ in range(60)}


def test_what_is_drawn_is_not_the_same_each_time() -> None:
    for values in (FILE, OtherValues()):
        assert len({values.text("cs_test_a1") for _ in range(60)}) > 5
        assert len({values.integer(5417) for _ in range(60)}) > 5
        assert len({values.part("the balance of roads") for _ in range(60)}) > 5


def test_another_number_is_more_often_than_not_no_neighbour() -> None:
    near = [abs((OtherValues().integer(5417) or 0) - 5417) <= 1 for _ in range(100)]
    assert sum(near) < 10


def test_a_size_of_a_list_beside_it_is_left_alone() -> None:
    test = FILE.near((), (), sizes={1, 3})
    assert test.integer(3) is None
    assert test.integer(1) is not None
    assert test.with_sizes.integer(3) is not None


def test_a_list_seldom_gets_a_value_twice() -> None:
    names = OtherValues(["alice", "bobby", "carol"]).beside(["alice", "bobby"])
    assert "bobby" not in {names.text("alice") for _ in range(60)}
    assert "carol" in {names.text("alice") for _ in range(60)}


def test_an_identifier_keeps_its_beginning() -> None:
    assert all(OtherValues().text("cs_a").startswith("cs_") for _ in range(40))


def test_a_part_is_no_misspelling_and_nowhere_in_the_file() -> None:
    assert FILE.part("a 12 word") is None
    for _ in range(60):
        changed = FILE.part("the balance of ROADS")
        assert changed
        assert len(changed) == len("the balance of ROADS")
        apart = sum(a != b for a, b in zip(changed, "the balance of ROADS", strict=True))
        assert apart > 1


def test_names_of_classes_are_drawn_once() -> None:
    names = [FILE.class_name("app.NoSuchUserError") for _ in range(12)]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() and name.endswith("Error") for name in names)


def test_names_of_classes_are_no_names_of_the_file_and_of_no_test_class() -> None:
    words = [f"{letter}ested" for letter in "tbnr"]
    values = OtherValues(words, source="class QuotaError: pass")
    drawn = {values.class_name("KeyError") for _ in range(60)}
    assert "QuotaError" not in drawn
    assert not [name for name in drawn if name.startswith("Test")]


def test_a_seed_decides_on_everything() -> None:
    drawn = {OtherValues(chance=random.Random(7)).text("hello-world") for _ in range(5)}
    assert len(drawn) == 1
