"""Find similar articles in a LanceDB table that others fill.

The database folder `path` holds the table `articles` with the columns id, title and topic (string),
year (int64) and vector (fixed-size list of DIMENSION float32). Ids are unique; vectors are not of
unit length, and none is all zero. The table has no index. Any text may stand in an id or a topic,
quotes included. The table may be written to between two calls; the functions here only read it.

A hit is a dict of exactly `id`, `title` and `distance`, the latter being LanceDB's `_distance` for
the metric in question. Hits come nearest first; the order of equally distant hits does not matter.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .filters import ...`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

TABLE = "articles"
DIMENSION = 4


def find_similar(
    path: str | Path,
    vector: Sequence[float],
    *,
    limit: int = 5,
    metric: str = "cosine",
    topics: Sequence[str] | None = None,
    min_year: int | None = None,
    max_distance: float | None = None,
) -> list[dict[str, Any]]:
    """Return the `limit` articles nearest to `vector` among those that meet all conditions.

    - metric: "cosine", "l2" or "dot", as LanceDB names them.
    - topics: only articles with one of these topics; an empty sequence allows none, so there are no
      hits; None allows every topic.
    - min_year: only articles of that year or later.
    - max_distance: only hits whose distance is at most this number (equal is allowed).

    Conditions apply before the limit: as long as enough articles meet them, `limit` hits come back.
    Fewer matching articles give fewer hits.

    Raises ValueError if `limit` is below 1, `vector` does not have DIMENSION numbers or the metric
    is none of the three, and LookupError if the database or the table does not exist.
    """
    raise NotImplementedError


def more_like(path: str | Path, article_id: str, *, limit: int = 5) -> list[dict[str, Any]]:
    """Return the `limit` articles nearest to a stored one by cosine distance, without itself.

    Another article with the very same vector is a hit like any other.

    Raises ValueError if `limit` is below 1, and LookupError (KeyError is one) if the id, the table
    or the database does not exist.
    """
    raise NotImplementedError
