"""What a statement of a JUnit test expects, and edits after which it expects something else.

Every edit is complementary: where the original holds, the edited one does not.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.java.syntax import JavaSource, named
from sdkbench.test_harness.java.values import misspelt_literal, other_value
from sdkbench.test_harness.other_literals import one_of

JUPITER, JUNIT4 = "org.junit.jupiter.api.Assertions", "org.junit.Assert"
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


class Edit(NamedTuple):
    start: int
    end: int
    replacement: str
    kind: Literal["value", "sense"] = "sense"


def edits(expression: Node, source: JavaSource, home: str) -> Iterator[Edit]:
    """Other values that one call could expect, then its opposite.

    `home` is the class that bare assertions are of.
    """
    if expression.type != "method_invocation":
        return
    name = source.text(expression.child_by_field_name("name"))
    owner = source.text(expression.child_by_field_name("object"))
    if owner.rpartition(".")[2] in {"Assertions", "Assert"} or not owner:
        home = {"Assertions": JUPITER, "Assert": JUNIT4}.get(owner.rpartition(".")[2], home)
        yield from _plain(expression, name, source, home)
    elif _starts_fluently(expression, source):
        yield from _fluent(expression, name, source)


def _fluent(call: Node, name: str, source: JavaSource) -> Iterator[Edit]:
    arguments = named(call.child_by_field_name("arguments"))
    if name in FLUENT_VALUES and len(arguments) == 1:
        yield from _values(other_value(arguments[0], source), source)
    elif name in FLUENT_SEARCHES and arguments:
        yield from _values(misspelt_literal(arguments[-1], source), source)
    word = call.child_by_field_name("name")
    if word is not None and name in FLUENT_OPPOSITES:
        yield _edit(word.start_byte, word.end_byte, FLUENT_OPPOSITES[name], source)


def _plain(call: Node, name: str, source: JavaSource, home: str) -> Iterator[Edit]:
    arguments = named(call.child_by_field_name("arguments"))
    word = call.child_by_field_name("name")
    if word is None or not arguments:
        return
    if name == "assertEquals" and _two_values(arguments, home):
        yield from _values(other_value(arguments[0], source), source)
    elif name == "assertTrue" and home == JUPITER:
        yield from _values(_searched(arguments[0], source), source)
    if name in OPPOSITES and source.one_line(call.start_byte, word.end_byte):
        yield _edit(call.start_byte, word.end_byte, f"{home}.{OPPOSITES[name]}", source)
    if name == "assertThrows" and len(arguments) > 1 and _is_statement(call):
        yield from _throws(call, arguments, source, home)


def _two_values(arguments: list[Node], home: str) -> bool:
    """Whether the first is what the second should be, exactly: there is no delta, and what is
    said on a failure comes last, as in Jupiter.
    """
    [_, *rest] = arguments
    told = rest[1:] and rest[1].type in {"string_literal", "lambda_expression"}
    return len(rest) == 1 or (len(rest) > 1 and bool(told) and home == JUPITER)


def _searched(condition: Node, source: JavaSource) -> tuple[Node, str] | None:
    """`text.contains("word")`: another word, long enough that nobody has both."""
    arguments = named(condition.child_by_field_name("arguments"))
    name = source.text(condition.child_by_field_name("name"))
    if condition.type != "method_invocation" or name not in SEARCHES or len(arguments) != 1:
        return None
    return misspelt_literal(arguments[0], source)


def _values(found: tuple[Node, str] | None, source: JavaSource) -> Iterator[Edit]:
    if found is not None:
        node, replacement = found
        yield _edit(node.start_byte, node.end_byte, replacement, source)._replace(kind="value")


def _throws(call: Node, arguments: list[Node], source: JavaSource, home: str) -> Iterator[Edit]:
    """Another type of exception; or none at all, where nothing is done with it."""
    wanted = source.text(arguments[0]).removesuffix(".class")
    name = wanted.rpartition(".")[2]
    if arguments[0].type == "class_literal" and name not in WIDE_TYPES:
        others = [other for other in OTHER_TYPES if not other.endswith(f".{name}")]
        yield from _values((arguments[0], f"{one_of(others, wanted)}.class"), source)
    if source.one_line(call.start_byte, arguments[1].start_byte) and home == JUPITER:
        replacement = f"{home}.assertDoesNotThrow("
        yield _edit(call.start_byte, arguments[1].start_byte, replacement, source)


def _is_statement(call: Node) -> bool:
    """Whether nobody uses what the call gives back."""
    parent = call.parent
    return parent is not None and parent.type in {"expression_statement", "lambda_expression"}


def _starts_fluently(call: Node, source: JavaSource) -> bool:
    node: Node | None = call
    while node is not None and node.type == "method_invocation":
        if source.text(node.child_by_field_name("name")) == "assertThat":
            return True
        node = node.child_by_field_name("object")
    return False


def _edit(start: int, end: int, replacement: str, source: JavaSource) -> Edit:
    return Edit(source.offset(start), source.offset(end), replacement)
