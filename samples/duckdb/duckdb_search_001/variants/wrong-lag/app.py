"""Questions to a DuckDB file about charging stations for cars."""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

BILLS = """
    SELECT done.id, round(done.kwh * coalesce(own.cents, common.cents))::BIGINT
    FROM (SELECT * FROM sessions WHERE ended IS NOT NULL) done
    ASOF LEFT JOIN (SELECT * FROM tariffs WHERE station IS NOT NULL) own
        ON done.station = own.station AND done.begun >= own.since
    ASOF LEFT JOIN (SELECT * FROM tariffs WHERE station IS NULL) common
        ON done.begun >= common.since
    ORDER BY done.id
"""

# What ended last so far need not be the session before: a long one may still have been going on.
OCCUPATIONS = """
    WITH compared AS (
        SELECT *, lag(ended) OVER (PARTITION BY station ORDER BY begun, id) AS until
        FROM sessions WHERE ended IS NOT NULL
    ), numbered AS (
        SELECT *, count(*) FILTER (begun > until + to_minutes($pause)) OVER (
            PARTITION BY station ORDER BY begun, id
        ) AS number
        FROM compared
    )
    SELECT station, min(begun), max(ended), count(*)
    FROM numbered GROUP BY station, number ORDER BY station, number
"""

ROLLING = """
    SELECT station, begun::DATE AS day, sum(kwh) AS kwh, sum(sum(kwh)) OVER (
        PARTITION BY station ORDER BY day
        RANGE BETWEEN to_days($days - 1) PRECEDING AND CURRENT ROW
    )
    FROM sessions WHERE ended IS NOT NULL
    GROUP BY station, day ORDER BY station, day
"""

LONGEST = """
    SELECT station, id, datesub('minute', begun, ended)
    FROM sessions WHERE ended IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY station ORDER BY ended - begun DESC, id) <= $top
    ORDER BY station, ended - begun DESC, id
"""


def ask(path: Path, query: str, **values: Any) -> list[tuple[Any, ...]]:
    with duckdb.connect(path, read_only=True) as db:
        return db.execute(query, values).fetchall()


def bills(path: Path) -> list[tuple[int, int | None]]:
    return ask(path, BILLS)


def occupations(path: Path, pause: int) -> list[tuple[str, datetime, datetime, int]]:
    return ask(path, OCCUPATIONS, pause=pause)


def rolling(path: Path, days: int) -> list[tuple[str, date, Decimal, Decimal]]:
    return ask(path, ROLLING, days=days)


def longest(path: Path, top: int) -> list[tuple[str, int, int]]:
    return ask(path, LONGEST, top=top)
