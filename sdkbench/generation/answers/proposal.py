"""What is found in an answer: writes, edits and removals in their order, and what they come to."""

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


class Edit(NamedTuple):
    path: str
    changes: tuple[Change, ...]


class Remove(NamedTuple):
    path: str


Action = Write | Edit | Remove


class Problem(NamedTuple):
    """A part of an answer that was not taken over, and why."""

    path: str
    reason: str


class Proposal(NamedTuple):
    files: dict[str, str | None]  # None: the file is to go
    problems: tuple[Problem, ...] = ()
    cut_off: bool = False  # the answer ended inside a file
