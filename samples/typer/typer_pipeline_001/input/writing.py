"""Records as JSON Lines."""

from collections.abc import Iterable
from typing import Any


def write(found: Iterable[dict[str, Any]], place: str) -> None:
    """Write the records to a file, or to standard output for "-", each as it comes: one line of JSON,
    without blanks, in UTF-8 with letters as they are ({"city":"Köln"}), ended by "\\n".

    A file gets its name only when all records are written: before, and if an exception comes out of
    `found`, whatever was there under that name stays, and no other file is left beside it.
    """
    raise NotImplementedError
