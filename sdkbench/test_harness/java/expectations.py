"""Where a JUnit test expects something, and what else it could expect.

Every edit is complementary: where the original holds, the edited one does not.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import tree_sitter_java
from tree_sitter import Language, Node

from sdkbench.test_harness.java.tables import Names
from sdkbench.test_harness.mutations import (
    Edit,
    Literals,
    Mutation,
    SourceTree,
    code_of,
    field,
    least_conspicuous,
    named,
    other_part,
    walk,
)
from sdkbench.test_harness.other_values import OtherValues

JAVA = Language(tree_sitter_java.language())
JUPITER, JUNIT4 = "org.junit.jupiter.api.Assertions", "org.junit.Assert"
ASSERTION_CLASSES = {"Assertions": JUPITER, "Assert": JUNIT4}
OLD_ASSERTIONS = re.compile(r"^import\s+static\s+org\.junit\.Assert\.", re.MULTILINE)
TESTS = frozenset({"Test", "ParameterizedTest", "RepeatedTest"})
TYPES = frozenset({"class_declaration", "record_declaration"})
TRIES = frozenset({"try_statement", "try_with_resources_statement"})
SKIPS = re.compile(r"^(assume|abort)")
LATER = frozenset({"lambda_expression", "class_body"})  # bodies that run at another time
_PAIRS = {
    "assertEquals": "assertNotEquals",
    "assertTrue": "assertFalse",
    "assertNull": "assertNotNull",
    "assertSame": "assertNotSame",
}
OPPOSITES = _PAIRS | {after: before for before, after in _PAIRS.items()}
CONDITIONS = frozenset({"assertTrue", "assertFalse"})
TRUTHS = frozenset({
    "method_invocation", "binary_expression", "unary_expression", "instanceof_expression",
    "parenthesized_expression", "field_access", "true", "false",
})  # fmt: skip
_FLUENT_PAIRS = {
    "isEqualTo": "isNotEqualTo",
    "isTrue": "isFalse",
    "isNull": "isNotNull",
    "isSameAs": "isNotSameAs",
    "isEmpty": "isNotEmpty",
    "isInstanceOf": "isNotInstanceOf",
    "contains": "doesNotContain",
    "startsWith": "doesNotStartWith",
    "containsKey": "doesNotContainKey",
}
FLUENT_OPPOSITES = _FLUENT_PAIRS | {after: before for before, after in _FLUENT_PAIRS.items()}
# What anything thrown is held by; and what has a constructor without arguments, and is not final.
WIDE_TYPES = frozenset({"RuntimeException", "Exception", "Throwable"})
EXTENSIBLE_TYPES = WIDE_TYPES | {
    "IllegalArgumentException", "IllegalStateException", "NullPointerException",
    "IndexOutOfBoundsException", "UnsupportedOperationException", "NoSuchElementException",
    "NumberFormatException", "ArithmeticException",
}  # fmt: skip
SEARCHES = frozenset({"contains", "startsWith", "endsWith"})
FLUENT_VALUES = frozenset({"isEqualTo", "hasSize", "hasMessage"})
FLUENT_SEARCHES = SEARCHES | {"containsKey", "hasMessageContaining", "hasMessageStartingWith"}
# With another element they are equal to something else. A class of the solution's need not be.
HOLDERS = frozenset({"List.of", "Set.of", "Map.of", "Arrays.asList", "Optional.of"})
# What begins with 0 counts otherwise.
LITERALS = Literals(
    re.compile(r"(0|[1-9][0-9_]*)([lL]?)"),
    lambda node: (
        len(named(field(node, "arguments")))
        if f"{code_of(field(node, 'object'))}.{code_of(field(node, 'name'))}" in HOLDERS
        else 0
    ),
)
NUMBERS = frozenset({"BigDecimal", "BigInteger"})


class _Scope(NamedTuple):
    """The test that an expectation is in. `home` is the class that bare assertions are of."""

    names: Names
    values: OtherValues
    home: str
    tree: SourceTree
    owner: Node  # the outermost class, which classes of the test's own can be put into


class _Call(NamedTuple):
    """A call that may be an assertion."""

    node: Node
    name: str
    word: Node  # its name in the source
    arguments: list[Node]
    home: str
    scope: _Scope


def mutations_of(text: str, path: str) -> list[Mutation]:
    """Every mutation of the tests in `text`, which stands at `path` below the workspace.

    None for text that does not parse: the reference run tells what is wrong with it.
    """
    tree = SourceTree(text.encode(), JAVA)
    if tree.root.has_error:
        return []
    home = JUNIT4 if OLD_ASSERTIONS.search(text) else JUPITER
    package = next((n for n in tree.root.children if n.type == "package_declaration"), None)
    prefix = f"{code_of(named(package)[-1])}." if package is not None else ""
    file = LITERALS.values(tree.root)
    mutations = []
    for owner, method in _tests(tree.root, prefix):
        names = Names(tree.root, method)
        values = LITERALS.values(method, file)
        scope = _Scope(names, values, home, tree, _outermost(method))
        # Parameters and the numbers of runs follow the name: adds(int)[2].
        tests = re.escape(f"{owner}::{code_of(field(method, 'name'))}") + r"(\(.*\))?"
        cases = _case_edits(method, scope)
        for number, edits in enumerate(cases, start=1):
            mutations += tree.mutations(path, rf"{tests}\[{number}\]", edits)
        if not cases:
            wider = scope._replace(values=scope.values.with_sizes)
            edits = least_conspicuous(_method_edits(scope), partial(_method_edits, wider))
            mutations += tree.mutations(path, rf"{tests}(\[.*\])*", edits)
    return mutations


def _outermost(method: Node) -> Node:
    owner = method
    for node in _parents(method):
        owner = node if node.type in TYPES else owner
    return owner


def _parents(node: Node) -> Iterator[Node]:
    while node.parent is not None:
        node = node.parent
        yield node


def _case_edits(method: Node, scope: _Scope) -> list[list[Edit]]:
    """Edits by row of the table that a method is run with; none unless every row has some."""
    columns = {
        place
        for call in _calls(method, scope)
        for argument in _expected(call)
        if (place := scope.names.parameter(argument)) is not None
    }

    def others(node: Node) -> Iterator[Edit]:
        return LITERALS.others(node, _parts, scope.values)

    # Two of each: a row has seldom more than one value to alter.
    cases = [
        [
            edit
            for place in 2 * sorted(columns)
            if place < len(row)
            for edit in row[place].edits(scope.values, others)
        ]
        for row in scope.names.cases()
    ]
    cases = [list(dict.fromkeys(edits)) for edits in cases]
    return cases if cases and all(cases) else []


def _tests(node: Node, prefix: str) -> Iterator[tuple[str, Node]]:
    """Test methods with the binary names of their classes: shop.CartTest$WhenEmpty."""
    for declared in named(node):
        body = field(declared, "body")
        if declared.type not in TYPES or body is None:
            continue
        name = prefix + code_of(field(declared, "name"))
        methods = [m for m in named(body) if m.type == "method_declaration"]
        names = Counter(code_of(field(m, "name")) for m in methods)
        for method in methods:
            # Of several methods with one name, ids don't tell which is meant.
            if names[code_of(field(method, "name"))] == 1 and _is_test(method):
                yield name, method
        yield from _tests(body, f"{name}$")


def _is_test(method: Node) -> bool:
    """By its annotation; not where that expects an exception, which cuts the body short."""
    modifiers = next((n for n in method.children if n.type == "modifiers"), None)
    for note in named(modifiers):
        name = code_of(field(note, "name")).rpartition(".")[2]
        if note.type.endswith("annotation") and name in TESTS:
            return "expected" not in code_of(field(note, "arguments"))
    return False


def _on_every_path(block: Node | None, names: Names) -> Iterator[Node]:
    """The statements that a passing test has certainly run, those of inner blocks included."""
    for statement in named(block):
        yield statement
        if statement.type == "block":
            yield from _on_every_path(statement, names)
        elif statement.type in TRIES:
            if not any(child.type == "catch_clause" for child in statement.children):
                yield from _on_every_path(field(statement, "body"), names)
        elif statement.type == "synchronized_statement" or (
            statement.type == "enhanced_for_statement" and names.rows(statement)
        ):
            yield from _on_every_path(field(statement, "body"), names)
        if any(_may_leave(node) for node in walk(statement, LATER)):
            return


def _may_leave(node: Node) -> bool:
    """Whether the test may end here without failing: a return, or a call that skips."""
    if node.type == "method_invocation":
        return bool(SKIPS.match(code_of(field(node, "name"))))
    return node.type == "return_statement"


def _method_edits(scope: _Scope) -> list[Edit]:
    return [edit for call in _calls(scope.names.method, scope) for edit in _edits(call)]


def _calls(method: Node, scope: _Scope) -> Iterator[_Call]:
    """The calls of a test that may be assertions."""
    for statement in _on_every_path(field(method, "body"), scope.names):
        expressions = named(statement) if statement.type == "expression_statement" else []
        if statement.type == "local_variable_declaration":
            expressions = [value for d in named(statement) if (value := field(d, "value"))]
        for expression in expressions:
            yield from _call(expression, scope)
            if code_of(field(expression, "name")) == "assertAll":
                # It runs all that it is given.
                for argument in named(field(expression, "arguments")):
                    body = field(argument, "body")
                    if argument.type == "lambda_expression" and body is not None:
                        yield from _call(body, scope)


def _call(expression: Node, scope: _Scope) -> Iterator[_Call]:
    word = field(expression, "name")
    if expression.type != "method_invocation" or word is None:
        return
    owner = code_of(field(expression, "object"))
    home = ASSERTION_CLASSES.get(owner.rpartition(".")[2], scope.home)
    arguments = named(field(expression, "arguments"))
    yield _Call(expression, code_of(word), word, arguments, home, scope)


def _is_plain(call: _Call) -> bool:
    owner = code_of(field(call.node, "object"))
    return not owner or owner.rpartition(".")[2] in ASSERTION_CLASSES


def _expected(call: _Call) -> list[Node]:
    """The arguments that something must be equal to."""
    if _is_plain(call):
        equal = call.name == "assertEquals" and len(call.arguments) > 1 and _two_values(call)
        return call.arguments[:1] if equal else []
    fluent = call.name in FLUENT_VALUES and len(call.arguments) == 1
    return call.arguments if fluent and _starts_fluently(call.node) else []


def _edits(call: _Call) -> Iterator[Edit]:
    """Other values that one call could expect, then its opposite."""
    for expected in _expected(call):
        yield from _other_values(expected, call.scope)
    if _is_plain(call):
        yield from _plain(call) if call.arguments else ()
    elif _starts_fluently(call.node):
        if call.name in FLUENT_SEARCHES and call.arguments:
            yield from _sought(call.arguments[-1], call.scope)
        if call.name in FLUENT_OPPOSITES:
            yield Edit.of(call.word, FLUENT_OPPOSITES[call.name])


def _plain(call: _Call) -> Iterator[Edit]:
    node, name, home = call.node, call.name, call.home
    if name == "assertTrue" and home == JUPITER:
        yield from _searched(call.arguments[0], call.scope)
    if name in CONDITIONS and (condition := _condition(call)) is not None:
        # By its words, which the solution may see, this is no other assertion than before.
        yield Edit.of(condition, f"!({code_of(condition)})")
    elif name in OPPOSITES and call.scope.tree.one_line(node.start_byte, call.word.end_byte):
        yield Edit(node.start_byte, call.word.end_byte, f"{home}.{OPPOSITES[name]}")
    if name == "assertThrows" and len(call.arguments) > 1:
        yield from _throws(call)


def _condition(call: _Call) -> Node | None:
    """What must be true or false, if it is a value: it may also be a function that gives one."""
    given = call.arguments[0] if call.home == JUPITER else call.arguments[-1]
    one_line = call.scope.tree.one_line(given.start_byte, given.end_byte)
    return given if one_line and given.type in TRUTHS else None


def _sought(node: Node, scope: _Scope) -> Iterator[Edit]:
    for written in scope.names.written(node):
        yield from other_part(written, scope.values)


def _two_values(call: _Call) -> bool:
    """Whether the first is what the second should be, exactly: there is no delta, and what is
    said on a failure comes last, as in Jupiter.
    """
    [_, *rest] = call.arguments
    message = rest[1:] and rest[1].type in {"string_literal", "lambda_expression"}
    return len(rest) == 1 or (bool(message) and call.home == JUPITER)


def _searched(condition: Node, scope: _Scope) -> Iterator[Edit]:
    """`text.contains("word")`: another word, long enough that nobody has both."""
    arguments = named(field(condition, "arguments"))
    searches = code_of(field(condition, "name")) in SEARCHES
    if condition.type == "method_invocation" and searches and len(arguments) == 1:
        yield from _sought(arguments[0], scope)


def _throws(call: _Call) -> Iterator[Edit]:
    """A class of the test's own, which nobody else can throw; or none at all, where nothing is
    done with it.
    """
    kind, action = call.arguments[:2]
    wanted = code_of(kind).removesuffix(".class")
    base = _base_of_other(call, wanted)
    if kind.type == "class_literal" and base is not None:
        name = call.scope.values.class_name(wanted)
        body = field(call.scope.owner, "body")
        at = body.end_byte - 1 if body is not None else 0
        declared = f" static class {name} extends {base} {{ }} "
        yield Edit(kind.start_byte, kind.end_byte, f"{name}.class", "value", (at, declared))
    start, end = call.node.start_byte, action.start_byte
    one_line = call.scope.tree.one_line(start, end)
    if one_line and call.home == JUPITER and _is_statement(call.node):
        yield Edit(start, end, f"{JUPITER}.assertDoesNotThrow(")


def _base_of_other(call: _Call, wanted: str) -> str | None:
    """What the other class must be, so that the test still compiles; None if it can't be that."""
    if _is_statement(call.node):
        return "RuntimeException"
    declarator = call.node.parent
    declaration = declarator.parent if declarator is not None else None
    kind = code_of(field(declaration, "type"))
    if kind in WIDE_TYPES:
        return "RuntimeException"
    return wanted if kind in {wanted, "var"} and wanted in EXTENSIBLE_TYPES else None


def _is_statement(call: Node) -> bool:
    """Whether nobody uses what the call gives back."""
    parent = call.parent
    return parent is not None and parent.type in {"expression_statement", "lambda_expression"}


def _starts_fluently(call: Node) -> bool:
    node: Node | None = call
    while node is not None and node.type == "method_invocation":
        if code_of(field(node, "name")) == "assertThat":
            return True
        node = field(node, "object")
    return False


def _other_values(node: Node, scope: _Scope) -> Iterator[Edit]:
    """Other literals where the value is written down; for a constant that others use too, here."""
    edits = [
        edit
        for written in scope.names.written(node)
        for edit in LITERALS.others(written, _parts, scope.values)
    ]
    constant = None if edits else scope.names.shared_constant(node)
    other = LITERALS.other(constant, scope.values) if constant is not None else None
    yield from edits if other is None else [Edit.of(node, other, "value")]


def _parts(node: Node) -> list[Node]:
    """What a value is made of: another part makes it another value."""
    arguments = named(field(node, "arguments"))
    if node.type == "method_invocation":
        holder = f"{code_of(field(node, 'object'))}.{code_of(field(node, 'name'))}"
        # Another key could be one that is there already; the last of a map is a value.
        return (arguments[-1:] if holder == "Map.of" else arguments) if holder in HOLDERS else []
    if node.type == "object_creation_expression":
        return arguments if code_of(field(node, "type")) in NUMBERS else []
    if node.type == "unary_expression":
        return named(node) if code_of(field(node, "operator")) == "-" else []
    return []
