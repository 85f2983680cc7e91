"""Values written down in Go tests, and others in their place."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.go.source import GoTest, operator_of, text, walk
from sdkbench.test_harness.other_literals import misspelt, other_integer, other_text

STRINGS = frozenset({"interpreted_string_literal", "raw_string_literal"})
PLAIN_STRING = re.compile(r'"[^"\\\n]*"|`[^`\n]*`')
INTEGER = re.compile(r"0|[1-9][0-9_]*")  # what begins with 0 counts otherwise
OTHER_WORD = {"true": "false", "false": "true"}


class Other(NamedTuple):
    node: Node
    replacement: str


def compared(
    node: Node, test: GoTest, is_failure: Callable[[Node], bool]
) -> tuple[Node, str] | None:
    """Another value for what something is compared with here, if that is written down.

    A literal, the last one of a composite literal, or that of a name which only this comparison
    and the words about a failure use.
    """
    if node.type == "identifier":
        value = _written(node, test, is_failure)
        return _other(value) if value is not None else None
    return _other(node)


def misspelt_literal(node: Node) -> Iterator[tuple[Node, str]]:
    written = text(node)
    if node.type in STRINGS and PLAIN_STRING.fullmatch(written):
        changed = misspelt(written[1:-1])
        if changed is not None:
            yield node, f"{written[0]}{changed}{written[0]}"


def _other(node: Node) -> Other | None:
    written = text(node)
    if node.type in STRINGS and PLAIN_STRING.fullmatch(written):
        return Other(node, f"{written[0]}{other_text(written[1:-1])}{written[0]}")
    if node.type == "int_literal" and INTEGER.fullmatch(written):
        return Other(node, other_integer(written))
    if node.type in OTHER_WORD:
        return Other(node, OTHER_WORD[written])
    found = (_other(part) for part in reversed(_parts(node)))
    return next((other for other in found if other is not None), None)


def _parts(node: Node) -> list[Node]:
    """What a value is made of: another part makes it another value. Keys and types are left out."""
    if node.type == "composite_literal":
        body = node.child_by_field_name("body")
        return [body] if body is not None else []
    if node.type in {"literal_value", "literal_element", "parenthesized_expression"}:
        return node.named_children
    if node.type == "keyed_element":
        return node.named_children[-1:]
    if node.type == "unary_expression" and operator_of(node) in {"-", "&"}:
        return node.named_children
    if node.type == "type_conversion_expression":  # []byte("text")
        operand = node.child_by_field_name("operand")
        return [operand] if operand is not None and operand.type in STRINGS else []
    return []


def _written(name: Node, test: GoTest, is_failure: Callable[[Node], bool]) -> Node | None:
    """The value that `name` is declared with, or ranges over; None if it has any other use."""
    uses = [n for n in walk(test.node) if n.type == "identifier" and text(n) == text(name)]
    telling = [
        (body.start_byte, body.end_byte)
        for node in walk(test.node)
        if is_failure(node) and (body := node.child_by_field_name("consequence"))
    ]
    quiet = [n for n in uses if not any(a <= n.start_byte < b for a, b in telling)]
    if len(quiet) != 2 or quiet[1].start_byte != name.start_byte:  # noqa: PLR2004 - here and there
        return None
    bound = quiet[0].parent
    declaration = bound.parent if bound else None
    if bound is None or declaration is None or bound.type != "expression_list":
        return None
    right = declaration.child_by_field_name("right")
    if declaration.type == "range_clause":
        return (
            right
            if quiet[0] == bound.named_children[-1] and len(bound.named_children) > 1
            else None
        )
    if declaration.type != "short_var_declaration" or len(bound.named_children) != 1:
        return None
    return right.named_children[0] if right else None
