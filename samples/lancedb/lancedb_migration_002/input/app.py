"""A library: add books, search them by words and by likeness, count, undo, export.

Written for LanceDB 0.5; make it run on LanceDB 0.40.0.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars, pylance and tantivy are not. This file is imported as part of a package: import further
modules of your own relatively (`from .store import ...`).
"""

from pathlib import Path
from typing import Any

import pandas as pd

from .store import open_books, quoted


def add(path: str | Path, books: list[dict[str, Any]]) -> int:
    """Add books (id, title, author, year, vector), none too; returns the table's version after.

    A vector that does not have four numbers raises ValueError, and nothing is added.
    """
    table = open_books(path)
    table.add(pd.DataFrame(books))
    return table.version


def by_words(path: str | Path, words: str, limit: int = 10) -> list[str]:
    """Titles that have at least one of the words, the best matches first, at most `limit`.

    Word forms and case don't matter. The indexes must have been built. `words` is plain text:
    quotes and signs in it have no special meaning. A text without letters and digits finds nothing.
    """
    found = open_books(path).search(words, query_type="fts").limit(limit).to_df()
    return found["title"].tolist()


def like(path: str | Path, title: str, limit: int = 3, author: str | None = None) -> list[str]:
    """Titles of the books most like the book called `title`, by cosine distance, nearest first.

    The book itself (by its id) is left out, other books with its title are not. With `author`,
    only books of that author, and still `limit` of them if there are so many. Of several books
    called `title`, the one with the smallest id is meant; LookupError if there is none.
    """
    table = open_books(path)
    frame = table.to_pandas()
    own = frame[frame["title"] == title].sort_values("id")
    if len(own) == 0:
        raise LookupError(title)
    query = table.search(own["vector"].iloc[0]).metric("cosine").limit(limit + 1)
    if author is not None:
        query = query.where(f"author = {quoted(author)}")
    found = query.to_df()
    return found[found["id"] != own["id"].iloc[0]]["title"].tolist()[:limit]


def authors(path: str | Path) -> dict[str, int]:
    """How many books each author has; authors with most books first, then by name."""
    frame = open_books(path).to_pandas()
    counts = frame.groupby("author").size().reset_index(name="n")
    ordered = counts.sort_values(["n", "author"], ascending=[False, True])
    return dict(zip(ordered["author"].tolist(), ordered["n"].tolist()))


def undo(path: str | Path, version: int) -> int:
    """Bring the books of a version back; returns how many there are then.

    A new version is written, so that a later undo can undo this one. ValueError if there is no such
    version, and nothing changes.
    """
    dataset = open_books(path).to_lance()
    dataset.checkout_version(version).restore()
    return len(open_books(path))


def export(path: str | Path, since: int = 0) -> list[dict[str, Any]]:
    """All books of the year `since` or later, by id: dicts of exactly id, title, author, year."""
    frame = open_books(path).search().where(f"year >= {since}").limit(1_000_000).to_df()
    frame = frame.sort_values("id").drop(columns="vector")
    return frame.to_dict("records")
