"""What a statement of a Python test expects, and edits after which it expects something else.

Every edit is complementary: where the original holds, the edited one does not.
"""

import ast
import builtins
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from sdkbench.test_harness.mutations import WORD_LETTERS, misspelt, turn

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
CATCHES = RAISES | {"suppress", "warns", "assertWarns", "assertWarnsRegex", "deprecated_call"}
# Types that code under test hardly raises along with another: (name, may stand for a type of ours
# that we do not know, may stand for Exception itself).
OTHER_TYPES = (
    ("TimeoutError", False, False),
    ("PermissionError", False, False),
    ("NotImplementedError", False, False),
    ("ZeroDivisionError", True, False),
    ("EOFError", True, False),
    ("BufferError", True, True),
)


OTHER_CLASSES = {
    "str": "bytes", "bytes": "str", "int": "str", "float": "str", "bool": "str",
    "list": "dict", "dict": "list", "tuple": "dict", "set": "list", "frozenset": "list",
}  # fmt: skip


class SourceText:
    """A parsed module's text; `ast` counts lines, and bytes within them."""

    def __init__(self, text: str, module: ast.Module) -> None:
        self.text = text
        self._lines = [match.group() for match in LINE.finditer(text)]
        self._starts = [match.start() for match in LINE.finditer(text)]
        self.strings = sorted(set(_plain_strings(module)))

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


def _plain_strings(module: ast.Module) -> Iterator[str]:
    """What the module's own strings look like: another of them is a likely thing to expect."""
    for node in ast.walk(module):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"[\w@.:/+-]{1,24}", node.value)
        ):
            yield node.value


class Edit(NamedTuple):
    start: int
    end: int
    replacement: str
    kind: Literal["value", "sense"] = "sense"


def called(call: ast.Call) -> str:
    """The last word of what is called."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def catches(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Call) and called(expression) in CATCHES


def edits(statement: ast.stmt, source: SourceText) -> Iterator[Edit]:
    """The edits of this one statement; what stands inside of its blocks is asked for apart."""
    if isinstance(statement, ast.Assert):
        yield from _truth(statement.test, source)
    elif isinstance(statement, ast.With | ast.AsyncWith):
        for item in statement.items:
            if isinstance(item.context_expr, ast.Call):
                yield from _raised_type(item.context_expr, source)
    elif isinstance(statement, ast.Expr):
        value = statement.value
        call = value.value if isinstance(value, ast.Await) else value
        if isinstance(call, ast.Call):
            yield from _assert_method(call, source)


def _truth(test: ast.expr, source: SourceText) -> Iterator[Edit]:
    """Edits that make a true expression false."""
    if isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And):
            for operand in test.values:
                yield from _truth(operand, source)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        until = source.start(test.operand) if _bare(test, source) else source.start(test)
        yield Edit(source.start(test), until, "" if _bare(test, source) else "not ")
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        yield from _comparison(test, source)
    elif isinstance(test, ast.Compare | ast.Call | ast.Name | ast.Attribute | ast.Subscript):
        if isinstance(test, ast.Call) and called(test) == "isinstance":
            yield from _other_class(test.args[1:], source)
        yield Edit(source.start(test), source.start(test), "not ")


def _bare(test: ast.UnaryOp, source: SourceText) -> bool:
    """Whether nothing but blanks stands between `not` and what it denies."""
    between = source.text[source.start(test) : source.start(test.operand)]
    return re.fullmatch(r"not[ \t]+", between) is not None


def _comparison(test: ast.Compare, source: SourceText) -> Iterator[Edit]:
    left, right = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.Eq):
        yield from other_values(right, source)
        yield from other_values(left, source)
    elif isinstance(test.ops[0], ast.In):
        yield from _other_member(left, source)
    elif isinstance(test.ops[0], ast.Is):
        yield from _other_singleton(right, source)
    pattern, opposite = OPPOSITES[type(test.ops[0])]
    begin, end = source.end(left), source.start(right)
    between = source.text[begin:end]
    found = re.fullmatch(rf"[\s)]*?({pattern})[\s(]*", between)
    if found:
        yield Edit(begin + found.start(1), begin + found.end(1), opposite)


def _assert_method(call: ast.Call, source: SourceText) -> Iterator[Edit]:
    name = called(call)
    if not isinstance(call.func, ast.Attribute) or not name.startswith("assert"):
        return
    if name in EQUALITIES:
        for argument in call.args[:2]:
            yield from other_values(argument, source)
    if name in CALLS_WITH:
        for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
            yield from other_values(argument, source)
    if name == "assertIn":
        yield from _other_member(call.args[0], source)
    if name == "assertIs":
        yield from _other_singleton(call.args[-1], source)
    if name == "assertIsInstance":
        yield from _other_class(call.args[1:], source)
    if name in METHODS:
        end = source.end(call.func)
        yield Edit(end - len(name), end, METHODS[name])
    yield from _raised_type(call, source)


def _raised_type(call: ast.Call, source: SourceText) -> Iterator[Edit]:
    if called(call) not in RAISES or not call.args:
        return
    expected = call.args[0]
    if isinstance(expected, ast.Name | ast.Attribute):
        text = source.segment(expected)
        for other in _unrelated(text):
            yield Edit(source.start(expected), source.end(expected), other, "value")


def _other_member(element: ast.expr, source: SourceText) -> Iterator[Edit]:
    """Another text that is looked for; long enough that nobody has both."""
    if isinstance(element, ast.Constant) and isinstance(element.value, str):
        segment = source.segment(element)
        changed = misspelt(element.value)
        if changed and segment[1:-1] == element.value:
            text = f"{segment[0]}{changed}{segment[-1]}"
            yield Edit(source.start(element), source.end(element), text, "value")


def _other_singleton(expected: ast.expr, source: SourceText) -> Iterator[Edit]:
    if isinstance(expected, ast.Constant) and (
        expected.value is None or isinstance(expected.value, bool)
    ):
        other = "False" if expected.value is not False else "True"
        yield Edit(source.start(expected), source.end(expected), other, "value")


def _other_class(classes: list[ast.expr], source: SourceText) -> Iterator[Edit]:
    for expected in classes:
        if isinstance(expected, ast.Name) and expected.id in OTHER_CLASSES:
            other = OTHER_CLASSES[expected.id]
            yield Edit(source.start(expected), source.end(expected), other, "value")


def _unrelated(name: str) -> list[str]:
    kind: object = getattr(builtins, name, None)
    if not isinstance(kind, type):
        others = [other for other, for_unknown, _ in OTHER_TYPES if for_unknown]
    elif kind in {Exception, BaseException}:
        others = [other for other, _, for_broad in OTHER_TYPES if for_broad]
    else:
        others = [other for other, _, _ in OTHER_TYPES if not _related(kind, other)]
    return _turned(others, name)


def _related(kind: type, name: str) -> bool:
    other: type = getattr(builtins, name)
    return issubclass(kind, other) or issubclass(other, kind)


def other_values(expression: ast.expr, source: SourceText) -> Iterator[Edit]:
    """Another literal in place of each one in `expression`, if that is nothing but literals.

    A call or a name among them may be equal to more than one value; those are left alone.
    """
    constants = _literals(expression)
    for constant in constants or ():
        other = _other_literal(constant, source)
        if other is not None:
            yield Edit(source.start(constant), source.end(constant), other, "value")


def is_literal(expression: ast.expr) -> bool:
    return bool(_literals(expression))


def _literals(expression: ast.expr) -> list[ast.Constant] | None:
    if isinstance(expression, ast.Constant):
        return [expression]
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.operand, ast.Constant):
        return [expression.operand] if isinstance(expression.op, ast.USub | ast.UAdd) else None
    if isinstance(expression, ast.List | ast.Tuple | ast.Set):
        parts = [_literals(element) for element in expression.elts]
    elif isinstance(expression, ast.Dict):
        keys = [_literals(key) if key else None for key in expression.keys]
        if None in keys:
            return None
        parts = [_literals(value) for value in expression.values]
    else:
        return None
    return None if None in parts else [constant for part in parts for constant in part or ()]


def _other_literal(constant: ast.Constant, source: SourceText) -> str | None:
    value, segment = constant.value, source.segment(constant)
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int) and segment.isdecimal():
        others = [value + 1, value + 2, value + 10, 2 * value + 3, *([value - 1] if value else [])]
        return str(others[turn(segment) % len(others)])
    if isinstance(value, float) and re.fullmatch(r"\d+\.\d+", segment):
        return repr(value + 1.0)
    if isinstance(value, str) and re.fullmatch(r"'[^'\\\n]*'|\"[^\"\\\n]*\"", segment):
        return f"{segment[0]}{_other_string(value, source)}{segment[0]}"
    return None


def _other_string(value: str, source: SourceText) -> str:
    """A letter changed, so that it looks alike; else one of the module's own strings."""
    changed = misspelt(value, WORD_LETTERS)
    if changed:
        return changed
    quoted = {"'", '"', "\\"}
    others = [
        other
        for other in source.strings
        if other.strip().casefold() != value.strip().casefold() and not quoted & set(other)
    ]
    return _turned(others, value)[0] if others else f"{value}s"


def _turned(items: list[str], seed: str) -> list[str]:
    """The items, begun at some place of theirs."""
    if not items:
        return []
    cut = turn(seed) % len(items)
    return items[cut:] + items[:cut]
