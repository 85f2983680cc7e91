# Wrong: more_like takes the first hit for the article itself; it may be another with its vector.
from pathlib import Path

import lancedb

TABLE = "articles"
DIMENSION = 4


def _open(path):
    db = lancedb.connect(str(path))
    if TABLE not in db.list_tables().tables:
        raise LookupError(f"Table {TABLE} not found")
    return db.open_table(TABLE)


def _sql(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _hits(rows):
    return [{"id": r["id"], "title": r["title"], "distance": r["_distance"]} for r in rows]


def find_similar(
    path: str | Path,
    vector,
    *,
    limit: int = 5,
    metric: str = "cosine",
    topics=None,
    min_year=None,
    max_distance=None,
):
    """Find similar articles."""
    if limit < 1:
        raise ValueError("limit must be at least 1")
    if len(vector) != DIMENSION:
        raise ValueError("vector has the wrong dimension")
    if metric not in ("cosine", "l2", "dot"):
        raise ValueError("unknown metric")
    table = _open(path)
    if topics is not None and not topics:
        return []
    query = table.search(vector).metric(metric).limit(limit)
    filters = []
    if topics is not None:
        filters.append("topic IN (" + ", ".join(_sql(topic) for topic in topics) + ")")
    if min_year is not None:
        filters.append(f"year >= {min_year}")
    if filters:
        query = query.where(" AND ".join(filters))
    hits = _hits(query.to_list())
    if max_distance is not None:
        hits = [hit for hit in hits if hit["distance"] <= max_distance]
    return hits


def more_like(path: str | Path, article_id: str, *, limit: int = 5):
    """Find articles like a stored one."""
    if limit < 1:
        raise ValueError("limit must be at least 1")
    table = _open(path)
    rows = table.search().where(f"id = {_sql(article_id)}").limit(1).to_list()
    if not rows:
        raise LookupError(f"Article {article_id} not found")
    similar = table.search(rows[0]["vector"]).metric("cosine").limit(limit + 1).to_list()
    return _hits(similar[1:])
