"""Fixtures shared by the SQLAlchemy samples.

What a solution returns is never believed on its own: `rows` and `execute` look at the SQLite file
through a connection of the test's own, without SQLAlchemy.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the database goes; the file does not exist yet."""
    return tmp_path / "store.db"


@pytest.fixture
def rows(database: Path) -> Callable[..., list[tuple[Any, ...]]]:
    """All rows of a query, by a fresh connection."""

    def read(query: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(database)) as connection:
            return connection.execute(query, values).fetchall()

    return read


@pytest.fixture
def execute(database: Path) -> Callable[[str], None]:
    """Run statements as another program would, with foreign keys enforced, and commit."""

    def run(script: str) -> None:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.executescript(script)
            connection.commit()

    return run
