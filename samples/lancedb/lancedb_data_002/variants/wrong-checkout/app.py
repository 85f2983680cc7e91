# Wrong: checkout changes what this handle reads; the table itself stays as it was.

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.table import Table

TABLE = "customers"
DIMENSION = 4

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string()),
        pa.field("name", pa.string()),
        pa.field("revision", pa.int64()),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)


def upsert_customers(path: str | Path, records: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Insert unknown ids and replace older revisions; ValueError for a malformed record."""
    newest = _newest(records)
    table = _open(path)
    if not newest:
        return {"inserted": 0, "updated": 0, "ignored": 0}
    result = (
        table.merge_insert("id")
        .when_matched_update_all(where="source.revision > target.revision")
        .when_not_matched_insert_all()
        .execute(pa.Table.from_pylist(newest, schema=SCHEMA))
    )
    inserted, updated = result.num_inserted_rows, result.num_updated_rows
    return {
        "inserted": inserted,
        "updated": updated,
        "ignored": len(records) - inserted - updated,
    }


def remove_customers(path: str | Path, ids: Iterable[str]) -> int:
    """Delete the customers with these ids and return how many rows went."""
    table = _open(path)
    # IN () is no valid filter.
    quoted = ", ".join("'" + name.replace("'", "''") + "'" for name in set(ids))
    return table.delete(f"id IN ({quoted})").num_deleted_rows if quoted else 0


def snapshot(path: str | Path) -> int:
    """Return the table's present version."""
    return _open(path).version


def restore(path: str | Path, version: int) -> None:
    """Go back to an earlier version; ValueError if there is none."""
    table = _open(path)
    if version not in {known["version"] for known in table.list_versions()}:
        raise ValueError(f"table {TABLE!r} has no version {version}")
    table.checkout(version)


def _newest(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    newest: dict[str, dict[str, Any]] = {}
    for record in records:
        missing = set(SCHEMA.names) - set(record)
        if missing:
            raise ValueError(f"record lacks {sorted(missing)}")
        if len(record["vector"]) != DIMENSION:
            raise ValueError(f"vector of {record['id']!r} does not have {DIMENSION} numbers")
        rival = newest.get(record["id"])
        if rival is None or record["revision"] > rival["revision"]:
            newest[record["id"]] = dict(record)
    return list(newest.values())


def _open(path: str | Path) -> Table:
    return lancedb.connect(str(path)).create_table(TABLE, schema=SCHEMA, exist_ok=True)
