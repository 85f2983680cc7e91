"""Releases of a price list, kept as tagged versions of one LanceDB table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.table import Table

TABLE = "prices"
SCHEMA = pa.schema([pa.field("sku", pa.string()), pa.field("cents", pa.int64())])


def publish(path: str | Path, name: str, prices: Mapping[str, int]) -> int:
    """Replace the current prices and tag the new version."""
    table = lancedb.connect(str(path)).create_table(TABLE, schema=SCHEMA, exist_ok=True)
    if name in table.tags.list():
        raise ValueError(f"there is a release {name!r} already")
    rows = [{"sku": sku, "cents": cents} for sku, cents in prices.items()]
    db = lancedb.connect(str(path))
    db.drop_table(TABLE)
    table = db.create_table(TABLE, data=rows, schema=SCHEMA)
    version = table.version
    table.tags.create(name, version)
    return version


def releases(path: str | Path) -> list[str]:
    """The names of all releases, the oldest version first."""
    table = _existing(path)
    if table is None:
        return []
    tags = table.tags.list()
    return sorted(tags, key=lambda name: tags[name]["version"])


def prices_at(path: str | Path, name: str) -> dict[str, int]:
    """Read through a handle of its own, so that no other handle leaves the latest version."""
    table = _with_release(path, name)
    table.checkout(name)
    return {row["sku"]: row["cents"] for row in table.to_arrow().to_pylist()}


def changes(path: str | Path, old: str, new: str) -> dict[str, Any]:
    """Compare two releases."""
    before, after = prices_at(path, old), prices_at(path, new)
    return {
        "added": sorted(after.keys() - before.keys()),
        "removed": sorted(before.keys() - after.keys()),
        "changed": {
            sku: [before[sku], after[sku]]
            for sku in before.keys() & after.keys()
            if before[sku] != after[sku]
        },
    }


def roll_back(path: str | Path, name: str) -> int:
    """Write a new version that equals the release."""
    table = _with_release(path, name)
    table.restore(name)
    return table.version


def forget(path: str | Path, name: str) -> bool:
    """Remove the tag; the version stays."""
    table = _existing(path)
    if table is None or name not in table.tags.list():
        return False
    table.tags.delete(name)
    return True


def _existing(path: str | Path) -> Table | None:
    # connect() would create a missing folder.
    if not Path(path).is_dir():
        return None
    db = lancedb.connect(str(path))
    return db.open_table(TABLE) if TABLE in db.list_tables().tables else None


def _with_release(path: str | Path, name: str) -> Table:
    table = _existing(path)
    if table is None or name not in table.tags.list():
        raise LookupError(f"there is no release {name!r}")
    return table
