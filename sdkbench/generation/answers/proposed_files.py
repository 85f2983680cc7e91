"""The files that an answer proposes, and the writes, edits and removals that lead to them."""

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple


class Strength(IntEnum):
    """How surely a text belongs to its path; a weaker one never replaces a stronger one."""

    GUESSED = 0  # the starter has one file that fits
    MENTIONED = 1  # a sentence above speaks of the file; what follows may be a part of it
    NAMED = 2  # an info string, a first line, a heading, a tag or a key gives the path


class Write(NamedTuple):
    path: str
    text: str
    strength: Strength = Strength.NAMED
    closed: bool = True  # False: the answer ended inside
    continued: bool = False  # goes on where the text before it for this path stopped


class Change(NamedTuple):
    """`old` lines become `new` lines. An empty `old` means an insertion at `line`, or a new text.

    `line` is a hint (0-based), as models count badly.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    line: int | None = None


class FileEdit(NamedTuple):
    path: str
    changes: tuple[Change, ...]


class Remove(NamedTuple):
    path: str


class LeftOut(NamedTuple):
    """A part of an answer that was not taken over, and why."""

    path: str
    reason: str


Action = Write | FileEdit | Remove | LeftOut


class ProposedFiles(NamedTuple):
    files: dict[str, str | None]  # None: the file is removed
    left_out: tuple[LeftOut, ...] = ()
    cut_off: bool = False  # the answer ended inside a file


def unlisted(path: str) -> LeftOut:
    return LeftOut(path, "no language is known by its extension, and no starter file has it")


def join_lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def split_lines(text: str) -> list[str]:
    """The lines without their ends; no empty one after the last line end."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines
