"""Notes that LanceDB embeds by a function of our own."""

import zlib
from collections.abc import Sequence
from pathlib import Path

import lancedb
from lancedb.embeddings import TextEmbeddingFunction, get_registry
from lancedb.pydantic import LanceModel, Vector
from lancedb.table import Table

TABLE = "notes"
NAME = "hashed-words"


def words_to_vector(text: str, size: int) -> list[float]:
    """Count the words of `text` in `size` boxes, by the hash of each word. Given: keep it."""
    boxes = [0.0] * size
    for word in text.lower().split():
        boxes[zlib.crc32(word.encode()) % size] += 1.0
    return boxes


@get_registry().register(NAME)
class HashedWords(TextEmbeddingFunction):
    """Embeds without a model."""

    size: int = 32

    def ndims(self) -> int:
        """The length of the vectors."""
        return self.size

    def generate_embeddings(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        return [words_to_vector(text, self.size) for text in texts]


def create(path: str | Path, size: int = 32) -> None:
    """Create the empty table."""
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    function = get_registry().get(NAME).create(size=size)

    class Note(LanceModel):
        text: str
        vector: Vector(function.ndims())  # type: ignore[valid-type]

    lancedb.connect(str(path)).create_table(TABLE, schema=Note)


def add(path: str | Path, texts: Sequence[str]) -> int:
    """Store notes; LanceDB fills the vectors."""
    table = _open(path)
    if texts:
        table.add(
            [
                {
                    "text": text,
                    "vector": words_to_vector(text, table.schema.field("vector").type.list_size),
                }
                for text in texts
            ]
        )
    return table.count_rows()


def find(path: str | Path, text: str, limit: int = 3) -> list[str]:
    """The texts of the nearest notes; LanceDB embeds the query."""
    table = _open(path)
    vector = words_to_vector(text, table.schema.field("vector").type.list_size)
    query = table.search(vector).distance_type("l2").limit(limit)
    return [row["text"] for row in query.to_list()]


def settings(path: str | Path) -> dict[str, str | int]:
    """What the table says of its embedding."""
    size = _open(path).schema.field("vector").type.list_size
    return {"source": "text", "vector": "vector", "size": size}


def _open(path: str | Path) -> Table:
    return lancedb.connect(str(path)).open_table(TABLE)
