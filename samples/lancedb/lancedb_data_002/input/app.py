"""Synchronise customers into a local LanceDB database and go back to earlier states.

All functions take the database folder as `path` and work on its table `customers`, whose columns
are id and name (string), revision (int64) and vector (fixed-size list of DIMENSION float32). There
is at most one row for an id. Folder and table are created where missing, so a missing database
counts as one without customers. Other programs may write to the same table between two calls.

An id may hold any text, quotes included.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

TABLE = "customers"
DIMENSION = 4


def upsert_customers(path: str | Path, records: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Bring the table up to date with `records`, each a mapping of id, name, revision and vector.

    A record with an unknown id is inserted. A record with a known id replaces the stored row only
    if its revision is greater than the stored one. If several records share an id, only the one
    with the greatest revision counts (any one of them, if several have it).

    Returns `{"inserted": i, "updated": u, "ignored": g}`: rows inserted, rows replaced, and the
    records that had no effect; the three add up to `len(records)`.

    Raises ValueError, and writes nothing, if a record lacks one of the four keys or its vector does
    not have DIMENSION numbers. No records: nothing to do, all three counts are 0.
    """
    raise NotImplementedError


def remove_customers(path: str | Path, ids: Iterable[str]) -> int:
    """Delete the customers with these ids and return how many rows were deleted.

    Unknown ids are passed over, an id named twice counts once, no ids delete nothing.
    """
    raise NotImplementedError


def snapshot(path: str | Path) -> int:
    """Return a number that stands for the table's present state, for use with restore."""
    raise NotImplementedError


def restore(path: str | Path, version: int) -> None:
    """Make the table hold again, for every reader, exactly the rows it held at that snapshot.

    The table can be written to afterwards as usual, and any earlier snapshot can still be restored,
    also one taken after the state that was just restored.

    Raises ValueError if the table never had that version.
    """
    raise NotImplementedError
