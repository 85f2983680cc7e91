"""Where a Go test expects something, and what else it could expect.

Every edit is complementary: where the original holds, the edited one does not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.go.project import GoTest, imports, parse, statements, test_functions
from sdkbench.test_harness.mutations import (
    STRINGS,
    Edit,
    Literals,
    Mutation,
    code_of,
    field,
    misspelt_literal,
    named,
    walk,
)

SKIPS = frozenset({"Skip", "Skipf", "SkipNow", "Goexit", "Exit"})
LEAVES = frozenset({"return_statement", "goto_statement", "labeled_statement"})
CUTS = frozenset({"break_statement", "continue_statement"})
LATER = frozenset({"func_literal"})  # runs at another time than the statement that holds it
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
LITERALS = Literals(re.compile(r"(0|[1-9][0-9_]*)()"))  # what begins with 0 counts otherwise
USES = 2  # of a name: where it is declared, and where it is compared


class _Scope(NamedTuple):
    """The test that an expectation is in, and what the names before the dots stand for there."""

    test: GoTest
    packages: Mapping[str, str]

    def called(self, call: Node | None) -> str:
        """The function that is called, by the path of its package: `reflect.DeepEqual`."""
        function = field(call, "function")
        if call is None or call.type != "call_expression" or function is None:
            return ""
        package = self.packages.get(code_of(field(function, "operand")), "")
        return f"{package}.{code_of(field(function, 'field'))}"

    def fails(self, statement: Node) -> bool:
        """Whether it is an `if` that fails the test as soon as its block is entered."""
        body = field(statement, "consequence")
        if statement.type != "if_statement" or body is None:
            return False
        first = next(iter(statements(body)), None)
        call = first.named_children[0] if first and first.named_children else first
        function = field(call, "function")
        if function is None or function.type != "selector_expression":
            return False
        owner, method = code_of(field(function, "operand")), code_of(field(function, "field"))
        return owner == self.test.parameter and method in FAILS


def mutations_of(text: str, path: str) -> list[Mutation]:
    """Every mutation of the tests in `text`, which stands at `path` below the workspace."""
    tree = parse(text.encode())
    if tree.root.has_error:
        return []
    packages = {
        name or package.rpartition("/")[2]: package for package, name in imports(tree).items()
    }
    mutations = []
    for test in test_functions(tree):
        scope = _Scope(test, packages)
        certain = _on_every_path(field(test.node, "body"))
        edits = (edit for statement in certain for edit in _edits(statement, scope))
        mutations += tree.mutations(path, f"{re.escape(path)}::{test.name}", edits)
    return mutations


def _on_every_path(body: Node | None) -> Iterator[Node]:
    """The statements that a passing test has certainly run, those of inner blocks included."""
    for statement in statements(body):
        yield statement
        if statement.type == "block":
            yield from _on_every_path(statement)
        elif statement.type == "for_statement" and _runs_whole(statement):
            yield from _on_every_path(field(statement, "body"))
        if _may_leave(statement):
            return


def _runs_whole(loop: Node) -> bool:
    """A loop over values that are written down, which nothing cuts short."""
    clause = next((c for c in loop.named_children if c.type == "range_clause"), None)
    values = field(clause, "right")
    if values is None or values.type != "composite_literal":
        return False
    written = field(values, "body")
    return bool(written and written.named_children) and not any(
        node.type in CUTS for node in walk(loop, LATER)
    )


def _may_leave(statement: Node) -> bool:
    """Whether the test may end here without failing: a return, a jump, or a call that skips."""
    for node in walk(statement, LATER):
        if node.type in LEAVES:
            return True
        if node.type == "call_expression":
            called = code_of(field(node, "function"))
            if called.rpartition(".")[2] in SKIPS:
                return True
    return False


def _edits(statement: Node, scope: _Scope) -> Iterator[Edit]:
    """Other values first, then the opposite."""
    condition = field(statement, "condition")
    alone = field(statement, "alternative") is None
    if condition is not None and alone and scope.fails(statement):
        for part in _any_of(condition):
            yield from _other_value(part, scope)
        yield from _opposite(condition)
    elif statement.type == "expression_statement" and statement.named_children:
        yield from _assertion(statement.named_children[0], scope)


def _any_of(condition: Node) -> Iterator[Node]:
    """The parts of `a || b`, any one of which fails the test."""
    if condition.type == "parenthesized_expression":
        yield from _any_of(condition.named_children[0])
    elif _operator(condition) == "||":
        for part in condition.named_children:
            yield from _any_of(part)
    else:
        yield condition


def _other_value(part: Node, scope: _Scope) -> Iterator[Edit]:
    """Edits after which a part that was false is true."""
    if _operator(part) == "!=":
        yield from _first_value(reversed(part.named_children), scope)
    call = field(part, "operand") if _operator(part) == "!" else None
    called, arguments = scope.called(call), named(field(call, "arguments"))
    if called in EQUALITIES:
        yield from _first_value(reversed(arguments), scope)
    elif called in SEARCHES:
        yield from misspelt_literal(arguments[-1])
    elif called == "errors.Is":
        yield from _other_error(call, arguments[-1])


def _other_error(call: Node | None, wanted: Node) -> Iterator[Edit]:
    """A new error is no other one, whatever it says; the name of the old one stays in use."""
    package = code_of(field(call, "function", "operand"))
    if wanted.type in {"identifier", "selector_expression"} and code_of(wanted) != "nil":
        yield Edit.of(wanted, f'{package}.New({code_of(wanted)}.Error() + "s")', "value")


def _opposite(condition: Node) -> Iterator[Edit]:
    operator, operand = field(condition, "operator"), field(condition, "operand")
    text = code_of(condition)
    if operator is not None and code_of(operator) in OPPOSITE:
        yield Edit.of(operator, OPPOSITE[code_of(operator)])
    elif condition.type == "unary_expression" and code_of(operator) == "!":
        if operand is not None and "\n" not in text:
            yield Edit.of(condition, code_of(operand))
    elif "\n" not in text:
        yield Edit.of(condition, f"!({text})")


def _assertion(call: Node, scope: _Scope) -> Iterator[Edit]:
    """`require.Equal(t, …)` and its like."""
    package, _, name = scope.called(call).rpartition(".")
    arguments = named(field(call, "arguments"))[1:]
    if package not in TESTIFY or not arguments:
        return
    if name == "Equal":
        yield from _first_value(arguments[:2], scope)
    elif name == "Contains":
        yield from misspelt_literal(arguments[1])
    word = field(call, "function", "field")
    if word is not None and name in OPPOSITES:
        yield Edit.of(word, OPPOSITES[name])


def _first_value(sides: Iterable[Node], scope: _Scope) -> Iterator[Edit]:
    """Another value for the first side that is written down: a literal, the last one of a
    composite literal, or that of a name which only this comparison and the words about a failure
    use.
    """
    for side in sides:
        value = _declared(side, scope) if side.type == "identifier" else side
        edit = LITERALS.other_value(value, _parts) if value is not None else None
        if edit is not None:
            yield edit
            return


def _parts(node: Node) -> list[Node]:
    """What a value is made of: another part makes it another value. Keys and types are left out."""
    if node.type == "composite_literal":
        body = field(node, "body")
        return [body] if body is not None else []
    if node.type in {"literal_value", "literal_element", "parenthesized_expression"}:
        return node.named_children
    if node.type == "keyed_element":
        return node.named_children[-1:]
    if node.type == "unary_expression" and _operator(node) in {"-", "&"}:
        return node.named_children
    if node.type == "type_conversion_expression":  # []byte("text")
        operand = field(node, "operand")
        return [operand] if operand is not None and operand.type in STRINGS else []
    return []


def _declared(name: Node, scope: _Scope) -> Node | None:
    """The value that `name` is declared with, or ranges over; None if it has any other use."""
    function = scope.test.node
    uses = [n for n in walk(function) if n.type == "identifier" and code_of(n) == code_of(name)]
    messages = [
        (body.start_byte, body.end_byte)
        for node in walk(function)
        if scope.fails(node) and (body := field(node, "consequence"))
    ]
    others = [n for n in uses if not any(a <= n.start_byte < b for a, b in messages)]
    if len(others) != USES or others[1].start_byte != name.start_byte:
        return None
    bound = others[0].parent
    declaration = bound.parent if bound else None
    if bound is None or declaration is None or bound.type != "expression_list":
        return None
    names, right = bound.named_children, field(declaration, "right")
    if declaration.type == "range_clause":
        return right if others[0] == names[-1] and len(names) > 1 else None
    if declaration.type != "short_var_declaration" or len(names) != 1:
        return None
    return right.named_children[0] if right else None


def _operator(node: Node) -> str:
    return code_of(field(node, "operator"))
