# Wrong: table_names() gives only the first ten names, so later tables are taken for missing.
from pathlib import Path

import lancedb
import pyarrow as pa

TABLE = "notes"
DIMENSION = 8


def _schema() -> pa.Schema:
    return pa.schema(
        [
            ("id", pa.string()),
            ("body", pa.string()),
            ("created_at", pa.timestamp("us")),
            ("vector", pa.list_(pa.float32(), DIMENSION)),
        ]
    )


def open_notes(path: str | Path):
    """Open the notes table, creating it if needed."""
    db = lancedb.connect(str(path))
    return db.create_table(TABLE, schema=_schema(), exist_ok=True)


def describe(path: str | Path) -> dict[str, object]:
    """Describe the database."""
    path = Path(path)
    if not path.is_dir():
        raise FileNotFoundError(f"Database not found: {path}")
    db = lancedb.connect(str(path))
    names = sorted(db.table_names())
    notes = db.open_table(TABLE).count_rows() if TABLE in names else 0
    return {"tables": names, "notes": notes}
