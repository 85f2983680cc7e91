"""The table of books.

Written for LanceDB 0.5; make it run on LanceDB 0.40.0.
"""

from pathlib import Path

import lancedb
from lancedb.pydantic import LanceModel, vector

TABLE = "books"


class Book(LanceModel):
    """A row. The vector says what a book is about; it has four numbers of float32."""

    id: int
    title: str
    author: str
    year: int
    vector: vector(4)


def open_books(path: str | Path):
    """The table `books`, which is made where it is missing, as is the folder.

    Its columns are those of Book, with integers as int64.
    """
    db = lancedb.connect(str(path))
    if TABLE in db.table_names():
        return db.open_table(TABLE)
    return db.create_table(TABLE, schema=Book.to_arrow_schema())


def quoted(value: str) -> str:
    """`value` as a text in a filter; any text may stand in titles and authors, quotes included."""
    return '"' + value + '"'
