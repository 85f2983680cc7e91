"""The indexes of the table of books.

Written for LanceDB 0.5; make it run on LanceDB 0.40.0.
"""

from pathlib import Path

from .store import open_books


def build(path: str | Path) -> None:
    """Build the indexes: full text on `title`, and one on `author` that suits few distinct values.

    In the full-text index all words count, also common ones like "the" or "it". Calling it again,
    also when books were added, leaves one index on each column that has all rows. The table must
    have books.
    """
    table = open_books(path)
    table.create_fts_index("title", use_tantivy=True, replace=True)
    table.to_lance().create_scalar_index("author", index_type="BITMAP", replace=True)


def names(path: str | Path) -> dict[str, str]:
    """The kind of index that each indexed column has: "FTS", "Bitmap", …; empty without indexes."""
    found = {}
    for index in open_books(path).to_lance().list_indices():
        found[index["fields"][0]] = index["type"]
    return found
