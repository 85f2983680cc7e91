"""Mirror a set of documents into LanceDB as embedded chunks, and search them.

All functions that take the database folder as `path` work on its table `chunks`, with one row for
each chunk of a document and at least these columns: doc_id (string), chunk_no (int64, counting from
0 within a document), text (string: the chunk) and vector (fixed-size list of DIMENSION float32:
`embed` of the text). Further columns are allowed. Folder and table are created where missing.
A doc_id may hold any text, quotes included.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TABLE = "chunks"
DIMENSION = 64


def embed(text: str) -> list[float]:
    """Hash the words of `text` into a unit vector; all zeros if it has no words. Given: keep it."""
    counts = [0.0] * DIMENSION
    for word in text.lower().split():
        counts[zlib.crc32(word.encode()) % DIMENSION] += 1.0
    length = math.sqrt(sum(count * count for count in counts))
    return [count / length for count in counts] if length else counts


def chunk(text: str, size: int = 12, overlap: int = 4) -> list[str]:
    """Cut `text` into windows of `size` words, each starting `size - overlap` words after the last.

    Words are what `str.split()` gives; a chunk is its words joined by single spaces. The first
    window that reaches the last word is the last one and may be shorter; text of at most `size`
    words is one chunk, text without words gives none.

    Raises ValueError unless 0 <= overlap < size.
    """
    raise NotImplementedError


def sync(path: str | Path, documents: Mapping[str, str]) -> dict[str, list[str]]:
    """Make the table hold exactly the chunks of `documents` (doc_id → text), cut by default sizes.

    Returns `{"added": [...], "updated": [...], "removed": [...], "unchanged": [...]}`, each a
    sorted list of doc_ids, comparing `documents` with what the table held before. A document
    counts as changed if its sequence of words changed; other whitespace alone is no change. A
    document without words has no chunks and counts as absent from `documents`.

    Afterwards no chunk of a former text or of a removed document is left. If nothing was added,
    updated or removed, an existing table is not written to: its version number stays the same.
    """
    raise NotImplementedError


def search(path: str | Path, query: str, limit: int = 3) -> list[dict[str, Any]]:
    """Return the `limit` documents nearest to `query`, each by its single nearest chunk.

    Nearest is by cosine distance between `embed(query)` and the stored vectors. A hit is a dict of
    exactly doc_id, chunk_no, text and distance; hits come nearest first, at most one for each
    document, and only fewer than `limit` if there are fewer documents. The order of equally distant
    documents does not matter, nor which of several equally near chunks stands for a document.
    A missing or empty database gives an empty list.

    Raises ValueError if `query` has no words or `limit` is below 1.
    """
    raise NotImplementedError
