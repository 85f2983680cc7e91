"""The table is made from an Arrow schema and an EmbeddingFunctionConfig."""

import zlib
from collections.abc import Sequence
from pathlib import Path

import lancedb
import pyarrow as pa
from lancedb.embeddings import EmbeddingFunctionConfig

from .hashing import Hashed

TABLE = "notes"
NAME = "hashed-words"


def words_to_vector(text: str, size: int) -> list[float]:
    """Count the words of `text` in `size` boxes, by the hash of each word. Given: keep it."""
    boxes = [0.0] * size
    for word in text.lower().split():
        boxes[zlib.crc32(word.encode()) % size] += 1.0
    return boxes


def create(path: str | Path, size: int = 32) -> None:
    """Create the table."""
    if not size >= 1:
        raise ValueError(size)
    config = EmbeddingFunctionConfig(
        vector_column="vector", source_column="text", function=Hashed.create(size=size)
    )
    schema = pa.schema({"text": pa.string(), "vector": pa.list_(pa.float32(), size)})
    db = lancedb.connect(path)
    db.create_table(TABLE, schema=schema, embedding_functions=[config], mode="create")


def add(path: str | Path, texts: Sequence[str]) -> int:
    """Add an Arrow table of texts."""
    table = lancedb.connect(path).open_table(TABLE)
    if len(texts):
        table.add(pa.table({"text": pa.array(list(texts), pa.string())}))
    return len(table)


def find(path: str | Path, text: str, limit: int = 3) -> list[str]:
    """Let the table's own function embed the query."""
    table = lancedb.connect(path).open_table(TABLE)
    return table.search(text).limit(limit).to_arrow()["text"].to_pylist()


def settings(path: str | Path) -> dict[str, str | int]:
    """Read the vector's own type."""
    table = lancedb.connect(path).open_table(TABLE)
    config = next(iter(table.embedding_functions.values()))
    size = table.schema.field(config.vector_column).type.list_size
    return {"source": config.source_column, "vector": config.vector_column, "size": size}
