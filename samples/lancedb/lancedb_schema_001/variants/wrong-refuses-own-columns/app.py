"""Upgrade the table `products` of a LanceDB database from any of its former layouts."""

from pathlib import Path

import lancedb
import pyarrow as pa
from lancedb.table import Table

TABLE = "products"
LATEST = 3

LAYOUTS: dict[int, dict[str, pa.DataType]] = {
    1: {
        "id": pa.int64(),
        "name": pa.string(),
        "cents": pa.int32(),
        "legacy_code": pa.string(),
    },
    2: {
        "id": pa.int64(),
        "title": pa.string(),
        "cents": pa.int64(),
        "legacy_code": pa.string(),
    },
    3: {
        "id": pa.int64(),
        "title": pa.string(),
        "cents": pa.int64(),
        "price": pa.float64(),
        "note": pa.string(),
    },
}
KNOWN = {name for columns in LAYOUTS.values() for name in columns}


def layout(path: str | Path) -> int:
    """The number of the layout that the table has."""
    return _layout_of(_open(path))


def upgrade(path: str | Path, to: int = LATEST) -> list[int]:
    """Bring the table to layout `to`; returns the layouts it went through."""
    table = _open(path)
    present = _layout_of(table)
    if to not in LAYOUTS:
        raise ValueError(f"there is no layout {to}")
    if to < present:
        raise ValueError(f"the table has layout {present}, which is newer than {to}")
    steps = list(range(present + 1, to + 1))
    for step in steps:
        (_to_second if step == 2 else _to_third)(table)
    return steps


def _to_second(table: Table) -> None:
    table.alter_columns(
        {"path": "name", "rename": "title"}, {"path": "cents", "data_type": pa.int64()}
    )


def _to_third(table: Table) -> None:
    # Division of integers would cut the fraction off.
    table.add_columns({"price": "CAST(cents AS DOUBLE) / 100", "note": "CAST(NULL AS STRING)"})
    table.drop_columns(["legacy_code"])


def _open(path: str | Path) -> Table:
    # connect() would create a missing folder.
    if not Path(path).is_dir():
        raise LookupError(f"no database at {path}")
    db = lancedb.connect(str(path))
    if TABLE not in db.list_tables().tables:
        raise LookupError(f"no table {TABLE!r} in {path}")
    return db.open_table(TABLE)


def _layout_of(table: Table) -> int:
    present = {field.name: field.type for field in table.schema}
    for number, columns in LAYOUTS.items():
        if present == columns:
            return number
    raise ValueError(f"the columns {sorted(present)} are no layout of {TABLE!r}")
