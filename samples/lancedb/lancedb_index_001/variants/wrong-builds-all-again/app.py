"""Keep the indexes of a LanceDB table as a plan declares them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import lancedb
from lancedb.index import Bitmap, BTree, IvfFlat, LabelList
from lancedb.table import Table

SCALAR = {"btree": BTree, "bitmap": Bitmap, "label_list": LabelList}
METRICS = ("l2", "cosine", "dot")
KINDS = {*SCALAR, *(f"flat:{metric}" for metric in METRICS)}
# As list_indices names them.
NAMES = {"BTree": "btree", "Bitmap": "bitmap", "LabelList": "label_list", "IvfFlat": "flat"}


def ensure(path: str | Path, table: str, plan: Mapping[str, str]) -> dict[str, list[str]]:
    """Make the indexes of the table those of the plan."""
    opened = _open(path, table)
    for column, kind in plan.items():
        if kind not in KINDS:
            raise ValueError(f"unknown kind {kind!r} for {column!r}")
        if column not in opened.schema.names:
            raise ValueError(f"the table {table!r} has no column {column!r}")
    present = _present(opened)
    report: dict[str, list[str]] = {"created": [], "replaced": [], "dropped": [], "kept": []}
    for column, (name, kind) in present.items():
        if column not in plan:
            opened.drop_index(name)
            report["dropped"].append(column)
        elif kind == plan[column]:
            report["kept"].append(column)
        else:
            # Under the same name or another: a column keeps but one index.
            opened.drop_index(name)
            report["replaced"].append(column)
    report["created"] = [column for column in plan if column not in present]
    for column in plan:
        opened.create_index(column, config=_config(plan[column]))
    return {change: sorted(columns) for change, columns in report.items()}


def coverage(path: str | Path, table: str) -> dict[str, list[int]]:
    """[rows in the index, rows not in it yet] for each column that has an index."""
    opened = _open(path, table)
    found = {}
    for column, (name, _) in _present(opened).items():
        statistics = opened.index_stats(name)
        found[column] = [statistics.num_indexed_rows, statistics.num_unindexed_rows]
    return found


def refresh(path: str | Path, table: str) -> None:
    """Take all rows that are in no index yet into the indexes."""
    _open(path, table).optimize()


def nearest(
    path: str | Path, table: str, column: str, vector: Sequence[float], k: int = 3
) -> list[dict[str, Any]]:
    """The `k` rows nearest to `vector` by the metric of the column's index."""
    opened = _open(path, table)
    _, kind = _present(opened).get(column, ("", ""))
    if not kind.startswith("flat:"):
        raise LookupError(f"the column {column!r} has no vector index")
    query = opened.search(list(vector), vector_column_name=column)
    # A query has a metric of its own; with another one LanceDB passes the index by.
    return query.distance_type(kind.removeprefix("flat:")).limit(k).to_list()


def _config(kind: str) -> Any:
    if kind in SCALAR:
        return SCALAR[kind]()
    return IvfFlat(distance_type=kind.removeprefix("flat:"), num_partitions=1)


def _present(table: Table) -> dict[str, tuple[str, str]]:
    """The name and kind of each column's index."""
    found = {}
    for index in table.list_indices():
        kind = NAMES.get(index.index_type, index.index_type)
        if kind == "flat":
            kind = f"flat:{table.index_stats(index.name).distance_type}"
        found[index.columns[0]] = (index.name, kind)
    return found


def _open(path: str | Path, table: str) -> Table:
    # connect() would create a missing folder.
    if Path(path).is_dir():
        db = lancedb.connect(str(path))
        if table in db.list_tables().tables:
            return db.open_table(table)
    raise LookupError(f"no table {table!r} in {path}")
