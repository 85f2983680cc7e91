"""Fixtures shared by the DuckDB samples.

What a solution returns is never believed on its own: `query` opens the file by a connection of the
test's own, which DuckDB allows only if the solution has closed its own.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the database goes; the file does not exist yet."""
    return tmp_path / "store.duckdb"


@pytest.fixture
def query(database: Path) -> Callable[..., list[tuple[Any, ...]]]:
    """Run a statement by a fresh connection, and return its rows."""

    def run(statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with duckdb.connect(database) as connection:
            return connection.execute(statement, values).fetchall()

    return run
