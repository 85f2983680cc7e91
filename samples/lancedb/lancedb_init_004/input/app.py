"""Notes that LanceDB embeds by a function of our own.

The function is known to LanceDB's embedding registry by the name `hashed-words` and has the setting
`size` (int, 32 if nothing is said). Its vector of a text, as a note and as a query alike, is
`words_to_vector(text, size)`.

The database folder `path` holds the table `notes` with exactly the columns text (string) and vector
(fixed-size list of `size` float32). The table's own metadata say that `vector` is computed from
`text` by `hashed-words` with that size, in the way of LanceDB's registry; whoever opens the table
needs to be told nothing else.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

import zlib
from collections.abc import Sequence
from pathlib import Path

TABLE = "notes"
NAME = "hashed-words"


def words_to_vector(text: str, size: int) -> list[float]:
    """Count the words of `text` in `size` boxes, by the hash of each word. Given: keep it."""
    boxes = [0.0] * size
    for word in text.lower().split():
        boxes[zlib.crc32(word.encode()) % size] += 1.0
    return boxes


def create(path: str | Path, size: int = 32) -> None:
    """Create the empty table; the folder where it is missing.

    Raises ValueError if the table exists already (and leaves it alone), or if `size` is below 1.
    """
    raise NotImplementedError


def add(path: str | Path, texts: Sequence[str]) -> int:
    """Store notes, embedded by LanceDB; returns how many the table holds afterwards.

    There may be none. Texts without words are stored like others.
    """
    raise NotImplementedError


def find(path: str | Path, text: str, limit: int = 3) -> list[str]:
    """The texts of the nearest notes by the metric l2, nearest first; LanceDB embeds `text`."""
    raise NotImplementedError


def settings(path: str | Path) -> dict[str, str | int]:
    """What the table says of its embedding: {"source": ..., "vector": ..., "size": ...}.

    The names of the source column and of the vector column, and the function's size.
    """
    raise NotImplementedError
