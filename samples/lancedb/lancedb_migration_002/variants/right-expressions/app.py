"""Conditions are expressions; sorting is Arrow's."""

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
from lancedb.expr import col, lit
from lancedb.query import MatchQuery

from .store import open_books


def add(path: str | Path, books: list[dict[str, Any]]) -> int:
    """Check the vectors first."""
    table = open_books(path)
    for entry in books:
        if len(entry["vector"]) != 4:
            raise ValueError("four numbers, please")
    if len(books):
        table.add(books)
    return table.version


def by_words(path: str | Path, words: str, limit: int = 10) -> list[str]:
    """Match words in titles."""
    if not set(filter(str.isalnum, words)):
        return []
    query = MatchQuery(words, "title", operator="OR")
    return open_books(path).search(query).limit(limit).to_arrow()["title"].to_pylist()


def like(path: str | Path, title: str, limit: int = 3, author: str | None = None) -> list[str]:
    """Look the book up among all."""
    table = open_books(path)
    everything = table.to_arrow()
    own = everything.filter(pc.equal(everything["title"], title)).sort_by("id").to_pylist()
    if own == []:
        raise KeyError(title)
    condition = col("id") != lit(own[0]["id"])
    if author is not None:
        condition = condition & (col("author") == lit(author))
    query = table.search(own[0]["vector"], vector_column_name="vector").distance_type("cosine")
    return query.where(condition).limit(limit).to_arrow()["title"].to_pylist()


def authors(path: str | Path) -> dict[str, int]:
    """Group by Arrow."""
    grouped = open_books(path).to_arrow().group_by("author").aggregate([("id", "count")])
    ordered = grouped.sort_by([("id_count", "descending"), ("author", "ascending")])
    return {row["author"]: row["id_count"] for row in ordered.to_pylist()}


def undo(path: str | Path, version: int) -> int:
    """Check the version out, then restore it."""
    table = open_books(path)
    if version not in {entry["version"] for entry in table.list_versions()}:
        raise ValueError(version)
    table.checkout(version)
    table.restore()
    return len(open_books(path))


def export(path: str | Path, since: int = 0) -> list[dict[str, Any]]:
    """Filter and sort by Arrow."""
    everything = open_books(path).to_arrow().drop_columns(["vector"])
    return everything.filter(pc.greater_equal(everything["year"], since)).sort_by("id").to_pylist()
