"""Posts of a LanceDB table, page by page."""

import json
from pathlib import Path
from typing import Any

import lancedb
from lancedb.query import ColumnOrdering
from lancedb.table import Table

TABLE = "posts"
COLUMNS = ["id", "author", "published", "body"]
ORDER = [
    ColumnOrdering(column_name="published", ascending=False, nulls_first=False),
    ColumnOrdering(column_name="id", ascending=True, nulls_first=False),
]


def page(
    path: str | Path, number: int = 1, size: int = 10, *, author: str | None = None
) -> dict[str, Any]:
    """Page `number` of the posts, or of one author's."""
    if number < 1 or size < 1:
        raise ValueError(f"number and size must be at least 1, not {number} and {size}")
    table = _open(path)
    condition = None if author is None else f"author = {_quote(author)}"
    total = table.count_rows(condition)
    posts = _posts(table, condition, size, (number - 1) * size)
    return {"posts": posts, "total": total, "pages": -(-total // size)}


def after(path: str | Path, cursor: str | None = None, size: int = 10) -> dict[str, Any]:
    """The `size` posts that follow where a former call ended."""
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    condition = None if cursor is None else _behind(cursor)
    # One more tells whether anything is left.
    posts = _posts(_open(path), condition, size + 1, 0)
    if len(posts) <= size:
        return {"posts": posts, "cursor": None}
    last = posts[size - 1]
    return {"posts": posts[:size], "cursor": json.dumps([last["published"], last["id"]])}


def _behind(cursor: str) -> str:
    """The condition that a post comes later in the order than the one of the cursor."""
    try:
        published, name = json.loads(cursor)
        same = f"published = {int(published)} AND id > {_quote(name)}"
        return f"published < {int(published)}"
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{cursor!r} is no cursor") from error


def _posts(table: Table, condition: str | None, limit: int, offset: int) -> list[dict[str, Any]]:
    query = table.search().select(COLUMNS).order_by(ORDER).limit(limit).offset(offset)
    if condition is not None:
        query = query.where(condition)
    return query.to_list()


def _open(path: str | Path) -> Table:
    # connect() would create a missing folder.
    if not Path(path).is_dir():
        raise LookupError(f"no database at {path}")
    db = lancedb.connect(str(path))
    if TABLE not in db.list_tables().tables:
        raise LookupError(f"no table {TABLE!r} in {path}")
    return db.open_table(TABLE)


def _quote(value: str) -> str:
    """Write a value as a SQL string literal."""
    return "'" + value.replace("'", "''") + "'"
