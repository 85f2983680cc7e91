"""Article search on the query class of query.py."""

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from lancedb.expr import col, lit

from .query import Query, any_of, open_articles


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
    """Return the nearest articles under the conditions."""
    if limit <= 0 or len(vector) != 4 or metric not in {"cosine", "l2", "dot"}:
        raise ValueError("bad limit, vector or metric")
    query = Query(open_articles(path), vector, metric)
    if topics is not None:
        if len(topics) == 0:
            return []
        query.require(any_of("topic", topics))
    if min_year is not None:
        query.require(col("year") >= lit(min_year))
    farthest = float("inf") if max_distance is None else max_distance
    return list(takewhile(lambda hit: hit["distance"] <= farthest, query.nearest(limit)))


def more_like(path: str | Path, article_id: str, *, limit: int = 5) -> list[dict[str, Any]]:
    """Return neighbours of a stored article: fetch one more, then drop the article by its id."""
    if limit <= 0:
        raise ValueError("bad limit")
    table = open_articles(path)
    own = table.search().where(col("id") == lit(article_id)).to_arrow()
    if own.num_rows == 0:
        raise KeyError(article_id)
    hits = Query(table, own["vector"][0].as_py(), "cosine").nearest(limit + 1)
    return [hit for hit in hits if hit["id"] != article_id][:limit]
