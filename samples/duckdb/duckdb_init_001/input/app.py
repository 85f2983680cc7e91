"""The measurements of weather stations in one DuckDB file (duckdb 2.0.0 is installed, nothing else:
neither numpy nor pandas nor pyarrow).

Tables, with exactly these columns in this order:

stations      id INTEGER (primary key, counted up by a sequence if an INSERT does not say), name
              VARCHAR (never null, unique), kind (never null: an ENUM type called station_kind of
              'land', 'sea' and 'air')
measurements  station_id INTEGER (refers to stations), moment TIMESTAMP, degrees DECIMAL(4,1) (between
              -90 and 60, never null); station_id and moment together are the primary key

and a view `latest` with the columns name, moment and degrees: the newest measurement of each station
that has any.

`path` is the file. Every function closes its connection: nobody else can open the file as long as
one is open. This file is imported as part of a package: import further modules relatively.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path


def set_up(path: Path) -> None:
    """Create the file with its type, tables and view; what exists already stays as it is."""
    raise NotImplementedError


def record(path: Path, station: str, measured: Sequence[tuple[datetime, Decimal]]) -> int:
    """Store measurements of the station of that name; returns how many. All or none are stored.

    LookupError if there is no such station. duckdb.Error if the database refuses one.
    """
    raise NotImplementedError


def report(path: Path, kind: str) -> list[tuple[str, int, Decimal | None]]:
    """For each station of a kind its name, the number of its measurements and the highest, None
    if it has none; sorted by name. Opens the file for reading only, so that it works on a copy
    that must not be written to. duckdb.Error if there is no such kind."""
    raise NotImplementedError
