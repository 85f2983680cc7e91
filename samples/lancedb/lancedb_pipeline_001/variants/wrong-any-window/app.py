# Wrong: cuts by any window, also an impossible one.
"""Mirror a set of documents into LanceDB as embedded chunks, and search them."""

import math
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.table import Table

TABLE = "chunks"
DIMENSION = 64

SCHEMA = pa.schema(
    [
        pa.field("doc_id", pa.string()),
        pa.field("chunk_no", pa.int64()),
        pa.field("text", pa.string()),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)


def embed(text: str) -> list[float]:
    """Hash the words of `text` into a unit vector; all zeros if it has no words. Given: keep it."""
    counts = [0.0] * DIMENSION
    for word in text.lower().split():
        counts[zlib.crc32(word.encode()) % DIMENSION] += 1.0
    length = math.sqrt(sum(count * count for count in counts))
    return [count / length for count in counts] if length else counts


def chunk(text: str, size: int = 12, overlap: int = 4) -> list[str]:
    """Cut `text` into overlapping windows of words; ValueError unless 0 <= overlap < size."""
    words = text.split()
    if not words:
        return []
    # A window that starts within the last `overlap` words would only repeat its predecessor's end.
    starts = range(0, max(len(words) - overlap, 1), size - overlap)
    return [" ".join(words[start : start + size]) for start in starts]


def sync(path: str | Path, documents: Mapping[str, str]) -> dict[str, list[str]]:
    """Make the table hold exactly the chunks of `documents` and report what changed."""
    table = _open(path)
    stored = _stored_chunks(table)
    wanted = {doc_id: chunks for doc_id, text in documents.items() if (chunks := chunk(text))}
    common = wanted.keys() & stored.keys()
    report = {
        "added": sorted(wanted.keys() - stored.keys()),
        "updated": sorted(doc_id for doc_id in common if wanted[doc_id] != stored[doc_id]),
        "removed": sorted(stored.keys() - wanted.keys()),
        "unchanged": sorted(doc_id for doc_id in common if wanted[doc_id] == stored[doc_id]),
    }
    # Even a delete that matches nothing writes a new version.
    if outdated := report["removed"] + report["updated"]:
        table.delete(f"doc_id IN ({', '.join(map(_quote, outdated))})")
    if fresh := report["added"] + report["updated"]:
        table.add(pa.Table.from_pylist(_rows(wanted, fresh), schema=SCHEMA))
    return report


def search(path: str | Path, query: str, limit: int = 3) -> list[dict[str, Any]]:
    """Return the nearest documents, each by its nearest chunk."""
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit}")
    if not query.split():
        raise ValueError("the query has no words")
    table = _open(path)
    total = table.count_rows()
    if not total:
        return []
    # One document may own all the nearest chunks, so rank every chunk before cutting.
    ranked = table.search(embed(query)).distance_type("cosine").limit(total).to_list()
    best: dict[str, dict[str, Any]] = {}
    for row in ranked:
        hit = {key: row[key] for key in ("doc_id", "chunk_no", "text")}
        best.setdefault(row["doc_id"], {**hit, "distance": row["_distance"]})
    return list(best.values())[:limit]


def _open(path: str | Path) -> Table:
    return lancedb.connect(str(path)).create_table(TABLE, schema=SCHEMA, exist_ok=True)


def _stored_chunks(table: Table) -> dict[str, list[str]]:
    rows = table.search().select(["doc_id", "chunk_no", "text"]).to_list()
    stored: dict[str, list[str]] = {}
    for row in sorted(rows, key=lambda row: row["chunk_no"]):
        stored.setdefault(row["doc_id"], []).append(row["text"])
    return stored


def _rows(wanted: Mapping[str, list[str]], doc_ids: Iterable[str]) -> list[dict[str, Any]]:
    return [
        {"doc_id": doc_id, "chunk_no": number, "text": text, "vector": embed(text)}
        for doc_id in doc_ids
        for number, text in enumerate(wanted[doc_id])
    ]


def _quote(value: str) -> str:
    """Write a value as a SQL string literal."""
    return "'" + value.replace("'", "''") + "'"
