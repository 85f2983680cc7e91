"""Mutation: one expectation of a test, changed so that the test must fail; and how they are found.

SourceTree is what Go, Rust and Java share: source as a real parser reads it. What counts as an
expectation is each language's own.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict
from tree_sitter import Language, Node, Parser

from sdkbench.test_harness.other_values import OtherValues

PLAIN_STRING = re.compile(r'"[^"\\\n]*"|`[^`\n]*`')  # what it says is what it holds
STRINGS = frozenset({"string_literal", "interpreted_string_literal", "raw_string_literal"})
INTEGERS = frozenset({"int_literal", "integer_literal", "decimal_integer_literal"})
OTHER_WORD = {"true": "false", "false": "true"}
BOOLEANS = frozenset({*OTHER_WORD, "boolean_literal"})


class Place(BaseModel):
    """Characters of a file's exact text, and what stands there after a mutation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: int
    end: int
    replacement: str


class Mutation(BaseModel):
    """An edit of one place in a trusted test file.

    It must be *complementary*: wherever the original expectation holds, the mutated one does not,
    whatever honest code is judged. And the place must be on every path to a pass: not inside a
    condition, a loop, a handler or a nested function, nor after a conditional return.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str  # the file, below the workspace: tests/test_app.py
    tests: str  # a regular expression that the ids of this test match in full, and no other's
    start: int  # offsets into the file's exact text, in characters
    end: int
    replacement: str  # holds no line break, so that lines keep their numbers
    line: int  # of `start`, from 1
    kind: Literal["value", "sense"] = "sense"  # another value is expected, or the opposite
    also: tuple[Place, ...] = ()  # what goes with it: a title that tells the value, a class
    renamed: tuple[str, str] | None = None  # the ids' last such text, and what it is then

    @property
    def places(self) -> tuple[Place, ...]:
        own = Place(start=self.start, end=self.end, replacement=self.replacement)
        return (own, *self.also)

    def name_after(self, test_id: str) -> str:
        """What the test is called once it is mutated."""
        if self.renamed is None:
            return test_id
        before, label, behind = test_id.rpartition(self.renamed[0])
        return f"{before}{self.renamed[1]}{behind}" if label else test_id


def mutations_in(
    files: Iterable[tuple[Path, str]], mutations_of: Callable[[str, str], list[Mutation]]
) -> tuple[Mutation, ...]:
    """What `mutations_of` finds in each file's text, by the place where the file will stand."""
    return tuple(
        mutation
        for source, target in files
        for mutation in mutations_of(exact_text(source), target)
    )


def exact_text(path: Path) -> str:
    """What offsets count in: without a byte order mark, with line ends as they are.

    Nothing where it isn't UTF-8: no test of it is mutated then.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""


class AnyEdit(Protocol):
    @property
    def kind(self) -> Literal["value", "sense"]: ...


E = TypeVar("E", bound=AnyEdit)


class Edit(NamedTuple):
    """Bytes of a source, and what to put in their place; `also` is inserted at another byte."""

    start: int
    end: int
    replacement: str
    kind: Literal["value", "sense"] = "sense"
    also: tuple[int, str] | None = None

    @classmethod
    def of(cls, node: Node, replacement: str, kind: Literal["value", "sense"] = "sense") -> "Edit":
        return cls(node.start_byte, node.end_byte, replacement, kind)


def least_conspicuous(edits: list[E], with_sizes: Callable[[], list[E]]) -> list[E]:
    """The edits without other sizes of lists, unless nothing else has another value to expect."""
    return edits if any(edit.kind == "value" for edit in edits) else with_sizes()


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

    def mutations(self, path: str, tests: str, edits: Iterable[Edit]) -> list[Mutation]:
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
                also=self._inserted(*edit.also) if edit.also else (),
            )
            for edit in edits
        ]

    def _inserted(self, byte: int, text: str) -> tuple[Place]:
        at = len(self.source[:byte].decode())
        return (Place(start=at, end=at, replacement=text),)


class Literals(NamedTuple):
    """How a language writes the literals that can be replaced by others of the same type."""

    integer: re.Pattern[str]  # the digits, and a suffix that stays
    size_of: Callable[[Node], int]  # of a list of plain values that is written there, or 0

    def values(self, node: Node, file: OtherValues | None = None) -> OtherValues:
        """What the literals below `node` could be instead: of the whole file, or, with the
        file's, of one test.
        """
        texts, numbers, sizes = [], [], set()
        for inner in walk(node):
            text = code_of(inner)
            if inner.type in STRINGS and PLAIN_STRING.fullmatch(text):
                texts.append(text[1:-1])
            elif inner.type in INTEGERS and (number := self.integer.fullmatch(text)):
                numbers.append(int(number[1].replace("_", "")))
            else:
                sizes.add(self.size_of(inner))
        if file is None:
            return OtherValues(texts, numbers, typed=True, source=code_of(node))
        return file.near(texts, numbers, sizes)

    def other(self, node: Node, values: OtherValues) -> str | None:
        """Another literal of the same type, as plausible; None where this is none we know."""
        text = code_of(node)
        if node.type in STRINGS and PLAIN_STRING.fullmatch(text):
            return f"{text[0]}{values.text(text[1:-1])}{text[0]}"
        number = self.integer.fullmatch(text) if node.type in INTEGERS else None
        if number is not None:
            other = values.integer(int(number[1].replace("_", "")))
            return None if other is None else f"{other}{number[2]}"
        return OTHER_WORD[text] if node.type in BOOLEANS else None

    def others(
        self, node: Node, parts: Callable[[Node], Collection[Node]], values: OtherValues
    ) -> Iterator[Edit]:
        """Another literal for each one that a value is made of."""
        other = self.other(node, values)
        if other is not None:
            yield Edit.of(node, other, "value")
        inner = parts(node)
        texts = [
            code_of(leaf)[1:-1] for part in inner for leaf in walk(part) if leaf.type in STRINGS
        ]
        for part in inner:
            yield from self.others(part, parts, values.beside(texts) if len(texts) > 1 else values)


def other_part(node: Node, values: OtherValues) -> Iterator[Edit]:
    """Another text than one that is looked for; nothing where it is none, or has no long word."""
    text = code_of(node)
    if node.type in STRINGS and PLAIN_STRING.fullmatch(text):
        other = values.part(text[1:-1])
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
    waiting = [node]  # not by recursion: a stranger's source may be nested without end
    while waiting:
        node = waiting.pop()
        yield node
        inner = [child for child in node.named_children if child.type not in without]
        waiting += reversed(inner)
