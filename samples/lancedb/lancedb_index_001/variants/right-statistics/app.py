"""Statistics tell the kinds; create_index replaces, and strangers' names are dropped first."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import lancedb
from lancedb import index as kinds_of_index


def _make(kind: str) -> Any:
    if kind == "btree":
        return kinds_of_index.BTree()
    if kind == "bitmap":
        return kinds_of_index.Bitmap()
    if kind == "label_list":
        return kinds_of_index.LabelList()
    family, _, metric = kind.partition(":")
    if family != "flat" or metric not in ("l2", "cosine", "dot"):
        raise ValueError(kind)
    return kinds_of_index.IvfFlat(distance_type=metric, num_partitions=1)


def _table(path: str | Path, name: str) -> Any:
    try:
        if not Path(path).exists():
            raise ValueError(path)
        return lancedb.connect(path).open_table(name)
    except ValueError as error:
        raise LookupError(name) from error


def _indexes(table: Any) -> dict[str, tuple[str, Any]]:
    return {i.columns[0]: (i.name, table.index_stats(i.name)) for i in table.list_indices()}


def _kind(statistics: Any) -> str:
    if statistics.index_type == "IVF_FLAT":
        return f"flat:{statistics.distance_type}"
    return str(statistics.index_type).lower()


def ensure(path: str | Path, table: str, plan: Mapping[str, str]) -> dict[str, list[str]]:
    """Compare, then change."""
    handle = _table(path, table)
    configs = {column: _make(kind) for column, kind in plan.items()}
    if not set(plan) <= set(handle.schema.names):
        raise ValueError("no such column")
    present = _indexes(handle)
    same = {c for c, (_, s) in present.items() if plan.get(c) == _kind(s)}
    for column in present.keys() - same:
        handle.drop_index(present[column][0])
    for column in plan.keys() - same:
        handle.create_index(column, config=configs[column], replace=True)
    return {
        "created": sorted(plan.keys() - present.keys()),
        "replaced": sorted(plan.keys() & present.keys() - same),
        "dropped": sorted(present.keys() - plan.keys()),
        "kept": sorted(same),
    }


def coverage(path: str | Path, table: str) -> dict[str, list[int]]:
    """Ask the statistics."""
    present = _indexes(_table(path, table))
    return {c: [s.num_indexed_rows, s.num_unindexed_rows] for c, (_, s) in present.items()}


def refresh(path: str | Path, table: str) -> None:
    """Optimize."""
    _table(path, table).optimize()


def nearest(
    path: str | Path, table: str, column: str, vector: Sequence[float], k: int = 3
) -> list[dict[str, Any]]:
    """Search with the metric of the statistics."""
    handle = _table(path, table)
    present = _indexes(handle)
    if column not in present or present[column][1].distance_type is None:
        raise LookupError(column)
    query = handle.search(list(vector), vector_column_name=column)
    return query.metric(present[column][1].distance_type).limit(k).to_arrow().to_pylist()
