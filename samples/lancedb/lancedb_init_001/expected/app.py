"""Open the notes table of a local LanceDB database, creating what is missing."""

from pathlib import Path

import lancedb
import pyarrow as pa
from lancedb.table import Table

TABLE = "notes"
DIMENSION = 8

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string()),
        pa.field("body", pa.string()),
        pa.field("created_at", pa.timestamp("us")),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)


def open_notes(path: str | Path) -> Table:
    """Return the notes table, created empty where missing; ValueError if its columns differ."""
    db = lancedb.connect(str(path))
    if TABLE not in db.list_tables().tables:
        return db.create_table(TABLE, schema=SCHEMA)
    table = db.open_table(TABLE)
    if _columns(table.schema) != _columns(SCHEMA):
        raise ValueError(f"table {TABLE!r} has other columns: {table.schema.names}")
    return table


def describe(path: str | Path) -> dict[str, object]:
    """Return all table names and the number of notes; FileNotFoundError without a database."""
    # connect() would create the folder, so look first.
    if not Path(path).is_dir():
        raise FileNotFoundError(f"no database at {path}")
    db = lancedb.connect(str(path))
    names = sorted(db.list_tables().tables)
    return {"tables": names, "notes": db.open_table(TABLE).count_rows() if TABLE in names else 0}


def _columns(schema: pa.Schema) -> dict[str, pa.DataType]:
    return {field.name: field.type for field in schema}
