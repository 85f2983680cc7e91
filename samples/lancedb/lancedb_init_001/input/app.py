"""Open the notes table of a local LanceDB database, creating what is missing.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .schema import ...`).
"""

from pathlib import Path

from lancedb.table import Table

TABLE = "notes"
DIMENSION = 8


def open_notes(path: str | Path) -> Table:
    """Return the table `notes` of the database at `path`, open for reading and writing.

    The database folder, its parents and the table are created where missing. A new table is empty
    and has exactly these columns:

    - id: string
    - body: string
    - created_at: timestamp in microseconds, without time zone
    - vector: fixed-size list of DIMENSION float32

    An existing table keeps its rows, and other tables of the database are left alone. If a table
    `notes` exists whose column names or types differ, ValueError is raised and that table stays
    as it is.
    """
    raise NotImplementedError


def describe(path: str | Path) -> dict[str, object]:
    """Say what the database at `path` holds.

    Returns `{"tables": [...], "notes": n}`: the names of all tables (there may be dozens), sorted,
    and the number of rows in `notes`, 0 if there is no such table. Creates no table.

    Raises FileNotFoundError if `path` is not an existing folder; nothing is created in that case.
    """
    raise NotImplementedError
