"""Full-text search over the articles of a help centre."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import lancedb
import pyarrow as pa
from lancedb.index import FTS
from lancedb.query import FullTextQuery, MultiMatchQuery, PhraseQuery
from lancedb.table import Table

TABLE = "articles"
SCHEMA = pa.schema([(name, pa.string()) for name in ("id", "title", "body", "lang")])


def build(path: str | Path, articles: Iterable[Mapping[str, str]]) -> None:
    """Replace the table and index it."""
    rows = pa.Table.from_pylist([dict(article) for article in articles], schema=SCHEMA)
    table = lancedb.connect(str(path)).create_table(TABLE, rows, mode="overwrite")
    for column in ("title", "body"):
        # Phrases need positions; by default, common words would be left out.
        table.create_index(column, config=FTS(with_position=True, remove_stop_words=False))


def add(path: str | Path, articles: Iterable[Mapping[str, str]]) -> None:
    """Add articles and take them into the indexes."""
    table = _open(path)
    table.add(pa.Table.from_pylist([dict(article) for article in articles], schema=SCHEMA))
    table.optimize()


def waiting(path: str | Path) -> int:
    """How many rows are not in the index of `body` yet."""
    table = _open(path)
    names = [index.name for index in table.list_indices() if index.columns == ["body"]]
    statistics = table.index_stats(names[0])
    return statistics.num_unindexed_rows


def search(
    path: str | Path,
    text: str,
    *,
    mode: str = "any",
    lang: str | None = None,
    limit: int = 5,
) -> list[str]:
    """The ids of the articles that match best, the best first."""
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit}")
    # A query object takes the text as it is; of a plain string, quotes would make a phrase.
    query: FullTextQuery
    if mode == "phrase":
        query = PhraseQuery(text, "body")
    elif mode in {"any", "all"}:
        operator = "AND" if mode == "all" else "OR"
        query = MultiMatchQuery(text, ["title", "body"], boosts=[3.0, 1.0], operator=operator)
    else:
        raise ValueError(f"unknown mode {mode!r}; use any, all or phrase")
    if not any(character.isalnum() for character in text):
        return []
    found = _open(path).search(query, query_type="fts").select(["id"]).limit(limit)
    if lang is not None:
        quoted = lang.replace("'", "''")
        found = found.where(f"lang = '{quoted}'")
    return [row["id"] for row in found.to_list()]


def _open(path: str | Path) -> Table:
    return lancedb.connect(str(path)).open_table(TABLE)
