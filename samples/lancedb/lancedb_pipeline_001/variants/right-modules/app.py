"""Mirror documents and search them; text.py cuts and embeds, store.py keeps."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .store import ChunkStore, digest_of
from .text import DIMENSION, chunk, embed

__all__ = ["DIMENSION", "chunk", "embed", "search", "sync"]


def sync(path: str | Path, documents: Mapping[str, str]) -> dict[str, list[str]]:
    """Make the table mirror the documents."""
    store = ChunkStore(path)
    stored = store.digests()
    report: dict[str, list[str]] = {
        "added": [],
        "updated": [],
        "removed": [],
        "unchanged": [],
    }
    for doc_id in sorted(stored.keys() | documents.keys()):
        chunks = chunk(documents.get(doc_id, ""))
        digest = digest_of(documents.get(doc_id, ""))
        if not chunks and doc_id not in stored:
            continue
        if chunks and stored.get(doc_id) == digest:
            report["unchanged"].append(doc_id)
            continue
        store.write(doc_id, digest, chunks)
        outcome = "added" if doc_id not in stored else "updated" if chunks else "removed"
        report[outcome].append(doc_id)
    return report


def search(path: str | Path, query: str, limit: int = 3) -> list[dict[str, Any]]:
    """Ask for the nearest chunk of each document, then rank the documents."""
    if limit < 1 or not query.strip():
        raise ValueError("need a query and a positive limit")
    store = ChunkStore(path)
    vector = embed(query)
    best = [store.nearest(vector, doc_id) for doc_id in store.digests()]
    best.sort(key=lambda row: row["_distance"])
    return [
        {
            "doc_id": row["doc_id"],
            "chunk_no": row["chunk_no"],
            "text": row["text"],
            "distance": row["_distance"],
        }
        for row in best[:limit]
    ]
