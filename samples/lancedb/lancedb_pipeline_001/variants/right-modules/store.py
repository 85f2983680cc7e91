"""The table of chunks, one digest per document to tell whether it changed."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import lancedb
from lancedb.pydantic import LanceModel, Vector

from .text import DIMENSION, embed


class Chunk(LanceModel):
    """One row of the table."""

    doc_id: str
    chunk_no: int
    text: str
    digest: str
    vector: Vector(DIMENSION)  # type: ignore[valid-type]


def digest_of(text: str) -> str:
    """Return a digest of the words, whatever the whitespace between them."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


class ChunkStore:
    """Chunks of one database."""

    def __init__(self, path: str | Path) -> None:
        """Open the table, creating it where missing."""
        self.table = lancedb.connect(path).create_table("chunks", schema=Chunk, exist_ok=True)

    def digests(self) -> dict[str, str]:
        """Return the digest of each stored document."""
        rows = self.table.search().select(["doc_id", "digest"]).to_list()
        return {row["doc_id"]: row["digest"] for row in rows}

    def write(self, doc_id: str, digest: str, chunks: Sequence[str]) -> None:
        """Replace a document's rows in one step; no chunks remove it."""
        own = "doc_id = '{}'".format(doc_id.replace("'", "''"))
        if not chunks:
            self.table.delete(own)
            return
        rows = [
            Chunk(doc_id=doc_id, chunk_no=number, text=text, digest=digest, vector=embed(text))
            for number, text in enumerate(chunks)
        ]
        (
            self.table.merge_insert(["doc_id", "chunk_no"])
            .when_matched_update_all()
            .when_not_matched_insert_all()
            .when_not_matched_by_source_delete(own)
            .execute(rows)
        )

    def nearest(self, vector: list[float], doc_id: str) -> dict[str, Any]:
        """Return a document's row that is nearest to the vector."""
        own = "doc_id = '{}'".format(doc_id.replace("'", "''"))
        query = self.table.search(vector).distance_type("cosine").where(own, prefilter=True)
        return query.limit(1).to_list()[0]
