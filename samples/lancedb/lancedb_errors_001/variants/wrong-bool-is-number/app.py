"""Store readings in LanceDB, and keep those that can't be stored with the reason."""

import json
import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.table import Table

READINGS = "readings"
REJECTED = "rejected"
DIMENSION = 3
SCHEMAS = {
    READINGS: pa.schema(
        [
            pa.field("id", pa.string()),
            pa.field("at", pa.int64()),
            pa.field("value", pa.float64()),
            pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
        ]
    ),
    REJECTED: pa.schema(
        [
            pa.field("source", pa.string()),
            pa.field("position", pa.int64()),
            pa.field("reason", pa.string()),
            pa.field("record", pa.string()),
        ]
    ),
}
FIELDS = ("id", "at", "value", "vector")


def ingest(
    path: str | Path, source: str, records: Iterable[Any], *, strict: bool = False
) -> dict[str, Any]:
    """Store the good records, keep the bad ones."""
    db = lancedb.connect(str(path))
    present = db.list_tables().tables
    for name in SCHEMAS:
        if name in present:
            _check_columns(db.open_table(name), name)
    known = _known_ids(db.open_table(READINGS)) if READINGS in present else set()
    good: list[dict[str, Any]] = []
    bad: list[dict[str, Any]] = []
    for position, record in enumerate(records):
        reason = _reason(record)
        if reason is None and record["id"] in known:
            reason = "repeated"
        if reason is None:
            known.add(record["id"])
            good.append({field: record[field] for field in FIELDS})
            continue
        if strict:
            raise ValueError(f"position {position}: {reason}")
        text = json.dumps(record, default=str)
        bad.append({"source": source, "position": position, "reason": reason, "record": text})
    for name, rows in ((READINGS, good), (REJECTED, bad)):
        table = db.create_table(name, schema=SCHEMAS[name], exist_ok=True)
        if rows:
            table.add(pa.Table.from_pylist(rows, schema=SCHEMAS[name]))
    return {"stored": len(good), "rejected": dict(Counter(row["reason"] for row in bad))}


def rejected(path: str | Path, source: str) -> list[list[Any]]:
    """[position, reason] of every record that was rejected from this source."""
    # connect() would create a missing folder.
    if not Path(path).is_dir():
        return []
    db = lancedb.connect(str(path))
    if REJECTED not in db.list_tables().tables:
        return []
    quoted = source.replace("'", "''")
    found = db.open_table(REJECTED).search().where(f"source = '{quoted}'").to_list()
    return sorted([row["position"], row["reason"]] for row in found)


def _check_columns(table: Table, name: str) -> None:
    present = {field.name: field.type for field in table.schema}
    if present != {field.name: field.type for field in SCHEMAS[name]}:
        raise RuntimeError(f"the table {name!r} has other columns: {sorted(present)}")


def _known_ids(table: Table) -> set[str]:
    return {row["id"] for row in table.search().select(["id"]).to_list()}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _fits(field: str, value: Any) -> bool:
    if field == "id":
        return isinstance(value, str) and value != ""
    if field == "at":
        return _is_number(value) and isinstance(value, int)
    if field == "value":
        return _is_number(value)
    return isinstance(value, list) and all(map(_is_number, value))


def _reason(record: Any) -> str | None:
    """Why a record is bad by itself; None if it isn't."""
    if not isinstance(record, dict):
        return "not a record"
    for field in FIELDS:
        if record.get(field) is None:
            return f"missing {field}"
    for field in FIELDS:
        if not _fits(field, record[field]):
            return f"wrong type {field}"
    if not math.isfinite(record["value"]):
        return "not finite value"
    if not all(map(math.isfinite, record["vector"])):
        return "not finite vector"
    if len(record["vector"]) != DIMENSION:
        return f"wrong length {len(record['vector'])}"
    return None
