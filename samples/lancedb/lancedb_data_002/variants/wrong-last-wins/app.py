# Wrong: of several records with one id the last counts, not the one with the greatest revision.
from pathlib import Path

import lancedb
import pyarrow as pa

TABLE = "customers"
DIMENSION = 4
REQUIRED = {"id", "name", "revision", "vector"}

schema = pa.schema(
    [
        ("id", pa.string()),
        ("name", pa.string()),
        ("revision", pa.int64()),
        ("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)


def _table(path):
    return lancedb.connect(str(path)).create_table(TABLE, schema=schema, exist_ok=True)


def upsert_customers(path: str | Path, records) -> dict[str, int]:
    """Upsert customers."""
    for record in records:
        if not set(record) >= REQUIRED:
            raise ValueError("Record is missing keys")
        if len(record["vector"]) != DIMENSION:
            raise ValueError("Vector has the wrong dimension")
    table = _table(path)
    if not records:
        return {"inserted": 0, "updated": 0, "ignored": 0}
    unique = {record["id"]: dict(record) for record in records}
    result = (
        table.merge_insert("id")
        .when_matched_update_all(where="target.revision < source.revision")
        .when_not_matched_insert_all()
        .execute(list(unique.values()))
    )
    return {
        "inserted": result.num_inserted_rows,
        "updated": result.num_updated_rows,
        "ignored": len(records) - result.num_inserted_rows - result.num_updated_rows,
    }


def remove_customers(path: str | Path, ids) -> int:
    """Remove customers."""
    table = _table(path)
    ids = list(ids)
    if not ids:
        return 0
    before = table.count_rows()
    values = ", ".join("'{}'".format(i.replace("'", "''")) for i in ids)
    table.delete(f"id IN ({values})")
    return before - table.count_rows()


def snapshot(path: str | Path) -> int:
    """Return the version."""
    return _table(path).version


def restore(path: str | Path, version: int) -> None:
    """Restore a version."""
    _table(path).restore(version)
