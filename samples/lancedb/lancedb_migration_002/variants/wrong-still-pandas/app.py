"""A library: add books, search them by words and by likeness, count, undo, export."""

from collections import Counter
from pathlib import Path
from typing import Any

from lancedb.query import ColumnOrdering, MatchQuery

from .store import open_books, quoted

BY_ID = [ColumnOrdering(column_name="id", ascending=True, nulls_first=False)]
COLUMNS = ["id", "title", "author", "year"]


def add(path: str | Path, books: list[dict[str, Any]]) -> int:
    """Add books; returns the table's version after."""
    table = open_books(path)
    if books:
        table.add(books)
    return table.version


def by_words(path: str | Path, words: str, limit: int = 10) -> list[str]:
    """Titles that have at least one of the words, the best matches first."""
    if not any(character.isalnum() for character in words):
        return []
    # Of a plain string, quotes would make a phrase.
    query = open_books(path).search(MatchQuery(words, "title"), query_type="fts")
    return [row["title"] for row in query.limit(limit).to_list()]


def like(path: str | Path, title: str, limit: int = 3, author: str | None = None) -> list[str]:
    """Titles of the books most like the book called `title`."""
    table = open_books(path)
    named = table.search().where(f"title = {quoted(title)}").order_by(BY_ID).limit(1).to_list()
    if not named:
        raise LookupError(f"there is no book called {title!r}")
    condition = f"id != {named[0]['id']}"
    if author is not None:
        condition += f" AND author = {quoted(author)}"
    query = table.search(named[0]["vector"]).distance_type("cosine").where(condition)
    return [row["title"] for row in query.limit(limit).to_list()]


def authors(path: str | Path) -> dict[str, int]:
    """How many books each author has; those with most books first, then by name."""
    counts = Counter(open_books(path).to_pandas()["author"].tolist())
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def undo(path: str | Path, version: int) -> int:
    """Bring the books of a version back; returns how many there are then."""
    table = open_books(path)
    table.restore(version)
    return table.count_rows()


def export(path: str | Path, since: int = 0) -> list[dict[str, Any]]:
    """All books of the year `since` or later, by id."""
    query = open_books(path).search().where(f"year >= {int(since)}").select(COLUMNS)
    return query.order_by(BY_ID).limit(None).to_list()
