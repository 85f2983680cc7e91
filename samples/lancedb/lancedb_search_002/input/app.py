"""Full-text search over the articles of a help centre.

The database folder `path` holds the table `articles` with the columns id, title, body and lang, all
strings. Any text may stand in them, quotes included.

How words are compared: by their English stem, without regard to case and accents. No word is too
common to count: "not", "the" or "it" are found like any other.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

TABLE = "articles"


def build(path: str | Path, articles: Iterable[Mapping[str, str]]) -> None:
    """Make the table of these articles, and a full-text index on title and one on body.

    The folder is created where missing; a table that exists already is replaced. There may be no
    articles at all.
    """
    raise NotImplementedError


def add(path: str | Path, articles: Iterable[Mapping[str, str]]) -> None:
    """Add articles to a table that was built, and bring both indexes up to date."""
    raise NotImplementedError


def waiting(path: str | Path) -> int:
    """How many rows are not in the index of `body` yet, as LanceDB's index statistics say."""
    raise NotImplementedError


def search(
    path: str | Path,
    text: str,
    *,
    mode: str = "any",
    lang: str | None = None,
    limit: int = 5,
) -> list[str]:
    """The ids of the articles that match best, the best first; at most `limit`.

    - mode "any": title or body has at least one of the words. A score of the title counts three
      times, one of the body once.
    - mode "all": the title has all of the words, or the body has all of them; weighed like "any".
    - mode "phrase": the words stand in the body one behind the other, in this order.
    - lang: only articles of that language; the limit applies to them alone.

    `text` is what a person typed: quotes, signs and words like AND in it have no special meaning.
    A text without letters and digits finds nothing. The order of equally good articles does not
    matter. Raises ValueError for another mode, or a limit below 1.
    """
    raise NotImplementedError
