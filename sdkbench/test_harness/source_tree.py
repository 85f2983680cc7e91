"""SourceTree: source as a real parser reads it, and edits of what its tests expect.

Go, Rust and Java share this; what counts as an expectation is each language's own.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from tree_sitter import Language, Node, Parser

from sdkbench.test_harness.mutations import Mutation
from sdkbench.test_harness.other_literals import misspelt, other_integer, other_text

PLAIN_STRING = re.compile(r'"[^"\\\n]*"|`[^`\n]*`')  # what it says is what it holds
STRINGS = frozenset({"string_literal", "interpreted_string_literal", "raw_string_literal"})
INTEGERS = frozenset({"int_literal", "integer_literal", "decimal_integer_literal"})
OTHER_WORD = {"true": "false", "false": "true"}
BOOLEANS = frozenset({*OTHER_WORD, "boolean_literal"})


class Edit(NamedTuple):
    """Bytes of a source, and what to put in their place."""

    start: int
    end: int
    replacement: str
    kind: Literal["value", "sense"] = "sense"

    @classmethod
    def of(cls, node: Node, replacement: str, kind: Literal["value", "sense"] = "sense") -> "Edit":
        return cls(node.start_byte, node.end_byte, replacement, kind)


class SourceTree:
    """A parsed source. Nodes count in bytes; mutations, in characters."""

    def __init__(self, source: bytes, grammar: Language) -> None:
        self.source = source
        self.root = Parser(grammar).parse(source).root_node

    @property
    def first_error(self) -> int | None:
        """The line where the source stops being valid, or None."""
        node = self.root
        while node.has_error and not (node.is_error or node.is_missing):
            inner = next((child for child in node.children if child.has_error), None)
            if inner is None:
                break
            node = inner
        return self.line(node.start_byte) if self.root.has_error else None

    def line(self, byte: int) -> int:
        # Not by `node.start_point`: tree-sitter 0.26.0 frees what it gives out there, and the
        # process crashes sooner or later.
        return self.source.count(b"\n", 0, byte) + 1

    def one_line(self, start: int, end: int) -> bool:
        """Whether the bytes from `start` to `end` stand in one line."""
        return b"\n" not in self.source[start:end]

    def mutations(self, path: str, tests: str, edits: Iterator[Edit]) -> list[Mutation]:
        """The edits as mutations of the file at `path`; `tests` matches the ids they are in."""
        return [
            Mutation(
                path=path,
                tests=tests,
                start=len(self.source[: edit.start].decode()),
                end=len(self.source[: edit.end].decode()),
                replacement=edit.replacement,
                line=self.line(edit.start),
                kind=edit.kind,
            )
            for edit in edits
        ]


class Literals(NamedTuple):
    """How a language writes the literals that can be replaced by others of the same type."""

    integer: re.Pattern[str]  # the digits, and a suffix that stays

    def other(self, node: Node) -> str | None:
        """Another literal of the same type, as plausible; None where this is none we know."""
        text = code_of(node)
        if node.type in STRINGS and PLAIN_STRING.fullmatch(text):
            return f"{text[0]}{other_text(text[1:-1])}{text[0]}"
        number = self.integer.fullmatch(text) if node.type in INTEGERS else None
        if number is not None:
            return f"{other_integer(number[1])}{number[2]}"
        return OTHER_WORD[text] if node.type in BOOLEANS else None

    def other_value(self, node: Node, parts: Callable[[Node], list[Node]]) -> Edit | None:
        """Another literal for the last one that a value is made of; None where there is none."""
        other = self.other(node)
        if other is not None:
            return Edit.of(node, other, "value")
        edits = (self.other_value(part, parts) for part in reversed(parts(node)))
        return next((edit for edit in edits if edit is not None), None)


def misspelt_literal(node: Node) -> Iterator[Edit]:
    """A text that is looked for, misspelt; nothing where it is none, or has no long word."""
    text = code_of(node)
    if node.type in STRINGS and PLAIN_STRING.fullmatch(text):
        other = misspelt(text[1:-1])
        if other is not None:
            yield Edit.of(node, f"{text[0]}{other}{text[0]}", "value")


def code_of(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def field(node: Node | None, *names: str) -> Node | None:
    """The node that a path of the grammar's fields leads to, if it leads anywhere."""
    for name in names:
        node = node.child_by_field_name(name) if node is not None else None
    return node


def named(node: Node | None) -> list[Node]:
    """What a node is made of, without punctuation and comments."""
    children = node.named_children if node is not None else []
    return [child for child in children if not child.type.endswith("comment")]


def walk(node: Node, without: frozenset[str] = frozenset()) -> Iterator[Node]:
    """The node and all below it, but nothing in nodes of the types `without`."""
    yield node
    for child in node.named_children:
        if child.type not in without:
            yield from walk(child, without)
