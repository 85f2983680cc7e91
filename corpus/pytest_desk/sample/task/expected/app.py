"""A desk: what comes in is split, sorted, answered and kept."""

import asyncio
import contextlib
import dataclasses
import enum
import pickle
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any


class Malformed(ValueError):
    """A text that is no number."""


class Kind(enum.Enum):
    LETTER = 1
    PARCEL = 2
    BILL = 3


@dataclasses.dataclass
class Request:
    words: list[str]
    kind: str = "letter"


def split(text: str) -> Request:
    return Request(text.split())


def sent(text: str) -> Request:
    """The first word is the kind."""
    first, *rest = text.split()
    return Request(rest, first)


def kind_of(number: int) -> Kind:
    return Kind(number)


def parsed(text: str) -> int:
    if not text:
        raise KeyError("empty")
    try:
        return int(text)
    except ValueError:
        raise Malformed(f"{text!r} is no number") from None


async def doubled(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


class Desk:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: str) -> int:
        """The number of lines there are then."""
        if not line:
            raise ValueError("an empty line")
        self.lines.append(line)
        return len(self.lines)

    @contextlib.contextmanager
    def forgiving(self) -> Iterator["Desk"]:
        """The first empty line ends the block, and becomes a question mark."""
        try:
            yield self
        except ValueError:
            self.lines.append("?")


def keep(seen: list[int], given: list[int]) -> None:
    """`seen` becomes what is given, sorted; `given` stays as it is."""
    seen[:] = sorted(given)


def total(given: list[int]) -> int:
    return sum(given)


def each(work: Callable[[int], int], items: Iterable[int]) -> list[int]:
    """Items for which `work` raises an OSError are left out."""
    done = []
    for item in items:
        with contextlib.suppress(OSError):
            done.append(work(item))
    return done


def played(player: Any, notes: list[str]) -> None:
    for note in notes:
        player.play(note)


def formula(a: int, b: int) -> str:
    """A sum, for a program to work out."""
    return f"{a} + {b}"


def save(path: Path, what: dict[str, int]) -> None:
    path.write_bytes(pickle.dumps(what))


def script(path: Path, number: int) -> None:
    """A program that prints the number."""
    path.write_text(f"print({number})\n")


class Query:
    def __init__(self) -> None:
        self._words: list[str] = []

    def where(self, word: str) -> "Query":
        self._words.append(word)
        return self

    def text(self) -> str:
        return " and ".join(self._words)
