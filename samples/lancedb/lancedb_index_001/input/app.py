"""Keep the indexes of a LanceDB table as a plan declares them.

`path` is the folder of a database that others made, `table` the name of one of its tables; that it
does not exist raises LookupError in all functions.

A plan leads from columns to kinds of index. Kinds are `btree`, `bitmap` and `label_list` (for lists
of strings), which are LanceDB's BTree, Bitmap and LabelList; and for vectors `flat:l2`,
`flat:cosine` and `flat:dot`: LanceDB's IvfFlat with a single partition and that metric. A column
has at most one index.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def ensure(path: str | Path, table: str, plan: Mapping[str, str]) -> dict[str, list[str]]:
    """Make the indexes of the table those of the plan.

    Returns {"created": [...], "replaced": [...], "dropped": [...], "kept": [...]}, each a sorted
    list of columns. A column's index is kept if it is of the kind of the plan already, its metric
    included: it is not built again, and if all are kept, nothing is written to the table. Another
    index of the column is replaced. Indexes of columns that the plan does not name are dropped.

    Raises ValueError if the plan has a kind that is none of the above, or a column that the table
    does not have; then nothing is changed.
    """
    raise NotImplementedError


def coverage(path: str | Path, table: str) -> dict[str, list[int]]:
    """[rows in the index, rows not in it yet] for each column that has an index."""
    raise NotImplementedError


def refresh(path: str | Path, table: str) -> None:
    """Take all rows that are in no index yet into the indexes."""
    raise NotImplementedError


def nearest(
    path: str | Path, table: str, column: str, vector: Sequence[float], k: int = 3
) -> list[dict[str, Any]]:
    """The `k` rows nearest to `vector` by the metric of the column's index, nearest first.

    Rows are dicts of the table's columns, and `_distance`. Rows that are in no index yet are found
    like others. LookupError if the column has no vector index.
    """
    raise NotImplementedError
