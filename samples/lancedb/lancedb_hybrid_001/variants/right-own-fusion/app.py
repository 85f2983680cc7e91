"""Two searches, fused here; conditions are expressions."""

from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

from lancedb.expr import col, lit
from lancedb.query import MatchQuery

from .catalogue import open_products
from .embedding import embed

POOL = 20


def put(path: str | Path, products: Iterable[Mapping[str, Any]]) -> int:
    """Delete what is replaced, then add."""
    latest = {product["id"]: product for product in products}
    table = open_products(path)
    if latest:
        remove(path, latest)
        table = open_products(path)
        table.add([{**row, "vector": embed(row["name"])} for row in latest.values()])
        table.optimize()
    return table.count_rows()


def remove(path: str | Path, ids: Iterable[str]) -> int:
    """Delete one by one."""
    table = open_products(path)
    before = table.count_rows()
    for name in ids:
        table.delete(col("id") == lit(name))
    return before - table.count_rows()


def search(
    path: str | Path,
    text: str,
    *,
    category: str | None = None,
    max_cents: int | None = None,
    limit: int = 5,
) -> list[dict[str, Any]]:
    """Rank twice and join."""
    if limit not in range(1, POOL + 1):
        raise ValueError(limit)
    if sum(character.isalnum() for character in text) < 2:
        return []
    table = open_products(path)
    conditions = []
    if category is not None:
        conditions.append(col("category") == lit(category))
    if max_cents is not None:
        conditions.append(col("cents") <= lit(max_cents))
    rankings = {
        "text": table.search(MatchQuery(text, "name"), query_type="fts"),
        "vector": table.search(embed(text), vector_column_name="vector").metric("cosine"),
    }
    hits: dict[str, dict[str, Any]] = {}
    for way, query in rankings.items():
        if conditions:
            query = query.where(reduce(lambda a, b: a & b, conditions))
        for rank, row in enumerate(query.limit(POOL).to_list(), 1):
            hit = hits.setdefault(
                row["id"], {"id": row["id"], "name": row["name"], "score": 0.0, "found_by": []}
            )
            hit["score"] += 1 / (60 + rank)
            hit["found_by"].append(way)
    return sorted(hits.values(), key=lambda hit: -hit["score"])[:limit]
