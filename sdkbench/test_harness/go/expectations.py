"""Where a Go test expects something, and what else it could expect.

Every edit is complementary: where the original holds, the edited one does not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.go.project import GoTest, imports, parse, statements, test_functions
from sdkbench.test_harness.go.tables import Names
from sdkbench.test_harness.mutations import (
    INTEGERS,
    STRINGS,
    Edit,
    Literals,
    Mutation,
    code_of,
    field,
    least_conspicuous,
    named,
    other_part,
    walk,
)
from sdkbench.test_harness.other_values import OtherValues

SKIPS = frozenset({"Skip", "Skipf", "SkipNow", "Goexit", "Exit"})
LEAVES = frozenset({"return_statement", "goto_statement", "labeled_statement"})
CUTS = frozenset({"break_statement", "continue_statement"})
LATER = frozenset({"func_literal"})  # runs at another time than the statement that holds it
RUNS = frozenset({"Run"})
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
CONDITIONS = frozenset({"True", "False"})
PLAIN_TYPES = frozenset({"string", "int", "int64", "float64", "byte", "bool"})
# What begins with 0 counts otherwise.
LITERALS = Literals(
    re.compile(r"(0|[1-9][0-9_]*)()"),
    lambda node: (
        len(named(field(node, "body")))
        if code_of(field(node, "type", "element")) in PLAIN_TYPES
        else 0
    ),
)
USED_ELSEWHERE = 2  # uses of a name at least: the compiler refuses an import that nobody uses


class _Scope(NamedTuple):
    """The test that an expectation is in, and what the names before the dots stand for there."""

    test: GoTest
    root: Node
    packages: Mapping[str, str]
    values: OtherValues

    @property
    def names(self) -> Names:
        messages = [
            (body.start_byte, body.end_byte)
            for node in walk(self.test.node)
            if self.fails(node) and (body := field(node, "consequence"))
        ]
        return Names(
            self.root,
            self.test.node,
            lambda node: any(a <= node.start_byte < b for a, b in messages),
        )

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
        return self._is_method(call, FAILS)

    def subtest(self, statement: Node) -> Node | None:
        """The body that `t.Run(name, func(t *testing.T) { … })` runs."""
        call = statement.named_children[0] if statement.type == "expression_statement" else None
        arguments = named(field(call, "arguments"))
        if not self._is_method(call, RUNS) or len(arguments) != 2:  # noqa: PLR2004 - name and body
            return None
        parameters = named(field(arguments[1], "parameters"))
        given = [code_of(field(p, "name")) for p in parameters]
        return field(arguments[1], "body") if given == [self.test.parameter] else None

    def _is_method(self, call: Node | None, methods: frozenset[str]) -> bool:
        function = field(call, "function")
        if function is None or function.type != "selector_expression":
            return False
        owner, method = code_of(field(function, "operand")), code_of(field(function, "field"))
        return owner == self.test.parameter and method in methods


def mutations_of(text: str, path: str) -> list[Mutation]:
    """Every mutation of the tests in `text`, which stands at `path` below the workspace."""
    tree = parse(text.encode())
    if tree.root.has_error:
        return []
    packages = {
        name or package.rpartition("/")[2]: package for package, name in imports(tree).items()
    }
    file = LITERALS.values(tree.root)
    mutations = []
    for test in test_functions(tree):
        scope = _Scope(test, tree.root, packages, LITERALS.values(test.node, file))
        wider = scope._replace(values=scope.values.with_sizes)
        edits = least_conspicuous(_test_edits(scope), partial(_test_edits, wider))
        mutations += tree.mutations(path, f"{re.escape(path)}::{test.name}", edits)
    return mutations


def _test_edits(scope: _Scope) -> list[Edit]:
    certain = _on_every_path(field(scope.test.node, "body"), scope)
    return [edit for statement in certain for edit in _edits(statement, scope)]


def _on_every_path(body: Node | None, scope: _Scope) -> Iterator[Node]:
    """The statements that a passing test has certainly run, those of inner blocks included."""
    for statement in statements(body):
        yield statement
        if statement.type == "block":
            yield from _on_every_path(statement, scope)
        elif statement.type == "for_statement" and _runs_whole(statement, scope):
            yield from _on_every_path(field(statement, "body"), scope)
        elif inner := scope.subtest(statement):
            yield from _on_every_path(inner, scope)
        if _may_leave(statement, scope):
            return


def _runs_whole(loop: Node, scope: _Scope) -> bool:
    """A loop over values that are written down, which nothing but those cuts short."""
    clause = next((c for c in loop.named_children if c.type == "range_clause"), None)
    table = scope.names.table(field(clause, "right"))
    written = named(field(table, "body"))
    return bool(written) and not any(
        node.type in CUTS and not _hangs_on_data(node, loop, scope) for node in walk(loop, LATER)
    )


def _may_leave(statement: Node, scope: _Scope) -> bool:
    """Whether the test may end here without failing: a return, a jump, or a call that skips."""
    for node in walk(statement, LATER):
        if node.type in LEAVES and not _hangs_on_data(node, statement, scope):
            return True
        if node.type == "call_expression":
            called = code_of(field(node, "function"))
            if called.rpartition(".")[2] in SKIPS:
                return True
    return False


def _hangs_on_data(node: Node, within: Node, scope: _Scope) -> bool:
    """Whether a table's row alone decides on it: what the reference shows is true of all then."""
    around: Node | None = node
    while around is not None and around != within.parent:
        condition = field(around, "condition")
        if around.type == "if_statement" and condition is not None:
            return scope.names.is_data(condition)
        around = around.parent
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
        for sought in scope.names.written(arguments[-1]):
            yield from other_part(sought, scope.values)
    elif called == "errors.Is":
        for wanted in scope.names.written(arguments[-1]) or [arguments[-1]]:
            if wanted != arguments[-1] or not scope.names.is_local(wanted):
                yield from _other_error(call, wanted, scope)


def _other_error(call: Node | None, wanted: Node, scope: _Scope) -> Iterator[Edit]:
    """A new error is no other one, whatever it says; the names of the old one stay in use."""
    package = code_of(field(call, "function", "operand"))
    owner = field(wanted, "operand") if wanted.type == "selector_expression" else wanted
    if wanted.type not in {"identifier", "selector_expression", "nil"} or owner is None:
        return
    uses = [n for n in walk(scope.root) if n.type == "identifier" and code_of(n) == code_of(owner)]
    if wanted.type == "nil" or len(uses) >= USED_ELSEWHERE:
        said = [text for text in scope.values.texts if " " in text] or scope.values.texts
        text = scope.values.text(scope.values.chance.choice(said or ["not available"]))
        yield Edit.of(wanted, f'{package}.New("{text}")', "value")


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
        for sought in scope.names.written(arguments[1]):
            yield from other_part(sought, scope.values)
    word = field(call, "function", "field")
    condition = code_of(arguments[0])
    if name in CONDITIONS and "\n" not in condition:  # a failure says the same as before
        yield Edit.of(arguments[0], f"!({condition})")
    elif word is not None and name in OPPOSITES:
        yield Edit.of(word, OPPOSITES[name])


def _first_value(sides: Iterable[Node], scope: _Scope) -> Iterator[Edit]:
    """Other values for the first side that is written down: each literal there, or in the rows of
    the table that it comes from.
    """
    for side in sides:
        edits = [
            edit
            for node in scope.names.written(side)
            for edit in LITERALS.others(node, _parts, scope.values)
        ]
        constant = None if edits else scope.names.shared_constant(side)
        other = LITERALS.other(constant, scope.values) if constant is not None else None
        if other is not None:
            edits = [Edit.of(side, other, "value")]
        if edits:
            yield from edits
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
    if node.type == "binary_expression" and _operator(node) == "*":  # 3 * time.Second
        left, right = node.named_children
        times = code_of(right).startswith("time.") and code_of(left) != "0"
        return [left] if times and left.type in INTEGERS else []
    if node.type == "type_conversion_expression":  # []byte("text")
        operand = field(node, "operand")
        return [operand] if operand is not None and operand.type in STRINGS else []
    return []


def _operator(node: Node) -> str:
    return code_of(field(node, "operator"))
