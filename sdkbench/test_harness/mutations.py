"""Mutation: one expectation of a test, changed so that the test must fail; and how they are found.

Another literal is different for certain, and as plausible. SourceTree is what Go, Rust and Java
share: source as a real parser reads it. What counts as an expectation is each language's own.
"""

import re
import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict
from tree_sitter import Language, Node, Parser

SALT = secrets.randbits(32)
MEMBER_LETTERS = 5  # of a word that is looked for: a shorter one may be anywhere
WORD_LETTERS = 3
LETTERS = "etaoinsrldu"
SMALL = 127  # what every type of integer can hold
T = TypeVar("T")
PLAIN_STRING = re.compile(r'"[^"\\\n]*"|`[^`\n]*`')  # what it says is what it holds
STRINGS = frozenset({"string_literal", "interpreted_string_literal", "raw_string_literal"})
INTEGERS = frozenset({"int_literal", "integer_literal", "decimal_integer_literal"})
OTHER_WORD = {"true": "false", "false": "true"}
BOOLEANS = frozenset({*OTHER_WORD, "boolean_literal"})


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


def turn(text: str) -> int:
    """Which of several ways to take: nobody who knows the text can tell."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"), SALT)


def one_of(ways: Sequence[T], seed: str) -> T:
    return ways[turn(seed) % len(ways)]


def misspelt(text: str, letters: int = MEMBER_LETTERS) -> str | None:
    """The text with one letter of its longest word changed; None if no word is long enough.

    Whoever has the one has not the other: good for texts that are looked for in longer ones.
    """
    words = [m for m in re.finditer(r"[A-Za-z]+", text) if len(m.group()) >= letters]
    if not words:
        return None
    longest = max(words, key=lambda m: len(m.group()))
    place = longest.start() + len(longest.group()) // 2
    return text[:place] + _other_letter(text[place], text) + text[place + 1 :]


def other_text(text: str) -> str:
    """A text that is not equal to this one, whatever its case; numbers in it stay numbers."""
    changed = misspelt(text, WORD_LETTERS)
    if changed is not None:
        return changed
    last = text[-1:]
    if last.isascii() and last.isdigit():
        return text[:-1] + one_of([digit for digit in "123456789" if digit != last], text)
    if last.isascii() and last.isalpha():
        return text[:-1] + _other_letter(last, text)
    return text + _other_letter("", text)


def other_integer(digits: str) -> str:
    """Another number that fits into every type that this one fits into, with a minus too."""
    value = int(digits.replace("_", ""))
    near = [value + 1, value + 2, value + 10, 2 * value + 3, value - 1, value - 2]
    fitting = [other for other in near if 0 <= other <= max(value, SMALL)]
    return str(one_of(fitting, digits))


def _other_letter(letter: str, seed: str) -> str:
    other = one_of([other for other in LETTERS if other != letter.lower()], seed)
    return other.upper() if letter.isupper() else other


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
