"""The sales of a shop in one DuckDB file."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import duckdb

TABLE = """
    CREATE TABLE IF NOT EXISTS sales (
        till INTEGER, number INTEGER, day DATE NOT NULL, article VARCHAR NOT NULL,
        cents BIGINT NOT NULL, PRIMARY KEY (till, number)
    )
"""
STAGED = """
    CREATE TEMP TABLE staged AS
    SELECT till, number, strptime(day, '%d.%m.%Y')::DATE AS day, article,
        CASE WHEN regexp_full_match(price, '-?[0-9]+,[0-9]{2}')
            THEN replace(price, ',', '')::BIGINT ELSE error('no price: ' || price) END AS cents
    FROM (
        SELECT *, row_number() OVER () AS line
        FROM read_csv(
            ?, delim = ';', quote = '"', escape = '"', header = true, auto_detect = false,
            parallel = false,
            columns = {'till': 'INTEGER', 'number': 'INTEGER', 'day': 'VARCHAR',
                       'article': 'VARCHAR', 'price': 'VARCHAR'}
        )
    )
    QUALIFY row_number() OVER (PARTITION BY till, number ORDER BY line) = 1
"""


@contextmanager
def opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(path) as db:
        db.execute(TABLE)
        yield db


def load(path: Path, csv: Path) -> dict[str, int]:
    # In the name of a file to read, these characters would be a pattern.
    name = "".join(f"[{char}]" if char in "*?[" else char for char in str(csv))
    with opened(path) as db:
        db.execute(STAGED, [name])
        (known,) = db.execute("SELECT count(*) FROM staged SEMI JOIN sales USING (till, number)"
        ).fetchone()
        (all_of_them,) = db.execute("INSERT OR REPLACE INTO sales FROM staged").fetchone()
    return {"new": all_of_them - known, "replaced": known}


def correct(path: Path, till: int, number: int, cents: int) -> int:
    with opened(path) as db:
        sale = [till, number]
        query = "SELECT cents FROM sales WHERE till = ? AND number = ?"
        before = db.execute(query, sale).fetchone()
        if before is None:
            raise LookupError(f"till {till} has no sale {number}")
        db.execute("UPDATE sales SET cents = ? WHERE till = ? AND number = ?", [cents, *sale])
    return before[0]


def export(path: Path, folder: Path, first: date, last: date) -> list[str]:
    names = []
    with opened(path) as db:
        query = "SELECT DISTINCT day FROM sales WHERE day BETWEEN ? AND ? ORDER BY day"
        for (day,) in db.execute(query, [first, last]).fetchall():
            names.append(f"{day}.parquet")
            rows = "SELECT till, number, article, cents FROM sales WHERE day = ? ORDER BY ALL"
            target = str(folder / names[-1]).replace("'", "''")
            db.execute(f"COPY ({rows}) TO '{target}' (FORMAT parquet)", [day])
    return names
