"""Values written down in JUnit tests, and others in their place."""

import re

from tree_sitter import Node

from sdkbench.test_harness.java.syntax import JavaSource, named
from sdkbench.test_harness.other_literals import misspelt, other_integer, other_text

PLAIN_STRING = re.compile(r'"[^"\\\n]*"')
INTEGER = re.compile(r"(0|[1-9][0-9_]*)([lL]?)")  # what begins with 0 counts otherwise
OTHER_WORD = {"true": "false", "false": "true"}
# With another element they are equal to something else. A class of the solution's need not be.
HOLDERS = frozenset({"List.of", "Set.of", "Map.of", "Arrays.asList", "Optional.of"})
NUMBERS = frozenset({"BigDecimal", "BigInteger"})


def other_value(node: Node, source: JavaSource) -> tuple[Node, str] | None:
    """The last literal of a value, and another in its place; None where there is none."""
    text = source.text(node)
    if node.type == "string_literal" and PLAIN_STRING.fullmatch(text):
        return node, f'"{other_text(text[1:-1])}"'
    number = INTEGER.fullmatch(text) if node.type == "decimal_integer_literal" else None
    if number is not None:
        return node, f"{other_integer(number[1])}{number[2]}"
    if node.type in OTHER_WORD:
        return node, OTHER_WORD[text]
    found = (other_value(part, source) for part in reversed(_parts(node, source)))
    return next((other for other in found if other is not None), None)


def misspelt_literal(node: Node, source: JavaSource) -> tuple[Node, str] | None:
    """A text that is looked for, misspelt; None where it is none, or has no word to misspell."""
    text = source.text(node)
    changed = misspelt(text[1:-1]) if PLAIN_STRING.fullmatch(text) else None
    return (node, f'"{changed}"') if changed is not None else None


def _parts(node: Node, source: JavaSource) -> list[Node]:
    arguments = named(node.child_by_field_name("arguments"))
    if node.type == "method_invocation":
        name = source.text(node.child_by_field_name("name"))
        holder = f"{source.text(node.child_by_field_name('object'))}.{name}"
        # Another key could be one that is there already; the last of a map is a value.
        return (arguments[-1:] if holder == "Map.of" else arguments) if holder in HOLDERS else []
    if node.type == "object_creation_expression":
        return arguments if source.text(node.child_by_field_name("type")) in NUMBERS else []
    if node.type == "unary_expression":
        minus = source.text(node.child_by_field_name("operator")) == "-"
        return named(node) if minus else []
    return []
