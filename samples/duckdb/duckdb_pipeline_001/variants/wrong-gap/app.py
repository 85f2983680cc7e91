"""The stock of a warehouse from numbered deliveries, in a DuckDB file."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from .deliveries import Refused, Row, read
from .tables import create


@contextmanager
def opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(path) as db:
        create(db)
        yield db


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def load(path: Path, inbox: Path) -> dict[str, Any]:
    files = {
        int(file.stem): file
        for file in inbox.iterdir()
        if re.fullmatch(r"[0-9]+\.csv", file.name)
    }
    done: dict[str, Any] = {"loaded": [], "refused": None}
    with opened(path) as db:
        known = dict(db.execute("SELECT number, sha256 FROM deliveries").fetchall())
        changed = [n for n in sorted(known) if n in files and digest(files[n]) != known[n]]
        waiting = sorted(files.keys() - known.keys())
        if changed:
            done["refused"] = (changed[0], "changed")
        while waiting and not done["refused"]:
            number = waiting.pop(0)
            try:
                store(db, number, files[number])
            except Refused as refused:
                done["refused"] = (number, str(refused))
            else:
                known[number] = ""
                done["loaded"].append(number)
    return {**done, "waiting": waiting}


def store(db: duckdb.DuckDBPyConnection, number: int, file: Path) -> None:
    accepted, rejected = judge(db, read(file))
    if len(rejected) > len(accepted):
        raise Refused("too many rejected")
    db.begin()
    try:
        counts = [number, digest(file), len(accepted), len(rejected)]
        db.execute("INSERT INTO deliveries VALUES (?, ?, ?, ?)", counts)
        for row in accepted:
            values = [number, row.line, row.article, row.name, row.change]
            db.execute("INSERT INTO movements VALUES (?, ?, ?, ?, ?)", values)
        for row in rejected:
            values = [number, row.line, row.text, row.reason]
            db.execute("INSERT INTO rejected VALUES (?, ?, ?, ?)", values)
        db.commit()
    except BaseException:
        db.rollback()
        raise


def judge(db: duckdb.DuckDBPyConnection, rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """DuckDB has no savepoints: what would be refused must be known before the first row is stored."""
    pieces = dict(db.execute("SELECT article, pieces FROM stock").fetchall())
    accepted, rejected = [], []
    for row in rows:
        left = pieces.get(row.article, 0) + row.change
        if row.reason is None and left < 0:
            rejected.append(row._replace(reason="not enough"))
        elif row.reason is not None:
            rejected.append(row)
        else:
            pieces[row.article] = left
            accepted.append(row)
    return accepted, rejected


def stock(path: Path) -> dict[str, tuple[str, int]]:
    with opened(path) as db:
        rows = db.execute("SELECT article, name, pieces FROM stock ORDER BY article").fetchall()
    return {article: (name, pieces) for article, name, pieces in rows}


def undo(path: Path) -> int | None:
    with opened(path) as db:
        (number,) = db.execute("SELECT max(number) FROM deliveries").fetchone()
        if number is not None:
            db.begin()
            db.execute("DELETE FROM movements WHERE delivery = ?", [number])
            db.execute("DELETE FROM rejected WHERE delivery = ?", [number])
            db.execute("DELETE FROM deliveries WHERE number = ?", [number])
            db.commit()
    return number
