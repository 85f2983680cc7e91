"""The table of books, on LanceDB 0.40.0."""

from pathlib import Path

import lancedb
from lancedb.pydantic import LanceModel, Vector
from lancedb.table import Table

TABLE = "books"


class Book(LanceModel):
    """A row. The vector says what a book is about."""

    id: int
    title: str
    author: str
    year: int
    vector: Vector(4)  # type: ignore[valid-type]


def open_books(path: str | Path) -> Table:
    """The table `books`, which is made where it is missing, as is the folder."""
    return lancedb.connect(str(path)).create_table(TABLE, schema=Book, exist_ok=True)


def quoted(value: str) -> str:
    """`value` as a text in a filter."""
    return "'" + value.replace("'", "''") + "'"
