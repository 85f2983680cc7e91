"""What a statement of a Go test expects, and edits after which it expects something else.

Every edit is complementary: where the original holds, the edited one does not.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.go.source import GoTest, operator_of, statements, text
from sdkbench.test_harness.go.values import compared, misspelt_literal

FAILS = frozenset({"Fatal", "Fatalf", "Error", "Errorf", "Fail", "FailNow"})
# Exact opposites for every value; `<` has none, because of numbers that are no number.
OPPOSITE = {"==": "!=", "!=": "=="}
EQUALITIES = frozenset({"reflect.DeepEqual", "slices.Equal", "maps.Equal", "bytes.Equal"})
SEARCHES = frozenset({"strings.Contains", "strings.HasPrefix", "strings.HasSuffix"})
TESTIFY = ("github.com/stretchr/testify/assert", "github.com/stretchr/testify/require")
# testify's words for a thing and for its opposite.
OPPOSITE_CALL = {
    "Equal": "NotEqual", "True": "False", "Nil": "NotNil", "NoError": "Error", "Empty": "NotEmpty",
    "Contains": "NotContains", "ErrorIs": "NotErrorIs", "Zero": "NotZero", "Same": "NotSame",
}  # fmt: skip
OPPOSITES = OPPOSITE_CALL | {other: one for one, other in OPPOSITE_CALL.items()}


class Edit(NamedTuple):
    node: Node
    replacement: str
    kind: Literal["value", "sense"] = "sense"


class Imports:
    """What the names before the dots stand for in one file."""

    def __init__(self, imports: dict[str, str]) -> None:
        self._paths = {name or path.rpartition("/")[2]: path for path, name in imports.items()}

    def called(self, call: Node | None) -> str:
        """The function that is called, by the path of its package: `reflect.DeepEqual`."""
        function = call.child_by_field_name("function") if call else None
        if call is None or call.type != "call_expression" or function is None:
            return ""
        owner = text(function.child_by_field_name("operand"))
        return f"{self._paths.get(owner, '')}.{text(function.child_by_field_name('field'))}"


def fails(statement: Node, test: GoTest) -> bool:
    """Whether it is an `if` that fails the test as soon as its block is entered."""
    body = statement.child_by_field_name("consequence")
    if statement.type != "if_statement" or body is None:
        return False
    first = next(iter(statements(body)), None)
    call = first.named_children[0] if first and first.named_children else first
    called = call.child_by_field_name("function") if call else None
    if called is None or called.type != "selector_expression":
        return False
    owner, method = called.child_by_field_name("operand"), called.child_by_field_name("field")
    return text(owner) == test.parameter and text(method) in FAILS


def edits(statement: Node, test: GoTest, imports: Imports) -> Iterator[Edit]:
    """Other values first, then the opposite."""
    condition = statement.child_by_field_name("condition")
    alone = statement.child_by_field_name("alternative") is None
    if condition is not None and alone and fails(statement, test):
        for part in _any_of(condition):
            yield from _other_value(part, test, imports)
        yield from _opposite(condition)
    elif statement.type == "expression_statement" and statement.named_children:
        yield from _assertion(statement.named_children[0], test, imports)


def _any_of(condition: Node) -> Iterator[Node]:
    """The parts of `a || b`, any one of which fails the test."""
    if condition.type == "parenthesized_expression":
        yield from _any_of(condition.named_children[0])
    elif operator_of(condition) == "||":
        for part in condition.named_children:
            yield from _any_of(part)
    else:
        yield condition


def _other_value(part: Node, test: GoTest, imports: Imports) -> Iterator[Edit]:
    """Edits after which a part that was false is true."""
    if operator_of(part) == "!=":
        yield from _first_of(reversed(part.named_children), test)
    call = part.child_by_field_name("operand") if operator_of(part) == "!" else None
    called, arguments = imports.called(call), _arguments(call)
    if called in EQUALITIES:
        yield from _first_of(reversed(arguments), test)
    elif called in SEARCHES:
        yield from (Edit(*found, "value") for found in misspelt_literal(arguments[-1]))
    elif called == "errors.Is" and call is not None:
        yield from _other_error(call, arguments[-1])


def _first_of(sides: Iterator[Node], test: GoTest) -> Iterator[Edit]:
    for side in sides:
        found = compared(side, test, lambda node: fails(node, test))
        if found is not None:
            yield Edit(*found, "value")
            return


def _other_error(call: Node, wanted: Node) -> Iterator[Edit]:
    """A new error is no other one, whatever it says; the name of the old one stays in use."""
    function = call.child_by_field_name("function")
    package = text(function.child_by_field_name("operand")) if function else ""
    if wanted.type in {"identifier", "selector_expression"} and text(wanted) != "nil":
        yield Edit(wanted, f'{package}.New({text(wanted)}.Error() + "s")', "value")


def _opposite(condition: Node) -> Iterator[Edit]:
    operator = condition.child_by_field_name("operator")
    if operator is not None and text(operator) in OPPOSITE:
        yield Edit(operator, OPPOSITE[text(operator)])
    elif condition.type == "unary_expression" and text(operator) == "!":
        operand = condition.child_by_field_name("operand")
        if operand is not None and "\n" not in text(condition):
            yield Edit(condition, text(operand))
    elif "\n" not in text(condition):
        yield Edit(condition, f"!({text(condition)})")


def _assertion(call: Node, test: GoTest, imports: Imports) -> Iterator[Edit]:
    """`require.Equal(t, …)` and its like."""
    package, _, name = imports.called(call).rpartition(".")
    arguments = _arguments(call)[1:]
    if package not in TESTIFY or not arguments:
        return
    if name == "Equal":
        yield from _first_of(iter(arguments[:2]), test)
    elif name == "Contains":
        yield from (Edit(*found, "value") for found in misspelt_literal(arguments[1]))
    function = call.child_by_field_name("function")
    field = function.child_by_field_name("field") if function else None
    if field is not None and name in OPPOSITES:
        yield Edit(field, OPPOSITES[name])


def _arguments(call: Node | None) -> list[Node]:
    listed = call.child_by_field_name("arguments") if call else None
    return [a for a in listed.named_children if a.type != "comment"] if listed else []
