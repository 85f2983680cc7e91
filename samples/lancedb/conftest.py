"""Fixtures shared by the LanceDB samples.

What a solution returns is never believed on its own: `open_table` and `rows` look at the database
through a fresh connection of the test's own.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb
import pytest
from lancedb.table import Table


@pytest.fixture
def db_path(tmp_path: Path) -> Path:
    """Where the database goes; neither the folder nor its parent exists yet."""
    return tmp_path / "data" / "store"


@pytest.fixture
def open_table(db_path: Path) -> Callable[[str], Table]:
    """Open a table by name through a fresh connection; ValueError if it does not exist."""

    def open_by_name(name: str) -> Table:
        return lancedb.connect(str(db_path)).open_table(name)

    return open_by_name


@pytest.fixture
def rows(open_table: Callable[[str], Table]) -> Callable[[str], list[dict[str, Any]]]:
    """Read every row of a table through a fresh connection."""

    def read(name: str) -> list[dict[str, Any]]:
        return open_table(name).to_arrow().to_pylist()

    return read
