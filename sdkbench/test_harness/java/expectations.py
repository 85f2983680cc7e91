"""Where a JUnit test expects something, and what else it could expect.

Every edit is complementary: where the original holds, the edited one does not.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter_java
from tree_sitter import Language, Node

from sdkbench.test_harness.mutations import (
    Edit,
    Literals,
    Mutation,
    SourceTree,
    code_of,
    field,
    misspelt_literal,
    named,
    one_of,
    walk,
)

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
# Types that code under test hardly throws, unrelated to each other; and those that would catch
# them all the same.
OTHER_TYPES = (
    "java.nio.BufferUnderflowException",
    "java.util.EmptyStackException",
    "java.lang.ArrayStoreException",
    "java.util.MissingResourceException",
)
WIDE_TYPES = frozenset({"RuntimeException", "Exception", "Throwable"})
SEARCHES = frozenset({"contains", "startsWith", "endsWith"})
FLUENT_VALUES = frozenset({"isEqualTo", "hasSize", "hasMessage"})
FLUENT_SEARCHES = SEARCHES | {"containsKey", "hasMessageContaining", "hasMessageStartingWith"}
LITERALS = Literals(re.compile(r"(0|[1-9][0-9_]*)([lL]?)"))  # what begins with 0 counts otherwise
# With another element they are equal to something else. A class of the solution's need not be.
HOLDERS = frozenset({"List.of", "Set.of", "Map.of", "Arrays.asList", "Optional.of"})
NUMBERS = frozenset({"BigDecimal", "BigInteger"})


class _Call(NamedTuple):
    """A call that may be an assertion. `home` is the class that bare assertions are of."""

    node: Node
    name: str
    word: Node  # its name in the source
    arguments: list[Node]
    home: str
    tree: SourceTree


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
    mutations = []
    for owner, method in _tests(tree.root, prefix):
        # Parameters and the numbers of runs follow the name: adds(int)[2].
        tests = re.escape(f"{owner}::{code_of(field(method, 'name'))}") + r"(\(.*\))?(\[.*\])*"
        mutations += tree.mutations(path, tests, _method_edits(method, home, tree))
    return mutations


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


def _on_every_path(block: Node | None) -> Iterator[Node]:
    """The statements that a passing test has certainly run, those of inner blocks included."""
    for statement in named(block):
        yield statement
        if statement.type == "block":
            yield from _on_every_path(statement)
        elif statement.type in TRIES:
            if not any(child.type == "catch_clause" for child in statement.children):
                yield from _on_every_path(field(statement, "body"))
        elif statement.type == "synchronized_statement":
            yield from _on_every_path(field(statement, "body"))
        if any(_may_leave(node) for node in walk(statement, LATER)):
            return


def _may_leave(node: Node) -> bool:
    """Whether the test may end here without failing: a return, or a call that skips."""
    if node.type == "method_invocation":
        return bool(SKIPS.match(code_of(field(node, "name"))))
    return node.type == "return_statement"


def _method_edits(method: Node, home: str, tree: SourceTree) -> Iterator[Edit]:
    for statement in _on_every_path(field(method, "body")):
        for expression in named(statement) if statement.type == "expression_statement" else []:
            yield from _edits(expression, home, tree)
            if code_of(field(expression, "name")) == "assertAll":
                # It runs all that it is given.
                for argument in named(field(expression, "arguments")):
                    body = field(argument, "body")
                    if argument.type == "lambda_expression" and body is not None:
                        yield from _edits(body, home, tree)


def _edits(expression: Node, home: str, tree: SourceTree) -> Iterator[Edit]:
    """Other values that one call could expect, then its opposite."""
    word = field(expression, "name")
    if expression.type != "method_invocation" or word is None:
        return
    owner = code_of(field(expression, "object"))
    home = ASSERTION_CLASSES.get(owner.rpartition(".")[2], home)
    arguments = named(field(expression, "arguments"))
    call = _Call(expression, code_of(word), word, arguments, home, tree)
    if not owner or owner.rpartition(".")[2] in ASSERTION_CLASSES:
        yield from _plain(call) if arguments else ()
    elif _starts_fluently(expression):
        yield from _fluent(call)


def _fluent(call: _Call) -> Iterator[Edit]:
    if call.name in FLUENT_VALUES and len(call.arguments) == 1:
        yield from _other_value(call.arguments[0])
    elif call.name in FLUENT_SEARCHES and call.arguments:
        yield from misspelt_literal(call.arguments[-1])
    if call.name in FLUENT_OPPOSITES:
        yield Edit.of(call.word, FLUENT_OPPOSITES[call.name])


def _plain(call: _Call) -> Iterator[Edit]:
    node, name, home = call.node, call.name, call.home
    if name == "assertEquals" and _two_values(call):
        yield from _other_value(call.arguments[0])
    elif name == "assertTrue" and home == JUPITER:
        yield from _searched(call.arguments[0])
    if name in OPPOSITES and call.tree.one_line(node.start_byte, call.word.end_byte):
        yield Edit(node.start_byte, call.word.end_byte, f"{home}.{OPPOSITES[name]}")
    if name == "assertThrows" and len(call.arguments) > 1 and _is_statement(node):
        yield from _throws(call)


def _two_values(call: _Call) -> bool:
    """Whether the first is what the second should be, exactly: there is no delta, and what is
    said on a failure comes last, as in Jupiter.
    """
    [_, *rest] = call.arguments
    message = rest[1:] and rest[1].type in {"string_literal", "lambda_expression"}
    return len(rest) == 1 or (bool(message) and call.home == JUPITER)


def _searched(condition: Node) -> Iterator[Edit]:
    """`text.contains("word")`: another word, long enough that nobody has both."""
    arguments = named(field(condition, "arguments"))
    searches = code_of(field(condition, "name")) in SEARCHES
    if condition.type == "method_invocation" and searches and len(arguments) == 1:
        yield from misspelt_literal(arguments[0])


def _throws(call: _Call) -> Iterator[Edit]:
    """Another type of exception; or none at all, where nothing is done with it."""
    kind, action = call.arguments[:2]
    wanted = code_of(kind).removesuffix(".class")
    name = wanted.rpartition(".")[2]
    if kind.type == "class_literal" and name not in WIDE_TYPES:
        others = [other for other in OTHER_TYPES if not other.endswith(f".{name}")]
        yield Edit.of(kind, f"{one_of(others, wanted)}.class", "value")
    start, end = call.node.start_byte, action.start_byte
    if call.tree.one_line(start, end) and call.home == JUPITER:
        yield Edit(start, end, f"{JUPITER}.assertDoesNotThrow(")


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


def _other_value(node: Node) -> Iterator[Edit]:
    edit = LITERALS.other_value(node, _parts)
    if edit is not None:
        yield edit


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
