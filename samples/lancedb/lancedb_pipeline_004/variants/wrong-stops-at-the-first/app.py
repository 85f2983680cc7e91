"""Find what fits a question among the chunks of documents; see store.py for the table."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from lancedb.query import ColumnOrdering
from lancedb.table import Table

from .chunks import split
from .embedding import embed
from .store import SCHEMA, open_chunks, quote

PER_DOC = 2
BY_NUMBER = [ColumnOrdering(column_name="number", ascending=True, nulls_first=False)]


def put(path: str | Path, doc: str, text: str, labels: Sequence[str]) -> int:
    """Store the chunks of a document in place of those that it had."""
    if not labels:
        raise ValueError(f"the document {doc!r} has no labels")
    rows = [
        {"doc": doc, "number": n, "text": chunk, "labels": list(labels), "vector": embed(chunk)}
        for n, chunk in enumerate(split(text))
    ]
    if not rows:
        drop(path, doc)
        return 0
    # One commit: chunks are updated, added and, where there are fewer now, deleted.
    merge = open_chunks(path).merge_insert(["doc", "number"])
    merge = merge.when_matched_update_all().when_not_matched_insert_all()
    merge = merge.when_not_matched_by_source_delete(f"doc = {quote(doc)}")
    merge.execute(pa.Table.from_pylist(rows, schema=SCHEMA))
    return len(rows)


def drop(path: str | Path, doc: str) -> int:
    """Remove a document; returns how many chunks it had."""
    return open_chunks(path).delete(f"doc = {quote(doc)}").num_deleted_rows


def context(
    path: str | Path,
    question: str,
    labels: Sequence[str],
    *,
    hits: int = 4,
    budget: int = 120,
) -> list[dict[str, Any]]:
    """Passages for a question."""
    if hits < 1:
        raise ValueError(f"hits must be at least 1, not {hits}")
    if not labels or not question.split():
        return []
    table = open_chunks(path)
    passages = []
    left = budget
    for doc, first, last in _joined(_nearest(table, question, labels, hits)):
        passage = _passage(table, doc, first, last)
        words = len(passage["text"].split())
        if words > left:
            break
        left -= words
        passages.append(passage)
    return passages


def _nearest(
    table: Table, question: str, labels: Sequence[str], hits: int
) -> list[tuple[str, int]]:
    """Document and number of the best chunks, not too many of one document."""
    allowed = " OR ".join(f"array_has(labels, {quote(label)})" for label in labels)
    query = table.search(embed(question), vector_column_name="vector").distance_type("cosine")
    # One document may own all the nearest chunks, so rank every chunk before choosing.
    query = query.where(allowed).select(["doc", "number", "_distance"])
    ranked = query.limit(max(table.count_rows(), 1)).to_list()
    taken: Counter[str] = Counter()
    chosen = []
    for row in ranked:
        if taken[row["doc"]] < PER_DOC and len(chosen) < hits:
            taken[row["doc"]] += 1
            chosen.append((row["doc"], row["number"]))
    return chosen


def _joined(chosen: list[tuple[str, int]]) -> list[tuple[str, int, int]]:
    """Ranges of chunks with their neighbours, those that touch as one."""
    ranges: list[tuple[str, int, int]] = []
    for doc, number in chosen:
        first, last = max(number - 1, 0), number + 1
        for place, (other, low, high) in enumerate(ranges):
            if other == doc and first <= high + 1 and low <= last + 1:
                ranges[place] = (doc, min(first, low), max(last, high))
                break
        else:
            ranges.append((doc, first, last))
    return ranges


def _passage(table: Table, doc: str, first: int, last: int) -> dict[str, Any]:
    condition = f"doc = {quote(doc)} AND number >= {first} AND number <= {last}"
    rows = table.search().where(condition).order_by(BY_NUMBER).to_list()
    text = "\n".join(row["text"] for row in rows)
    return {"doc": doc, "first": rows[0]["number"], "last": rows[-1]["number"], "text": text}
