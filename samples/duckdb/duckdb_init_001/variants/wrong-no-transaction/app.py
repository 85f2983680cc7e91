"""The measurements of weather stations in one DuckDB file."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import duckdb

TYPE = "CREATE TYPE station_kind AS ENUM ('land', 'sea', 'air')"
SCHEMA = """
    CREATE SEQUENCE IF NOT EXISTS station_ids;
    CREATE TABLE IF NOT EXISTS stations (
        id INTEGER PRIMARY KEY DEFAULT nextval('station_ids'),
        name VARCHAR NOT NULL UNIQUE,
        kind station_kind NOT NULL
    );
    CREATE TABLE IF NOT EXISTS measurements (
        station_id INTEGER REFERENCES stations (id),
        moment TIMESTAMP,
        degrees DECIMAL(4, 1) NOT NULL CHECK (degrees BETWEEN -90 AND 60),
        PRIMARY KEY (station_id, moment)
    );
    CREATE VIEW IF NOT EXISTS latest AS
        SELECT name, max(moment) AS moment, arg_max(degrees, moment) AS degrees
        FROM measurements JOIN stations ON stations.id = station_id
        GROUP BY name;
"""


def set_up(path: Path) -> None:
    with duckdb.connect(path) as db:
        known = db.execute("SELECT 1 FROM duckdb_types() WHERE type_name = 'station_kind'")
        if known.fetchone() is None:
            db.execute(TYPE)
        db.execute(SCHEMA)


def record(path: Path, station: str, measured: Sequence[tuple[datetime, Decimal]]) -> int:
    with duckdb.connect(path) as db:
        found = db.execute("SELECT id FROM stations WHERE name = ?", [station]).fetchone()
        if found is None:
            raise LookupError(f"there is no station {station!r}")
        for moment, degrees in measured:
            db.execute("INSERT INTO measurements VALUES (?, ?, ?)", [found[0], moment, degrees])
    return len(measured)


def report(path: Path, kind: str) -> list[tuple[str, int, Decimal | None]]:
    query = """
        SELECT name, count(moment), max(degrees)
        FROM stations LEFT JOIN measurements ON station_id = stations.id
        WHERE kind = ?::station_kind
        GROUP BY name ORDER BY name
    """
    with duckdb.connect(path, read_only=True) as db:
        return db.execute(query, [kind]).fetchall()
