"""Customers by reading, deleting and adding, without merge_insert."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import lancedb
from lancedb.expr import col, lit
from lancedb.pydantic import LanceModel, Vector
from lancedb.table import Table

from .records import check, newest_by_id

DIMENSION = 4


class Customer(LanceModel):
    """One row of the customers table."""

    id: str
    name: str
    revision: int
    vector: Vector(DIMENSION)  # type: ignore[valid-type]


def open_customers(path: str | Path) -> Table:
    """Open the table, creating it where missing."""
    db = lancedb.connect(Path(path))
    if "customers" in db.list_tables().tables:
        return db.open_table("customers")
    return db.create_table("customers", schema=Customer)


def upsert_customers(path: str | Path, records: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Insert or replace, newest revision wins."""
    for record in records:
        check(record, DIMENSION)
    table = open_customers(path)
    known = {row["id"]: row["revision"] for row in table.to_arrow().to_pylist()}
    newest = newest_by_id(records)
    inserts = [record for key, record in newest.items() if key not in known]
    updates = [
        record for key, record in newest.items() if key in known and record["revision"] > known[key]
    ]
    for record in updates:
        table.delete(col("id") == lit(record["id"]))
    if inserts or updates:
        table.add([Customer(**record) for record in (*inserts, *updates)])
    return {
        "inserted": len(inserts),
        "updated": len(updates),
        "ignored": len(records) - len(inserts) - len(updates),
    }


def remove_customers(path: str | Path, ids: Iterable[str]) -> int:
    """Delete one id after the other."""
    table = open_customers(path)
    return sum(table.delete(col("id") == lit(key)).num_deleted_rows for key in ids)


def snapshot(path: str | Path) -> int:
    """Return the latest version number."""
    return max(entry["version"] for entry in open_customers(path).list_versions())


def restore(path: str | Path, version: int) -> None:
    """Check the version out and make it the latest; LanceDB raises ValueError if unknown."""
    table = open_customers(path)
    table.checkout(version)
    table.restore()
