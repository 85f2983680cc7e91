"""Bring the tables of a local LanceDB database to a declared layout.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .layout import ...`).
"""

from collections.abc import Mapping
from pathlib import Path

Layout = Mapping[str, Mapping[str, str]]
"""Table name → column name → type name."""


class SchemaConflictError(ValueError):
    """A stored column has another type than the layout declares."""


def ensure_tables(path: str | Path, layout: Layout) -> dict[str, str]:
    """Create or extend the tables of the database at `path` so that they have `layout`'s columns.

    Type names and the Arrow types they stand for: "string" → string, "int" → int64,
    "float" → float64, "bool" → bool, "vector:N" → fixed-size list of N float32, N a positive
    integer. Columns made here are nullable.

    Returns for each table of the layout what happened to it:

    - "created": it did not exist; it is now empty with exactly the declared columns.
    - "extended": declared columns were missing; they were added. Rows are kept, with null in the
      new columns.
    - "unchanged": all declared columns were there. The table is not written to, so its version
      number stays the same.

    Columns that the layout does not declare stay, and so do tables it does not name (there may be
    dozens). The database folder and its parents are created where missing. An empty layout gives
    an empty dict.

    Raises ValueError for a type name not listed above, and SchemaConflictError if a declared column
    exists with another type. In both cases nothing at all is changed: no table of the layout is
    created or extended, not even those that come before the faulty one.
    """
    raise NotImplementedError
