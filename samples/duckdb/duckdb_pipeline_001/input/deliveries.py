"""Files of deliveries as rows."""

from pathlib import Path
from typing import NamedTuple


class Refused(Exception):
    """A file that is no delivery; its text is the reason."""


class Row(NamedTuple):
    """A line of a file. `reason` is None for a good one; of a bad one the other fields may be anything."""

    line: int
    text: str
    article: str
    name: str
    change: int
    reason: str | None


def read(file: Path) -> list[Row]:
    """The rows of a file, in order. It is CSV in UTF-8 (Refused "not UTF-8" otherwise), with the first line
    article;name;change (Refused "wrong header" otherwise, also for an empty file).

    Lines end with \\n or \\r\\n, also within quotes; they count from 1, the first line included, and `text` is
    the line without its end. Blank lines count, but are no rows. Fields stand between ";" and may be quoted by
    "; blanks around them don't count.

    The reason is the first of these that fits: "wrong number of fields" (not three), "no article", "no
    name" (empty ones), "bad change" (not 1 to 9 digits 0 to 9, with a + or - before them or not; or 0).
    """
    raise NotImplementedError
