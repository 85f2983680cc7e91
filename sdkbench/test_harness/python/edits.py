"""What a statement of a Python test expects, and edits after which it expects something else.

Every edit is complementary: where the original holds, the edited one does not.
"""

import ast
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from sdkbench.test_harness.mutations import Place
from sdkbench.test_harness.other_values import OtherValues
from sdkbench.test_harness.python.origins import Origins
from sdkbench.test_harness.python.tables import Names, approximated, called

LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
OPPOSITES: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.Lt: ("<", ">="),
    ast.GtE: (">=", "<"),
    ast.Gt: (">", "<="),
    ast.LtE: ("<=", ">"),
}
_PAIRS = {
    "assertEqual": "assertNotEqual",
    "assertTrue": "assertFalse",
    "assertIn": "assertNotIn",
    "assertIs": "assertIsNot",
    "assertIsNone": "assertIsNotNone",
    "assertIsInstance": "assertNotIsInstance",
    "assertAlmostEqual": "assertNotAlmostEqual",
    "assertRegex": "assertNotRegex",
    "assertGreater": "assertLessEqual",
    "assertLess": "assertGreaterEqual",
    "assert_called": "assert_not_called",
}
METHODS = (
    _PAIRS
    | {after: before for before, after in _PAIRS.items()}
    | {"assert_called_once": "assert_not_called", "assert_awaited": "assert_not_awaited"}
    | {f"assert{kind}Equal": "assertNotEqual" for kind in ("List", "Tuple", "Dict", "Set")}
)
EQUALITIES = frozenset(
    {"assertEqual", "assertListEqual", "assertTupleEqual", "assertDictEqual", "assertSetEqual",
     "assertMultiLineEqual", "assertSequenceEqual", "assertCountEqual"}
)  # fmt: skip
CALLS_WITH = frozenset({"assert_called_with", "assert_called_once_with", "assert_awaited_with",
                        "assert_awaited_once_with"})  # fmt: skip
RAISES = frozenset({"raises", "assertRaises", "assertRaisesRegex"})
WITHOUT_ERROR = {
    ("pytest", "raises"): "pytest.MonkeyPatch.context()",
    ("self", "assertRaises"): "self.subTest()",
    ("self", "assertRaisesRegex"): "self.subTest()",
}
CATCHES = RAISES | {"suppress", "warns", "assertWarns", "assertWarnsRegex", "deprecated_call"}
# No object is an instance of two of these.
APART = ("str", "bytes", "int", "float", "list", "dict", "set", "frozenset", "tuple")
RELATED = {"bool": "int"}
PLAIN_STRING = re.compile(r"b?(?:'[^'\\\n]*'|\"[^\"\\\n]*\")")
PATTERN_SIGNS = frozenset("|?*+()[]{}^$\\")
DECIMAL = re.compile(r"(\d+)\.(\d+)")


class SourceText:
    """A parsed module's text; `ast` counts lines, and bytes within them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = [match.group() for match in LINE.finditer(text)]
        self._starts = [match.start() for match in LINE.finditer(text)]

    def place(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode()[:column]
        return self._starts[line - 1] + len(before.decode(errors="replace"))

    def start(self, node: ast.expr) -> int:
        return self.place(node.lineno, node.col_offset)

    def end(self, node: ast.expr) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None  # noqa: S101, PT018 - parsed
        return self.place(node.end_lineno, node.end_col_offset)

    def segment(self, node: ast.expr) -> str:
        return self.text[self.start(node) : self.end(node)]

    def line_of(self, place: int) -> int:
        return next(n for n, start in reversed(list(enumerate(self._starts, 1))) if start <= place)


class Edit(NamedTuple):
    start: int
    end: int
    replacement: str
    kind: Literal["value", "sense"] = "sense"
    also: tuple[Place, ...] = ()


class Scope(NamedTuple):
    """The test that an expectation is in: its text, its names, what else it could expect."""

    source: SourceText
    names: Names
    values: OtherValues
    origins: Origins

    def replaced(self, node: ast.expr, other: str) -> Edit:
        return Edit(self.source.start(node), self.source.end(node), other, "value")


def catches(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Call) and called(expression) in CATCHES


def edits(statement: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """The edits of this one statement; what stands inside of its blocks is asked for apart."""
    if isinstance(statement, ast.Assert):
        yield from _truth(statement.test, scope)
    elif isinstance(statement, ast.With | ast.AsyncWith):
        for item in statement.items:
            if isinstance(item.context_expr, ast.Call):
                yield from _raised(item.context_expr, scope)
                yield from _not_raised(item.context_expr, scope)
    elif isinstance(statement, ast.Expr):
        value = statement.value
        call = value.value if isinstance(value, ast.Await) else value
        if isinstance(call, ast.Call):
            yield from _assert_method(call, scope)


def _truth(test: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Edits that make a true expression false."""
    source = scope.source
    if isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And):
            for operand in test.values:
                yield from _truth(operand, scope)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        until = source.start(test.operand) if _bare(test, source) else source.start(test)
        yield Edit(source.start(test), until, "" if _bare(test, source) else "not ")
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        yield from _comparison(test, scope)
    elif isinstance(test, ast.Compare | ast.Call | ast.Name | ast.Attribute | ast.Subscript):
        if isinstance(test, ast.Call) and called(test) == "isinstance":
            yield from _other_class(test.args[1:], scope)
        yield Edit(source.start(test), source.start(test), "not ")


def _bare(test: ast.UnaryOp, source: SourceText) -> bool:
    """Whether nothing but blanks stands between `not` and what it denies."""
    between = source.text[source.start(test) : source.start(test.operand)]
    return re.fullmatch(r"not[ \t]+", between) is not None


def _comparison(test: ast.Compare, scope: Scope) -> Iterator[Edit]:
    left, right = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.Eq):
        yield from expected_values(right, scope)
        yield from expected_values(left, scope)
    elif isinstance(test.ops[0], ast.In):
        yield from _other_member(left, scope)
    elif isinstance(test.ops[0], ast.Is):
        yield from _other_singleton(right, scope)
    pattern, opposite = OPPOSITES[type(test.ops[0])]
    begin, end = scope.source.end(left), scope.source.start(right)
    between = scope.source.text[begin:end]
    operator = re.fullmatch(rf"[\s)]*?({pattern})[\s(]*", between)
    if operator:
        yield Edit(begin + operator.start(1), begin + operator.end(1), opposite)


def _assert_method(call: ast.Call, scope: Scope) -> Iterator[Edit]:
    name = called(call)
    if not isinstance(call.func, ast.Attribute) or not name.startswith("assert"):
        return
    if name in EQUALITIES:
        for argument in call.args[:2]:
            yield from expected_values(argument, scope)
    if name in CALLS_WITH:
        for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
            yield from expected_values(argument, scope)
    if name == "assertIn" and call.args:
        yield from _other_member(call.args[0], scope)
    if name == "assertIs" and call.args:
        yield from _other_singleton(call.args[-1], scope)
    if name == "assertIsInstance":
        yield from _other_class(call.args[1:], scope)
    if name in METHODS:
        end = scope.source.end(call.func)
        yield Edit(end - len(name), end, METHODS[name])
    yield from _raised(call, scope)


def _raised(call: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Another class of exceptions, or another text in what they say."""
    if called(call) not in RAISES or not call.args:
        return
    for expected in scope.names.exceptions(call.args[0]):
        yield from other_exception(expected, scope)
    said = [keyword.value for keyword in call.keywords if keyword.arg == "match"]
    said += call.args[1:2] if called(call) == "assertRaisesRegex" else []
    for text in said:
        # A pattern with a choice in it may hold another way.
        if not set(scope.source.segment(text)) & PATTERN_SIGNS:
            yield from _other_member(text, scope)


def _not_raised(call: ast.Call, scope: Scope) -> Iterator[Edit]:
    """A block that lets errors pass, in place of one that waits for an error."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    other = WITHOUT_ERROR.get((owner.id if isinstance(owner, ast.Name) else "", called(call)))
    if other is not None and "\n" not in scope.source.segment(call):
        yield Edit(scope.source.start(call), scope.source.end(call), other)


def other_exception(expected: ast.expr, scope: Scope) -> Iterator[Edit]:
    """A class that only this test has: no honest code raises it, or one made from it.

    It stands at the end of the file, where it moves no line, and says that it is from elsewhere.
    """
    segment = scope.source.segment(expected)
    if not isinstance(expected, ast.Name | ast.Attribute | ast.Tuple) or "\n" in segment:
        return
    name = scope.values.class_name(segment.rpartition(".")[2])
    home = "builtins" if isinstance(expected, ast.Name) else scope.names.home_of(expected)
    end = len(scope.source.text)
    declared = f'\n\nclass {name}(Exception):\n    __module__ = "{home}"\n'
    place = Place(start=end, end=end, replacement=declared)
    yield scope.replaced(expected, name)._replace(also=(place,))


def _other_member(element: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Another text that is looked for; long enough that nobody has both."""
    for written in scope.names.written(element):
        if not isinstance(written, ast.Constant) or not isinstance(written.value, str):
            continue
        segment = scope.source.segment(written)
        if segment[1:-1] == written.value and (other := scope.values.part(written.value)):
            yield scope.replaced(written, f"{segment[0]}{other}{segment[-1]}")


def _other_singleton(expected: ast.expr, scope: Scope) -> Iterator[Edit]:
    for written in scope.names.written(expected):
        if not isinstance(written, ast.Constant):
            continue
        if isinstance(written.value, bool):
            yield scope.replaced(written, str(not written.value))
        elif written.value is None:
            yield scope.replaced(written, scope.values.chance.choice(["True", "False"]))


def _other_class(classes: list[ast.expr], scope: Scope) -> Iterator[Edit]:
    for expected in classes:
        name = expected.id if isinstance(expected, ast.Name) else ""
        if name in APART or name in RELATED:
            others = [one for one in APART if one not in {name, RELATED.get(name)}]
            yield scope.replaced(expected, scope.values.chance.choice(others))


def expected_values(expression: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Other literals for a value that something is compared with, wherever they are written; for
    a constant that others use too, here.
    """
    expression = approximated(expression)
    edits = [
        edit for written in scope.names.written(expression) for edit in other_values(written, scope)
    ]
    shared = None if edits else scope.names.shared_constant(expression)
    if isinstance(shared, ast.Constant):
        other = other_literal(shared, scope)
        edits = [scope.replaced(expression, other)] if other is not None else []
    yield from edits


def other_values(expression: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Another literal in place of each one that a value is made of.

    What else is in it may be equal to more than one value, and is left alone.
    """
    constants = list(_literals(expression, scope))
    texts = [constant.value for constant in constants if isinstance(constant.value, str)]
    if len(texts) > 1:
        scope = scope._replace(values=scope.values.beside(texts))
    for constant in constants:
        other = other_literal(constant, scope)
        if other is not None:
            yield scope.replaced(constant, other)
    if scope.source.segment(expression) in {"[]", "{}"}:
        yield scope.replaced(expression, _filled(expression, scope.values))


def _filled(expression: ast.expr, values: OtherValues) -> str:
    """A list or a dict with something in it."""
    texts = [f'"{text}"' for text in values.texts if text.isidentifier()]
    key = values.chance.choice(texts or ['"name"'])
    value = values.chance.choice([*texts, *map(str, values.numbers)] or ["1"])
    return f"[{value}]" if isinstance(expression, ast.List) else f"{{{key}: {value}}}"


def _literals(expression: ast.expr, scope: Scope) -> Iterator[ast.Constant]:
    """Those after whose change the whole is another value, if the test fails after it."""
    if isinstance(expression, ast.Constant):
        yield expression
    for part in _parts(expression, scope):
        yield from _literals(part, scope)


def _parts(expression: ast.expr, scope: Scope) -> list[ast.expr]:
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.operand, ast.Constant):
        return [expression.operand] if isinstance(expression.op, ast.USub | ast.UAdd) else []
    if isinstance(expression, ast.List | ast.Tuple):
        return expression.elts
    if isinstance(expression, ast.Set):
        # Beside what is not written down, another element may be there already.
        return expression.elts if all(isinstance(e, ast.Constant) for e in expression.elts) else []
    if isinstance(expression, ast.Dict):
        known = all(isinstance(key, ast.Constant) for key in expression.keys)
        return expression.values if known else []
    # What the file alone makes of literals is one value. Does the reference differ from what is
    # made of others, so does everybody who is equal to the first.
    if isinstance(expression, ast.Call) and scope.origins.is_plain(expression):
        return [*expression.args, *(keyword.value for keyword in expression.keywords)]
    return []


def other_literal(constant: ast.Constant, scope: Scope) -> str | None:
    value, segment = constant.value, scope.source.segment(constant)
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int) and segment.isdecimal():
        number = scope.values.integer(value)
        return None if number is None else str(number)
    decimal = DECIMAL.fullmatch(segment)
    if isinstance(value, float) and decimal:
        return _other_decimal(decimal[1], decimal[2], scope.values)
    if isinstance(value, str | bytes) and PLAIN_STRING.fullmatch(segment):
        text = value if isinstance(value, str) else value.decode("latin-1")
        prefix = segment[: segment.index(segment[-1])]
        return f"{prefix}{segment[-1]}{scope.values.text(text)}{segment[-1]}"
    return None


def _other_decimal(whole: str, fraction: str, values: OtherValues) -> str:
    """Far enough away for everything that is only nearly equal."""
    other = values.integer(int(whole)) if int(whole) else None
    if other is not None:
        return f"{other}.{fraction}"
    first = values.chance.choice([digit for digit in "123456789" if digit != fraction[0]])
    return f"{whole}.{first}{fraction[1:]}"
