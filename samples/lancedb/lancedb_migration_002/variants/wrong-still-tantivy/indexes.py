"""The indexes of the table of books, on LanceDB 0.40.0."""

from pathlib import Path

from lancedb.index import FTS, Bitmap

from .store import open_books


def build(path: str | Path) -> None:
    """Build the indexes anew, over all rows."""
    table = open_books(path)
    # Unlike Tantivy, the index leaves common words out unless told otherwise.
    table.create_fts_index("title", use_tantivy=True, replace=True)
    table.create_index("author", config=Bitmap())


def names(path: str | Path) -> dict[str, str]:
    """The kind of index that each indexed column has."""
    return {index.columns[0]: index.index_type for index in open_books(path).list_indices()}
