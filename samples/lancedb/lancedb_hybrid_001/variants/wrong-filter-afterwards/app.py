"""Hybrid search over the products of a shop; see catalogue.py for the table."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from lancedb.query import MatchQuery
from lancedb.rerankers import RRFReranker

from .catalogue import SCHEMA, open_products
from .embedding import embed

POOL = 20


def put(path: str | Path, products: Iterable[Mapping[str, Any]]) -> int:
    """Store products; one that is there already by its id is replaced."""
    table = open_products(path)
    by_id = {product["id"]: dict(product) for product in products}
    rows = [{**product, "vector": embed(product["name"])} for product in by_id.values()]
    if rows:
        merge = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
        merge.execute(pa.Table.from_pylist(rows, schema=SCHEMA))
        # What is not in the index yet would be searched row by row.
        table.optimize()
    return table.count_rows()


def remove(path: str | Path, ids: Iterable[str]) -> int:
    """Remove products by their ids."""
    listed = ", ".join(_quote(name) for name in ids)
    return open_products(path).delete(f"id IN ({listed})").num_deleted_rows if listed else 0


def search(
    path: str | Path,
    text: str,
    *,
    category: str | None = None,
    max_cents: int | None = None,
    limit: int = 5,
) -> list[dict[str, Any]]:
    """The best products for `text`."""
    if not 1 <= limit <= POOL:
        raise ValueError(f"limit must be from 1 to {POOL}, not {limit}")
    vector = embed(text)
    if not any(vector):
        return []
    query = open_products(path).search(query_type="hybrid").vector(vector)
    query = query.text(MatchQuery(text, "name")).distance_type("cosine").limit(POOL)
    conditions = []
    if category is not None:
        conditions.append(f"category = {_quote(category)}")
    if max_cents is not None:
        conditions.append(f"cents <= {int(max_cents)}")
    found = query.rerank(RRFReranker(K=60, return_score="all")).to_list()
    if category is not None:
        found = [row for row in found if row["category"] == category]
    if max_cents is not None:
        found = [row for row in found if row["cents"] <= max_cents]
    return [_hit(row) for row in found[:limit]]


def _hit(row: dict[str, Any]) -> dict[str, Any]:
    scores = {"text": row.get("_score"), "vector": row.get("_distance")}
    return {
        "id": row["id"],
        "name": row["name"],
        "score": row["_relevance_score"],
        "found_by": [way for way, score in scores.items() if score is not None],
    }


def _quote(value: str) -> str:
    """Write a value as a SQL string literal."""
    return "'" + value.replace("'", "''") + "'"
