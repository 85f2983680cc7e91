"""The stock of a warehouse from numbered deliveries, in a DuckDB file (duckdb 2.0.0 is installed, nothing
else: neither numpy nor pandas nor pyarrow).

`path` is the file; it is created where missing, with the tables of tables.py. Every function closes its
connection. Modules of the package import each other relatively (`from .tables import create`).
"""

from pathlib import Path
from typing import Any


def load(path: Path, inbox: Path) -> dict[str, Any]:
    """Store the new deliveries of a folder, each in a transaction of its own.

    Deliveries are the files whose names are digits and ".csv" (7.csv, 0012.csv); other files don't count.
    Their numbers begin at 1, and they are stored in the order of their numbers without gaps: a
    delivery waits as long as one before it is missing. A delivery that is stored already is not
    stored again; its file may be gone by now.

    Rows are applied in the order of their lines. A row is rejected for what deliveries.py finds, or as
    "not enough" if it would make the pieces of its article fewer than 0; those before it in the same
    delivery count, as far as they were accepted.

    A delivery is refused as a whole if deliveries.py refuses it, if more than half of its rows are
    rejected ("too many rejected"), or if its file is another one than when it was stored ("changed", by
    its SHA-256). All files are looked at for changes first, the lowest number before others. Of a refused
    delivery nothing is stored, and no delivery behind it is.

    Returns {"loaded": [...], "refused": None or (number, reason), "waiting": [...]}: the numbers that
    were stored by this call, and those of new files that were neither stored nor refused, in order.

    Others may have created tables with further rules. If the database refuses a row, its duckdb.Error
    comes out; then deliveries before this one are stored, and nothing of this one.
    """
    raise NotImplementedError


def stock(path: Path) -> dict[str, tuple[str, int]]:
    """Article → its name and pieces, in the order of articles."""
    raise NotImplementedError


def undo(path: Path) -> int | None:
    """Remove the last delivery with all that belongs to it; returns its number, None if there is none."""
    raise NotImplementedError
