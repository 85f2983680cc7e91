"""Posts of a LanceDB table, page by page.

The database folder `path` holds the table `posts`, which others fill: id (string, unique), author
(string), published (int64: seconds) and body (string). Any text may stand in ids and authors,
quotes included. The functions here only read.

The order of posts is: newest first, and by id (ascending) among those published at the same second.
Both functions return posts as dicts of exactly id, author, published and body, and raise
LookupError if the folder or the table does not exist (neither is created).

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from pathlib import Path
from typing import Any

TABLE = "posts"


def page(
    path: str | Path, number: int = 1, size: int = 10, *, author: str | None = None
) -> dict[str, Any]:
    """Page `number` (from 1) of the posts, or of one author's: {"posts", "total", "pages"}.

    `total` is the number of posts on all pages together and `pages` how many pages that makes, 0
    without posts. A page behind the last one has no posts. ValueError if number or size is below 1.
    """
    raise NotImplementedError


def after(path: str | Path, cursor: str | None = None, size: int = 10) -> dict[str, Any]:
    """The `size` posts that follow where a former call ended: {"posts", "cursor"}.

    Without a cursor they are the first ones. The cursor that is returned is a text for the next
    call, or None if no posts are left behind these. Posts that were written or removed since the
    former call change nothing about where it goes on. ValueError if `size` is below 1, or if
    `cursor` is none that this function returned.
    """
    raise NotImplementedError
