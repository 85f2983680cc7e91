"""The products of a shop in LanceDB, and their indexes."""

from pathlib import Path

import lancedb
import pyarrow as pa
from lancedb.index import FTS
from lancedb.table import Table

from .embedding import DIMENSION

TABLE = "products"
SCHEMA = pa.schema(
    [
        pa.field("id", pa.string()),
        pa.field("name", pa.string()),
        pa.field("category", pa.string()),
        pa.field("cents", pa.int64()),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)


def open_products(path: str | Path) -> Table:
    """The table, which is made with its full-text index where it is missing."""
    db = lancedb.connect(str(path))
    if TABLE in db.list_tables().tables:
        return db.open_table(TABLE)
    table = db.create_table(TABLE, schema=SCHEMA)
    table.create_index("name", config=FTS())
    return table
