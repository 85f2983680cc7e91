"""Which expectations of a Python test are mutated, and how."""

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.judge.mutants import apply
from sdkbench.test_harness.python.expectations import mutations_of

PATH = "tests/test_app.py"


def mutated(body: str, *, signature: str = "def test_a(self=None):") -> list[str]:
    """Each mutated form of the test's body, as text."""
    text = f"{signature}\n" + "\n".join(f"    {line}" for line in body.splitlines()) + "\n"
    found = mutations_of(text, PATH)
    forms = [apply(text, [mutation]) for mutation in found]
    for form in forms:
        ast.parse(form)
    return [
        "\n".join(line.removeprefix("    ") for line in form.splitlines()[1:]) for form in forms
    ]


@pytest.mark.parametrize(
    ("body", "forms"),
    [
        ("assert f() == g()", ["assert f() != g()"]),
        ("assert f() != 3", ["assert f() == 3"]),
        ("assert 'a' in f()", ["assert 'a' not in f()"]),
        ("assert 'a' not  in f()", ["assert 'a' in f()"]),
        ("assert f() is None", ["assert f() is False", "assert f() is not None"]),
        ("assert f() is True", ["assert f() is False", "assert f() is not True"]),
        ("assert isinstance(f(), str)", ["assert isinstance(f(), bytes)",
                                         "assert not isinstance(f(), str)"]),
        ("assert f() is not None", ["assert f() is None"]),
        ("assert f() < g", ["assert f() >= g"]),
        ("assert f() >= g", ["assert f() < g"]),
        ("assert f()", ["assert not f()"]),
        ("assert not f()", ["assert f()"]),
        ("assert 1 < f() < 3", ["assert not 1 < f() < 3"]),
        ("assert a.b, 'why'", ["assert not a.b, 'why'"]),
        ("assert f() and g() is None", ["assert not f() and g() is None",
                                        "assert f() and g() is False",
                                        "assert f() and g() is not None"]),
        ("assert f() or g()", []),  # what is true of one side says nothing of the other
        ("assert f() == approx(3.0)", ["assert f() != approx(3.0)"]),
        ("with raises(KeyError):\n    f()", None),
        ("x = f()", []),
    ],
)  # fmt: skip
def test_forms(body: str, forms: list[str] | None) -> None:
    if forms is None:
        assert len(mutated(body)) > 1
    else:
        assert mutated(body) == forms


def test_literals_are_changed_where_they_are_compared() -> None:
    changed = mutated("assert f() == 3")[0]
    assert re.fullmatch(r"assert f\(\) == \d+", changed)
    assert changed != "assert f() == 3"
    assert "assert f() == [1, {'a': False}]" in mutated("assert f() == [1, {'a': True}]")
    assert "assert f() == 1.5" in mutated("assert f() == 0.5")
    assert mutated("assert f() == 'one'")[0] != "assert f() == 'one'"
    assert re.fullmatch(r"assert len\('ü'\) == -\d+", mutated("assert len('ü') == -1")[0])


def test_a_changed_string_looks_like_the_one_before() -> None:
    form = mutated("assert f() == 'no such user'")[0]
    assert form != "assert f() == 'no such user'"
    assert len(form) == len("assert f() == 'no such user'")


def test_a_string_too_short_to_misspell_becomes_one_of_the_modules_own() -> None:
    assert "x = 'other'\nassert f() == 'other'" in mutated("x = 'other'\nassert f() == '1'")


@pytest.mark.parametrize(
    "body",
    [
        "if f():\n    assert g()",
        "for x in f():\n    assert x",
        "while f():\n    assert g()",
        "try:\n    assert f()\nexcept ValueError:\n    pass",
        "if f():\n    return\nassert g()",
        "if f():\n    pytest.skip('no')\nassert g()",
        "def inner():\n    assert f()",
        "x = lambda: f() == 1",
        "with suppress(Exception):\n    assert f()",
        "for x in [1, 2]:\n    if x: continue\n    assert x",
        "for x in [*f()]:\n    assert x",
    ],
)
def test_what_a_passing_test_need_not_have_run_is_left_alone(body: str) -> None:
    assert mutated(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "with open('x') as s:\n    assert f(s)",
        "for x in [1, 2]:\n    assert f(x)",
        "try:\n    assert f()\nfinally:\n    g()",
        "if f():\n    g()\nassert h()",
    ],
)
def test_what_a_passing_test_has_run_is_altered(body: str) -> None:
    assert len(mutated(body)) == 1


@pytest.mark.parametrize(
    ("expected", "never"),
    [
        ("ValueError", set()),
        ("OSError", {"TimeoutError", "PermissionError"}),
        ("ArithmeticError", {"ZeroDivisionError"}),
        ("RuntimeError", {"NotImplementedError"}),
        ("Exception", {"ZeroDivisionError", "TimeoutError", "EOFError"}),
        ("app.Broken", {"TimeoutError", "PermissionError", "NotImplementedError"}),
    ],
)
def test_another_type_is_one_that_is_not_raised_along(expected: str, never: set[str]) -> None:
    forms = mutated(f"with pytest.raises({expected}, match='x'):\n    f()")
    names = {form.split("(")[1].split(",")[0] for form in forms}
    assert names and expected not in names and not names & never  # noqa: PT018


def test_unittest_methods_have_their_opposites() -> None:
    assert mutated("self.assertIn(1, f())") == ["self.assertNotIn(1, f())"]
    assert "self.assertNotEqual(f(), 3)" in mutated("self.assertEqual(f(), 3)")
    assert mutated("self.assertIsNotNone(f())") == ["self.assertIsNone(f())"]
    assert mutated("self.check(f())") == []
    assert mutated("m.assert_called_once()") == ["m.assert_not_called()"]


def test_ids_of_functions_methods_parameters_and_heirs() -> None:
    text = (
        "class TestBase:\n    def test_a(self):\n        assert f()\n"
        "class TestHeir(TestBase):\n    pass\n"
        "def test_b():\n    assert f()\n"
    )
    patterns = [mutation.tests for mutation in mutations_of(text, PATH)]
    assert patterns == [
        r"tests/test_app\.py::(TestBase|TestHeir)::test_a(\[.*\])?",
        r"tests/test_app\.py::test_b(\[.*\])?",
    ]


def test_line_ends_and_wide_characters_keep_their_places() -> None:
    text = "def test_a():\r\n    x = 'ü🐍'; assert f('ü') == g()\r\n"
    [mutation] = mutations_of(text, PATH)
    assert apply(text, [mutation]) == text.replace("==", "!=")
    assert mutation.line == 2


@given(st.text(max_size=200))
def test_any_text_is_taken(text: str) -> None:
    assert isinstance(mutations_of(text, PATH), list)


def test_a_text_that_is_looked_for_is_changed_where_it_is_long_enough() -> None:
    value, opposite = mutated("assert 'not found' in f()")
    assert opposite == "assert 'not found' not in f()"
    assert value.startswith("assert 'not fo") and "not found" not in value  # noqa: PT018


def test_a_name_that_is_only_compared_gets_another_value() -> None:
    forms = mutated("wanted = 3\nassert f() == wanted")
    assert any(re.fullmatch(r"wanted = (?!3$)\d+\nassert f\(\) == wanted", f) for f in forms)
    used = mutated("wanted = 3\ng(wanted)\nassert f() == wanted")
    assert used == ["wanted = 3\ng(wanted)\nassert f() != wanted"]


def test_parameters_with_ids_are_altered_one_by_one() -> None:
    mark = "@pytest.mark.parametrize(('a', 'b'), [(1, 'x'), (2, 'y')], ids=['one', 'two'])\n"
    text = f"{mark}def test_a(a, b):\n    assert f(a) == b\n"
    found = mutations_of(text, PATH)
    assert sorted({mutation.tests for mutation in found}) == [
        r"tests/test_app\.py::test_a\[one\]",
        r"tests/test_app\.py::test_a\[two\]",
    ]
    assert {mutation.kind for mutation in found} == {"value"}
    without = mutations_of(text.replace(", ids=['one', 'two']", ""), PATH)
    assert [mutation.replacement for mutation in without] == ["!="]
