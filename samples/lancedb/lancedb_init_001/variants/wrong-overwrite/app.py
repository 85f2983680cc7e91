# Wrong: mode="overwrite" throws away the rows of an existing table whenever it is opened.
from pathlib import Path

import lancedb
import pyarrow as pa

TABLE = "notes"
DIMENSION = 8

schema = pa.schema(
    [
        pa.field("id", pa.string()),
        pa.field("body", pa.string()),
        pa.field("created_at", pa.timestamp("us")),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)


def open_notes(path: str | Path):
    """Open the notes table."""
    db = lancedb.connect(str(path))
    return db.create_table(TABLE, schema=schema, mode="overwrite")


def describe(path: str | Path) -> dict[str, object]:
    """Describe the database."""
    if not Path(path).is_dir():
        raise FileNotFoundError(path)
    db = lancedb.connect(str(path))
    tables = sorted(db.list_tables().tables)
    return {"tables": tables, "notes": db.open_table(TABLE).count_rows() if TABLE in tables else 0}
