"""Queries are put together of single matches; the language is an expression."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from lancedb.expr import col, lit
from lancedb.query import FullTextQuery, MatchQuery, PhraseQuery

from .articles import HelpCentre

MODES = ("any", "all", "phrase")


def build(path: str | Path, articles: Iterable[Mapping[str, str]]) -> None:
    """Make the table."""
    HelpCentre(path).replace(articles)


def add(path: str | Path, articles: Iterable[Mapping[str, str]]) -> None:
    """Add to the table."""
    HelpCentre(path).extend(articles)


def waiting(path: str | Path) -> int:
    """Ask the index."""
    return HelpCentre(path).table().index_stats("body_words").num_unindexed_rows


def _query(text: str, mode: str) -> FullTextQuery:
    if mode == "phrase":
        return PhraseQuery(text, "body")
    word = "AND" if mode == "all" else "OR"
    title = MatchQuery(text, "title", boost=3.0, operator=word)
    return title | MatchQuery(text, "body", operator=word)


def search(
    path: str | Path,
    text: str,
    *,
    mode: str = "any",
    lang: str | None = None,
    limit: int = 5,
) -> list[str]:
    """Find articles."""
    if mode not in MODES or limit <= 0:
        raise ValueError("bad mode or limit")
    if all(not character.isalnum() for character in text):
        return []
    query = HelpCentre(path).table().search(_query(text, mode), query_type="fts").limit(limit)
    if lang is not None:
        query = query.where(col("lang") == lit(lang))
    return query.to_arrow()["id"].to_pylist()
