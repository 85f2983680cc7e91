"""Checks stand in their own module; what is stored already is left out by a merge."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.expr import col, lit

from .checks import Bad, check

READING = pa.schema(
    {
        "id": pa.string(),
        "at": pa.int64(),
        "value": pa.float64(),
        "vector": pa.list_(pa.float32(), 3),
    }
)
REJECT = pa.schema(
    {"source": pa.string(), "position": pa.int64(), "reason": pa.string(), "record": pa.string()}
)


def _table(db: lancedb.DBConnection, name: str, schema: pa.Schema) -> Any:
    try:
        table = db.open_table(name)
    except ValueError:
        return db.create_table(name, schema=schema)
    if {(f.name, f.type) for f in table.schema} != {(f.name, f.type) for f in schema}:
        raise RuntimeError(f"{name} is not ours")
    return table


def ingest(
    path: str | Path, source: str, records: Iterable[Any], *, strict: bool = False
) -> dict[str, Any]:
    """Sort the records, then write."""
    db = lancedb.connect(path)
    readings = _table(db, "readings", READING)
    rejects = _table(db, "rejected", REJECT)
    stored = set(readings.to_arrow()["id"].to_pylist())
    good: dict[str, dict[str, Any]] = {}
    bad = []
    for position, record in enumerate(records):
        try:
            row = check(record)
            if row["id"] in good or row["id"] in stored:
                raise Bad("repeated")
            good[row["id"]] = row
        except Bad as error:
            if strict:
                raise ValueError(f"position {position}: {error}") from None
            bad.append((source, position, str(error), json.dumps(record, default=str)))
    if good:
        merge = readings.merge_insert("id").when_not_matched_insert_all()
        merge.execute(pa.Table.from_pylist(list(good.values()), schema=READING))
    if bad:
        rows = [dict(zip(REJECT.names, row, strict=True)) for row in bad]
        rejects.add(rows)
    return {"stored": len(good), "rejected": dict(Counter(row[2] for row in bad))}


def rejected(path: str | Path, source: str) -> list[list[Any]]:
    """Ask for them by source."""
    if not Path(path).exists():
        return []
    try:
        table = lancedb.connect(path).open_table("rejected")
    except ValueError:
        return []
    rows = table.search().where(col("source") == lit(source)).limit(None).to_arrow()
    rows = rows.sort_by("position")
    return [list(pair) for pair in zip(*(rows[c].to_pylist() for c in ("position", "reason")))]
