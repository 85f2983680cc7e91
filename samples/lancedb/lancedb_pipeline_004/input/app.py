"""Find what fits a question among the chunks of documents; see store.py for the table.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

PER_DOC = 2


def put(path: str | Path, doc: str, text: str, labels: Sequence[str]) -> int:
    """Store the chunks of a document (see chunks.py); returns how many there are.

    They replace those that the document had, with their labels, in a single new version of the
    table: no reader ever sees the document half, twice or not at all. A text without chunks removes
    the document. ValueError if there are no labels, and nothing is written.
    """
    raise NotImplementedError


def drop(path: str | Path, doc: str) -> int:
    """Remove a document; returns how many chunks it had."""
    raise NotImplementedError


def context(
    path: str | Path,
    question: str,
    labels: Sequence[str],
    *,
    hits: int = 4,
    budget: int = 120,
) -> list[dict[str, Any]]:
    """Passages for a question: dicts of exactly doc, first, last (chunk numbers) and text.

    1. Of the chunks that have one of `labels`, the nearest to `embed(question)` by cosine are taken
       in their order, but no more than PER_DOC of the same document, until there are `hits`.
    2. Each hit becomes a passage: the chunk, and the chunks before and after it in the document, if
       there are any.
    3. Passages of a document that overlap, or follow one another without a gap, become one, at the
       place of the better hit.
    4. In that order, passages are returned as long as their words fit `budget` all together; one
       that doesn't fit is left out, and the next ones are still tried.

    The text of a passage is its chunks' texts, joined by a newline. The order of equally near
    chunks does not matter. No labels, or a question without words, give an empty list. ValueError
    if `hits` is below 1.
    """
    raise NotImplementedError
