"""The table is brought to the wanted state by one merge; tags are asked for their version."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa

TABLE = "prices"


def _tags(path: str | Path) -> tuple[Any, dict[str, int]]:
    try:
        if not Path(path).exists():
            raise ValueError("no folder")
        table = lancedb.connect(path).open_table(TABLE)
    except ValueError:
        return None, {}
    return table, {name: tag["version"] for name, tag in table.tags.list().items()}


def publish(path: str | Path, name: str, prices: Mapping[str, int]) -> int:
    """Merge the new prices in; what they do not name is deleted in the same commit."""
    table, tags = _tags(path)
    if name in tags:
        raise ValueError(name)
    if table is None:
        schema = pa.schema({"sku": pa.string(), "cents": pa.int64()})
        table = lancedb.connect(path).create_table(TABLE, schema=schema)
    batch = pa.table({"sku": list(prices), "cents": list(prices.values())}, schema=table.schema)
    merge = table.merge_insert("sku").when_matched_update_all().when_not_matched_insert_all()
    merge.when_not_matched_by_source_delete().execute(batch)
    table.tags.create(name, table.version)
    return table.tags.get_version(name)


def releases(path: str | Path) -> list[str]:
    """List them by version."""
    _, tags = _tags(path)
    return [name for _, name in sorted((version, name) for name, version in tags.items())]


def prices_at(path: str | Path, name: str) -> dict[str, int]:
    """Check the version out and come back."""
    table, tags = _tags(path)
    if name not in tags:
        raise KeyError(name)
    table.checkout(tags[name])
    columns = table.to_arrow().to_pydict()
    table.checkout_latest()
    return dict(zip(columns["sku"], columns["cents"], strict=True))


def changes(path: str | Path, old: str, new: str) -> dict[str, Any]:
    """Compare sku by sku."""
    report: dict[str, Any] = {"added": [], "removed": [], "changed": {}}
    before, after = prices_at(path, old), prices_at(path, new)
    for sku in sorted({*before, *after}):
        if sku not in before:
            report["added"].append(sku)
        elif sku not in after:
            report["removed"].append(sku)
        elif before[sku] != after[sku]:
            report["changed"][sku] = [before[sku], after[sku]]
    return report


def roll_back(path: str | Path, name: str) -> int:
    """Check the version out and restore it."""
    table, tags = _tags(path)
    if name not in tags:
        raise KeyError(name)
    table.checkout(tags[name])
    table.restore()
    return table.version


def forget(path: str | Path, name: str) -> bool:
    """Delete the tag."""
    table, tags = _tags(path)
    if name in tags:
        table.tags.delete(name)
    return name in tags
