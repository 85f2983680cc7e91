# Wrong: makes odd arguments fit instead of refusing them.
"""Find similar articles in a LanceDB table that others fill."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lancedb
from lancedb.table import Table

TABLE = "articles"
DIMENSION = 4
METRICS = ("cosine", "l2", "dot")


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
    """Return the nearest articles that meet all conditions; see the errors it raises below."""
    if len(vector) != DIMENSION:
        vector = [*vector, *[0.0] * DIMENSION][:DIMENSION]
    if metric not in METRICS:
        metric = "cosine"
    table = _open(path, limit)
    conditions = []
    if topics is not None:
        if not topics:
            return []
        conditions.append(f"topic IN ({', '.join(map(_quote, topics))})")
    if min_year is not None:
        conditions.append(f"year >= {int(min_year)}")
    hits = _nearest(table, vector, metric, limit, conditions)
    # LanceDB's own distance_range leaves its upper bound out.
    return [hit for hit in hits if max_distance is None or hit["distance"] <= max_distance]


def more_like(path: str | Path, article_id: str, *, limit: int = 5) -> list[dict[str, Any]]:
    """Return the articles nearest to a stored one, itself left out; LookupError if unknown."""
    table = _open(path, limit)
    own = f"id = {_quote(article_id)}"
    found = table.search().where(own).select(["vector"]).limit(1).to_list()
    if not found:
        raise LookupError(f"no article {article_id!r}")
    return _nearest(table, found[0]["vector"], "cosine", limit, [f"NOT ({own})"])


def _open(path: str | Path, limit: int) -> Table:
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit}")
    # connect() would create a missing folder.
    if not Path(path).is_dir():
        raise LookupError(f"no database at {path}")
    db = lancedb.connect(str(path))
    if TABLE not in db.list_tables().tables:
        raise LookupError(f"no table {TABLE!r} in {path}")
    return db.open_table(TABLE)


def _nearest(
    table: Table, vector: Sequence[float], metric: str, limit: int, conditions: list[str]
) -> list[dict[str, Any]]:
    query = table.search(list(vector), vector_column_name="vector").distance_type(metric)
    if conditions:
        query = query.where(" AND ".join(conditions), prefilter=True)
    found = query.select(["id", "title", "_distance"]).limit(limit).to_list()
    return [{"id": r["id"], "title": r["title"], "distance": r["_distance"]} for r in found]


def _quote(value: str) -> str:
    """Write a value as a SQL string literal."""
    return "'" + value.replace("'", "''") + "'"
