"""Which expectations of a Python test are mutated, and how."""

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.judge.mutants import apply
from sdkbench.test_harness.mutations import Mutation
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
        ("assert f() is None", None),
        ("assert f() is True", ["assert f() is False", "assert f() is not True"]),
        ("assert isinstance(f(), str)", None),
        ("assert f() is not None", ["assert f() is None"]),
        ("assert f() < g", ["assert f() >= g"]),
        ("assert f() >= g", ["assert f() < g"]),
        ("assert f()", ["assert not f()"]),
        ("assert not f()", ["assert f()"]),
        ("assert 1 < f() < 3", ["assert not 1 < f() < 3"]),
        ("assert a.b, 'why'", ["assert not a.b, 'why'"]),
        ("assert f() and g() is True", ["assert not f() and g() is True",
                                        "assert f() and g() is False",
                                        "assert f() and g() is not True"]),
        ("assert f() or g()", []),  # what is true of one side says nothing of the other
        ("assert f() == approx(3.0)", None),
        ("assert f() == approx(3.0, abs=2)", ["assert f() != approx(3.0, abs=2)"]),
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
    assert re.fullmatch(r"assert f\(\) == 0\.[1-46-9]", mutated("assert f() == 0.5")[0])
    assert re.fullmatch(r"assert f\(\) == b'[a-z]{5}'", mutated("assert f() == b'plain'")[0])
    assert mutated("assert f() == 'one'")[0] != "assert f() == 'one'"
    assert re.fullmatch(r"assert len\('ü'\) == -\d+", mutated("assert len('ü') == -1")[0])


def test_a_changed_string_looks_like_the_one_before() -> None:
    for _ in range(20):
        form = mutated("assert f() == 'no such user'")[0]
        assert form != "assert f() == 'no such user'"
        assert re.fullmatch(r"assert f\(\) == '[a-z]+ [a-z]+ [a-z]+'", form)


def test_a_string_may_become_one_of_the_modules_own() -> None:
    body = "x = 'bea@example.org'\nassert f() == 'ada@example.org'"
    forms = {form for _ in range(40) for form in mutated(body)}
    assert "x = 'bea@example.org'\nassert f() == 'bea@example.org'" in forms


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
    "expected", ["ValueError", "Exception", "app.Broken", "(KeyError, OSError)"]
)
def test_another_exception_is_a_class_of_the_tests_own(expected: str) -> None:
    text = f"def test_a():\n    with pytest.raises({expected}, match='x'):\n        f()\n"
    mutation, opposite = mutations_of(text, PATH)
    assert (opposite.kind, opposite.replacement) == ("sense", "pytest.MonkeyPatch.context()")
    name = mutation.replacement
    after = apply(text, [mutation])
    assert f"with pytest.raises({name}, match='x'):" in after
    declared = ast.parse(after).body[-1]
    assert isinstance(declared, ast.ClassDef)
    assert (declared.name, ast.unparse(declared.bases[0])) == (name, "Exception")
    assert after.startswith(text[: mutation.start])  # nothing moves
    assert "expected" not in after


def test_a_block_that_waits_for_an_error_becomes_one_that_lets_it_pass() -> None:
    [_, form] = mutated("with self.assertRaises(KeyError):\n    f()")
    assert form == "with self.subTest():\n    f()"
    assert len(mutated("with raises(KeyError):\n    f()")) == 1


def test_what_an_exception_says_is_altered() -> None:
    forms = mutated("with pytest.raises(KeyError, match='no such account'):\n    f()")
    assert len(forms) == 3
    assert "match='no such account'" not in forms[1]


@pytest.mark.parametrize(
    ("block", "swallows"),
    [
        ("with app.transaction():", True),
        ("with app.Store() as store, open('x'):", True),
        ("with store:", True),
        ("with made_here():", True),
        ("async with app.session() as session:", True),
        ("with some_fixture.begin():", True),
        ("with open('x') as stream:", False),
        ("with TestClient(app.app) as client:", False),
        ("with tempfile.TemporaryDirectory() as folder:", False),
        ("with monkeypatch.context() as patch:", False),
        ("with plain_here():", False),
    ],
)
def test_a_block_on_what_the_solution_offers_may_swallow_a_failure(
    block: str, swallows: bool
) -> None:
    head = (
        "import tempfile\nfrom contextlib import contextmanager\nfrom lib import TestClient\n"
        "from expected import app\n"
        "@contextmanager\ndef made_here():\n    with app.transaction():\n        yield\n"
        "@contextmanager\ndef plain_here():\n    yield\n"
    )
    test = (
        "async def test_a(monkeypatch, some_fixture):\n    store = app.Store()\n"
        f"    {block}\n        assert f() == 3\n"
    )
    assert bool(mutations_of(head + test, PATH)) is not swallows


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
    assert re.fullmatch(r"assert '[a-z]{3} [a-z]{5}' in f\(\)", value)
    assert "not found" not in value


def test_a_name_that_is_only_compared_gets_another_value() -> None:
    forms = mutated("wanted = 3\nassert f() == wanted")
    assert any(re.fullmatch(r"wanted = (?!3$)\d+\nassert f\(\) == wanted", f) for f in forms)
    used = mutated("wanted = 3\ng(wanted)\nassert f() == wanted")
    assert used == ["wanted = 3\ng(wanted)\nassert f() != wanted"]


ROWS = "[(1, 'xyz'), (2, 'uvw')]"


def parametrized(rows: str, more: str = "", test: str = "assert f(a) == b") -> list[Mutation]:
    mark = f"@pytest.mark.parametrize(('a', 'b'), {rows}{more})\n"
    return mutations_of(f"{mark}def test_a(a, b):\n    {test}\n", PATH)


@pytest.mark.parametrize(
    ("rows", "more", "ids"),
    [
        (ROWS, ", ids=['one', 'two']", ["one", "two"]),
        (
            "[pytest.param(1, 'xyz', id='one'), pytest.param(2, 'uvw', id='two')]",
            "",
            ["one", "two"],
        ),
        (ROWS, "", ["1-xyz", "2-uvw"]),
        ("[(None, [7]), (0.5, [8])]", "", ["None-b0", "0.5-b1"]),
        ("[(int, -7), (True, -8)]", "", ["int--7", "True--8"]),
    ],
)
def test_parameters_that_are_expected_are_altered_one_by_one(
    rows: str, more: str, ids: list[str]
) -> None:
    found = parametrized(rows, more)
    assert {mutation.kind for mutation in found} == {"value"}
    names = [f"{PATH}::test_a[{label}]" for label in ids]
    matched = [[one for one in names if re.fullmatch(m.tests, one)] for m in found]
    assert {name for [name] in matched} == set(names)
    for mutation, [name] in zip(found, matched, strict=True):
        # An id that tells the value tells the other value.
        telling = not more and "param(" not in rows and "b0" not in ids[0]
        assert (mutation.name_after(name) != name) is telling
        if telling:
            assert mutation.replacement.strip("'") in mutation.name_after(name)


@pytest.mark.parametrize(
    ("rows", "test"),
    [
        (ROWS, "assert f(a, b) == b"),  # an input too
        (ROWS, "if a:\n        f(b)\n    assert f(a) == b"),
        (ROWS, "assert f()\n    if f(a):\n        assert f(a) == b"),  # need not be reached
        ("[(1, f()), (2, 'uvw')]", "assert f(a) == b"),  # what pytest calls it can't be read
        ("[(1, 'xyz'), (1, 'xyz')]", "assert f(a) == b"),
        ("[(x, 1) for x in y]", "assert f(a) == b"),
    ],
)
def test_parameters_that_are_inputs_or_have_unknown_ids_are_left_alone(
    rows: str, test: str
) -> None:
    assert {mutation.kind for mutation in parametrized(rows, test=test)} == {"sense"}


def test_a_parameter_that_names_the_exception_is_altered() -> None:
    rows = "[(1, KeyError), (2, ValueError)]"
    found = parametrized(rows, test="with pytest.raises(b):\n        f(a)")
    assert all(m.renamed and m.renamed[1].endswith(f"-{m.replacement}]") for m in found)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("WANT = 30\ndef test_a():\n    assert f() == WANT\n", 1),
        ("WANT = 30\nx = WANT\ndef test_a():\n    assert f() == WANT\n", 4),
        ("@fixture\ndef want():\n  return 30\ndef test_a(want):\n  assert f() == want\n", 3),
        ("class TestA:\n  WANT = 30\n  def test_a(self):\n    assert f() == self.WANT\n", 2),
        ("def test_a():\n    for x, want in [(1, 30)]:\n        assert f(x) == want, want\n", 2),
        ("def test_a():\n    for x, want in {1: 30}.items():\n        assert f(x) == want\n", 2),
        ("R = [\n  (1, 30)]\ndef test_a():\n  for x, want in R:\n    assert f(x) == want\n", 2),
        ("def test_a():\n  for c in [{'x': 1, 'y': 30}]:\n    assert f(c['x']) == c['y']\n", 2),
        ("def test_a():\n    for c in [Case(1, want=30)]:\n        assert f(c.x) == c.want\n", 2),
    ],
)  # fmt: skip
def test_a_value_is_altered_where_it_is_written(text: str, line: int) -> None:
    [value] = [m for m in mutations_of(text, PATH) if m.kind == "value"]
    assert value.line == line
    assert text[value.start : value.end] in {"30", "WANT"}


@pytest.mark.parametrize(
    "text",
    [
        "R = [(1, 30)]\ny = R\ndef test_a():\n  for x, want in R:\n    assert f(x) == want\n",
        "def test_a():\n    for x, want in [(1, 30)]:\n        assert f(x, want) == want\n",
        "def test_a():\n    for c in [{'x': 1, 'want': 30}]:\n        assert f(c) == c['want']\n",
        "def test_a():\n  for x, want in [(1, 30)]:\n    if f(): break\n    assert f(x) == want\n",
    ],
)  # fmt: skip
def test_a_row_that_is_an_input_too_is_left_alone(text: str) -> None:
    assert not [m for m in mutations_of(text, PATH) if m.kind == "value"]


def test_a_size_beside_a_list_of_that_many_is_left_alone_where_there_is_something_else() -> None:
    both = mutated("assert len(f()) == 3\nassert f() == ['abc', 'def', 'ghi']")
    assert not [form for form in both if re.search(r"len\(f\(\)\) == (?!3)", form)]
    alone = mutated("x = ['abc', 'def', 'ghi']\nassert len(f(x)) == 3")
    assert [form for form in alone if re.search(r"len\(f\(x\)\) == (?!3)", form)]


def test_a_parameter_that_is_looked_for_becomes_one_that_nobody_has_beside_it() -> None:
    rows = "[(1, 'balance'), (2, 'missing')]"
    for _ in range(20):
        for mutation in parametrized(rows, test="assert b in f(a)"):
            assert mutation.replacement.strip("'") not in {"balance", "missing"}
    short = parametrized("[(1, 'abc'), (2, 'def')]", test="assert b in f(a)")
    assert {mutation.kind for mutation in short} == {"sense"}


@pytest.mark.parametrize(
    ("expected", "altered"),
    [
        ("report(added=30)", True),
        ("datetime.date(2024, 5, 17)", True),
        ("sorted(['abc', 'def'])", True),
        ("app.Point(1, 2)", False),  # may be equal to more than one
        ("made_by_app(30)", False),
        ("IsInt(gt=30)", False),
        ("Near(30)", False),
        ("ANY", False),
    ],
)
def test_what_the_file_alone_makes_of_literals_is_altered(expected: str, altered: bool) -> None:
    head = (
        "import datetime\nfrom unittest.mock import ANY\nfrom dirty_equals import IsInt\n"
        "from expected import app\nBASE = {'kept': []}\n"
        "def report(added): return BASE | {'added': added}\n"
        "def made_by_app(n): return helper(n)\ndef helper(n): return app.make(n)\n"
        "class Near:\n    def __eq__(self, other): return True\n"
    )
    found = mutations_of(f"{head}def test_a():\n    assert f() == {expected}\n", PATH)
    assert bool([m for m in found if m.kind == "value"]) is altered


def test_a_pattern_with_a_choice_in_it_is_left_alone() -> None:
    forms = mutated("with pytest.raises(KeyError, match='not found|missing account'):\n    f()")
    assert len(forms) == 2
    assert "match='not found|missing account'" in forms[0]


def test_what_is_empty_is_filled() -> None:
    assert re.search(r"f\(\) == \[.+\]", mutated("assert f() == []")[0])
    assert re.search(r"f\(\) == \{.+: .+\}", mutated("assert f() == {}")[0])
