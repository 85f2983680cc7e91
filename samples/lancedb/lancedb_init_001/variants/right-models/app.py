"""Notes database on a pydantic model; the columns live in models.py."""

from pathlib import Path

import lancedb
from lancedb.table import Table

from .models import DIMENSION, Note

__all__ = ["DIMENSION", "TABLE", "describe", "open_notes"]

TABLE = "notes"


def open_notes(path: str | Path) -> Table:
    """Let LanceDB decide: it opens a table of this schema and refuses another with ValueError."""
    db = lancedb.connect(Path(path))
    return db.create_table(TABLE, schema=Note, mode="create", exist_ok=True)


def describe(path: str | Path) -> dict[str, object]:
    """Count the notes and name the tables of an existing database."""
    folder = Path(path)
    if not folder.exists() or not folder.is_dir():
        raise FileNotFoundError(str(folder))
    db = lancedb.connect(folder)
    try:
        notes = len(db.open_table(TABLE))
    except ValueError:
        notes = 0
    return {"tables": sorted(db.list_tables().tables), "notes": notes}
