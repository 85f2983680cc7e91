"""The table of chunks."""

from pathlib import Path

import lancedb
import pyarrow as pa
from lancedb.table import Table

from .embedding import DIMENSION

TABLE = "chunks"
SCHEMA = pa.schema(
    [
        pa.field("doc", pa.string()),
        pa.field("number", pa.int64()),
        pa.field("text", pa.string()),
        pa.field("labels", pa.list_(pa.string())),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)


def open_chunks(path: str | Path) -> Table:
    """The table, which is made where it is missing, as is the folder."""
    return lancedb.connect(str(path)).create_table(TABLE, schema=SCHEMA, exist_ok=True)


def quote(value: str) -> str:
    """Write a value as a SQL string literal."""
    return "'" + value.replace("'", "''") + "'"
