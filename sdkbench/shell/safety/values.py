"""What the judge knows of a word or a stream without running anything.

A value is a string in which private characters stand for what is not known. The judged text is
cleared of these characters first, so it can't forge them.

What the judge knows beforehand, names and patterns, is in the data files of this folder.
"""

import re
import tomllib
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from sdkbench.shell.reader.tree import Span

UNKNOWN = "\ue000"  # any text, perhaps none: an unset variable, the output of a program
SOME = "\ue001"  # a name or number that is surely not empty
STAR = "\ue002"  # an active `*`
ANY = "\ue003"  # an active `?` or `[…]`
MARKS = frozenset((UNKNOWN, SOME, STAR, ANY))
PRIVATE = str.maketrans(dict.fromkeys(MARKS, "\N{REPLACEMENT CHARACTER}"))


# Past this a value is cut: `x=$x$x` doubles with every step.
MAX_VALUE = 1 << 16


def bounded(value: str) -> str:
    return value if len(value) <= MAX_VALUE else value[:MAX_VALUE] + UNKNOWN


class Taint(StrEnum):
    NETWORK = "network"
    SECRET = "secret"
    DECODED = "decoded"
    SHELL = "shell"  # the answers of a shell that takes its orders from elsewhere


NO_TAINTS: frozenset[Taint] = frozenset()


class Stream(NamedTuple):
    """What flows between programs.

    Its text where it is known, where it came from, and the paths it lists if it is the output of
    `find` or `ls`.
    """

    text: str | None = None
    taints: frozenset[Taint] = NO_TAINTS
    paths: tuple[str, ...] = ()

    def with_taints(self, taints: frozenset[Taint]) -> "Stream":
        return Stream(self.text, self.taints | taints, self.paths) if taints else self


EMPTY = Stream(text="")
OPAQUE = Stream()


class Text(NamedTuple):
    """One field after expansion. `stream` is set for `<(…)`, which names what flows from it."""

    value: str
    span: Span
    taints: frozenset[Taint] = NO_TAINTS
    stream: Stream | None = None

    @property
    def known(self) -> bool:
        return not any(mark in self.value for mark in MARKS)

    def saying(self, value: str) -> "Text":
        return Text(value, self.span, self.taints, self.stream)

    # What the reader of arguments asks of a word; after expansion it is one field of text.
    @property
    def lead(self) -> str:
        return self.value

    @property
    def whole(self) -> bool:
        return True

    @property
    def splits(self) -> bool:
        return False

    def after(self, length: int) -> "Text":
        return self.saying(self.value[length:])


def joined(texts: Iterable[Text]) -> str:
    return " ".join(text.value for text in texts)


def all_taints(texts: Iterable[Text]) -> frozenset[Taint]:
    return frozenset(taint for text in texts for taint in text.taints)


def readable(value: str) -> str:
    """The value as a person would write it, for messages."""
    shown = value.replace(UNKNOWN, "$…").replace(SOME, "…").replace(STAR, "*").replace(ANY, "?")
    return shown if len(shown) <= 60 else shown[:57] + "…"  # noqa: PLR2004 - a line's worth


@cache
def load(file: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(f"{file}.toml").read_text(encoding="utf-8"))


def names(file: str, key: str) -> frozenset[str]:
    return frozenset(load(file)[key].split())


def pattern(file: str, key: str, *, whole: bool = False) -> re.Pattern[str]:
    """`whole`: it matches from the beginning to the end of a text."""
    text = load(file)[key]
    return re.compile(rf"^{text}$" if whole else text)
