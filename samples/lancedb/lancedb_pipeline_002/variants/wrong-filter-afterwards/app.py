"""Fold near-duplicate messages into stories; see store.py for the tables."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from lancedb.query import ColumnOrdering
from lancedb.table import Table

from .embedding import embed
from .store import STORIES, batches, quote, stories

THRESHOLD = 0.25
WINDOW = 86_400
MOST_COPIES = [
    ColumnOrdering(column_name="copies", ascending=False, nulls_first=False),
    ColumnOrdering(column_name="id", ascending=True, nulls_first=False),
]


def ingest(
    path: str | Path,
    batch: str,
    messages: Iterable[Mapping[str, Any]],
    *,
    threshold: float = THRESHOLD,
    window: int = WINDOW,
) -> dict[str, Any]:
    """Take a batch of messages in."""
    table, log = stories(path), batches(path)
    if log.count_rows(f"batch = {quote(batch)}"):
        return {"kept": [], "merged": {}, "skipped": True}
    ordered = sorted(messages, key=lambda message: (message["at"], message["id"]))
    _check(table, ordered)
    # What this batch makes or changes is written at its end, in one commit.
    touched: dict[str, dict[str, Any]] = {}
    kept: list[str] = []
    merged: dict[str, str] = {}
    for message in ordered:
        vector = embed(message["text"])
        earliest = message["at"] - window
        distance, story = min(
            [*_stored(table, vector, earliest, touched), *_near(vector, earliest, touched)],
            key=lambda candidate: candidate[0],
            default=(math.inf, None),
        )
        if story is not None and distance <= threshold:
            story["copies"] += 1
            story["last"] = max(story["last"], message["at"])
            merged[message["id"]] = story["id"]
        else:
            story = {
                "id": message["id"],
                "text": message["text"],
                "first": message["at"],
                "last": message["at"],
                "copies": 0,
                "vector": vector,
            }
            kept.append(message["id"])
        touched[story["id"]] = story
    if touched:
        merge = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
        merge.execute(pa.Table.from_pylist(list(touched.values()), schema=STORIES))
    log.add([{"batch": batch, "kept": len(kept), "merged": len(merged)}])
    return {"kept": kept, "merged": merged, "skipped": False}


def top(path: str | Path, since: int = 0, limit: int = 5) -> list[dict[str, Any]]:
    """The stories with the most copies."""
    query = stories(path).search().where(f"last >= {int(since)}")
    return query.select(["id", "text", "copies"]).order_by(MOST_COPIES).limit(limit).to_list()


def _check(table: Table, messages: Sequence[Mapping[str, Any]]) -> None:
    """ValueError if a message is unusable."""
    seen: set[str] = set()
    for message in messages:
        if not message["text"].split():
            raise ValueError(f"the message {message['id']!r} has no words")
        if message["id"] in seen or table.count_rows(f"id = {quote(message['id'])}"):
            raise ValueError(f"the id {message['id']!r} is there already")
        seen.add(message["id"])


def _stored(
    table: Table, vector: list[float], earliest: int, touched: Mapping[str, Any]
) -> list[tuple[float, dict[str, Any]]]:
    """The nearest story that this batch has not touched."""
    condition = f"last >= {earliest}"
    if touched:
        condition += f" AND id NOT IN ({', '.join(map(quote, touched))})"
    query = table.search(vector, vector_column_name="vector").distance_type("cosine")
    return [
        (row.pop("_distance"), row)
        for row in query.where(condition, prefilter=False).limit(1).to_list()
    ]


def _near(
    vector: list[float], earliest: int, touched: Mapping[str, dict[str, Any]]
) -> list[tuple[float, dict[str, Any]]]:
    """The stories that this batch has touched, with their distances."""
    recent = [story for story in touched.values() if story["last"] >= earliest]
    return [(_cosine(vector, story["vector"]), story) for story in recent]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return 1 - sum(a * b for a, b in zip(one, other, strict=True)) / (
        math.hypot(*one) * math.hypot(*other)
    )
