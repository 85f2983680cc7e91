"""Hybrid search over the products of a shop; see catalogue.py for the table.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .catalogue import ...`).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

POOL = 20


def put(path: str | Path, products: Iterable[Mapping[str, Any]]) -> int:
    """Store products (id, name, category, cents); one that is there already by its id is replaced.

    Of an id that is named twice, the last one counts. Returns how many products there are
    afterwards. All of them are in the full-text index then.
    """
    raise NotImplementedError


def remove(path: str | Path, ids: Iterable[str]) -> int:
    """Remove products by their ids, unknown ones aside; returns how many were removed."""
    raise NotImplementedError


def search(
    path: str | Path,
    text: str,
    *,
    category: str | None = None,
    max_cents: int | None = None,
    limit: int = 5,
) -> list[dict[str, Any]]:
    """The best products for `text`: dicts of exactly id, name, score and found_by; best first.

    Two rankings are made: the POOL best names of the full-text search for the words of `text`, and
    the POOL products nearest to `embed(text)` by cosine distance. Both look only at products of the
    category, and of at most `max_cents`, if these are given. The rankings are joined by reciprocal
    rank fusion with K = 60: the score of a product is the sum of 1 / (60 + rank) over the rankings
    that have it, where the first rank is 1. Of the joined ranking, the first `limit` come back.

    `found_by` is ["text"], ["vector"] or ["text", "vector"].

    `text` is taken as words; signs and quotes in it have no special meaning. A text with fewer than
    two letters or digits gives an empty list. ValueError if `limit` is not from 1 to POOL.
    """
    raise NotImplementedError
