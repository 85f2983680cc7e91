"""The table of articles and its indexes."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import lancedb
from lancedb.index import FTS
from lancedb.pydantic import LanceModel
from lancedb.table import Table


class Article(LanceModel):
    """A row."""

    id: str
    title: str
    body: str
    lang: str


class HelpCentre:
    """Opens the table by need."""

    def __init__(self, path: str | Path) -> None:
        """Connect."""
        self.db = lancedb.connect(path)

    def table(self) -> Table:
        """Open it."""
        return self.db.open_table("articles")

    def replace(self, articles: Iterable[Mapping[str, str]]) -> None:
        """Make it anew."""
        table = self.db.create_table("articles", schema=Article, mode="overwrite")
        if rows := [Article(**article) for article in articles]:
            table.add(rows)
        words = FTS(with_position=True, remove_stop_words=False, stem=True, ascii_folding=True)
        table.create_index("title", config=words, name="title_words")
        table.create_index("body", config=words, name="body_words")

    def extend(self, articles: Iterable[Mapping[str, str]]) -> None:
        """Add rows, and index them."""
        self.table().add([Article(**article) for article in articles])
        self.table().optimize()
