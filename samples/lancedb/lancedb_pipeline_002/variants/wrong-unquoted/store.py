"""The tables of the news desk."""

from pathlib import Path

import lancedb
import pyarrow as pa
from lancedb.table import Table

from .embedding import DIMENSION

STORIES = pa.schema(
    [
        pa.field("id", pa.string()),
        pa.field("text", pa.string()),
        pa.field("first", pa.int64()),
        pa.field("last", pa.int64()),
        pa.field("copies", pa.int64()),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)
BATCHES = pa.schema(
    [
        pa.field("batch", pa.string()),
        pa.field("kept", pa.int64()),
        pa.field("merged", pa.int64()),
    ]
)


def stories(path: str | Path) -> Table:
    """The table `stories`."""
    return lancedb.connect(str(path)).create_table("stories", schema=STORIES, exist_ok=True)


def batches(path: str | Path) -> Table:
    """The table `batches`."""
    return lancedb.connect(str(path)).create_table("batches", schema=BATCHES, exist_ok=True)


def quote(value: str) -> str:
    """Write a value as a SQL string literal."""
    return f"'{value}'"
