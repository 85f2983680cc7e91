"""Records from JSON Lines, one after the other."""

from collections.abc import Callable, Iterator
from typing import Any

Record = dict[str, Any]


class Damaged(Exception):
    """A line that holds no record, in a strict program."""


def records(places: list[str], skipped: Callable[[str], None]) -> Iterator[Record]:
    """The records of files, or of standard input for "-", in order. Lazily: a line is read when its record
    is wanted. Everything is UTF-8.

    A record is a JSON object; lines that are blank are passed over. For every other line, `skipped` is
    called with "PLACE:N: not JSON" (also for bytes that are no UTF-8, and for NaN and Infinity, which JSON
    doesn't have) or "PLACE:N: not an object": the place as it is named in `places`, and the number of
    the line in it, counted from 1 with blank ones. If it returns, the next line follows.
    """
    raise NotImplementedError
