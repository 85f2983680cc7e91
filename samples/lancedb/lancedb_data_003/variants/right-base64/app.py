"""Conditions are expressions, and the cursor is opaque."""

import base64
import math
from pathlib import Path
from typing import Any

import lancedb
from lancedb.expr import Expr, col, lit
from lancedb.query import ColumnOrdering


def _query(path: str | Path, condition: Expr | None) -> tuple[Any, Any]:
    if not Path(path).exists():
        raise LookupError(path)
    try:
        table = lancedb.connect(path).open_table("posts")
    except ValueError as error:
        raise LookupError("posts") from error
    newest = ColumnOrdering(column_name="published", ascending=False, nulls_first=True)
    named = ColumnOrdering(column_name="id", ascending=True, nulls_first=True)
    query = table.search().order_by([newest, named])
    return table, query if condition is None else query.where(condition)


def page(
    path: str | Path, number: int = 1, size: int = 10, *, author: str | None = None
) -> dict[str, Any]:
    """Numbered pages."""
    if min(number, size) <= 0:
        raise ValueError("number and size are positive")
    condition = None if author is None else col("author") == lit(author)
    table, query = _query(path, condition)
    if condition is None:
        total = table.count_rows()
    else:
        total = table.search().where(condition).select(["id"]).to_arrow().num_rows
    found = query.offset(size * (number - 1)).limit(size).to_arrow().to_pylist()
    return {"posts": found, "total": total, "pages": math.ceil(total / size)}


def after(path: str | Path, cursor: str | None = None, size: int = 10) -> dict[str, Any]:
    """An endless list."""
    if size <= 0:
        raise ValueError("size is positive")
    condition = None
    if cursor is not None:
        try:
            plain = base64.b64decode(cursor, validate=True).decode()
            published, _, name = plain.partition("|")
            second = lit(int(published))
        except ValueError as error:
            raise ValueError("no cursor") from error
        same = (col("published") == second) & (col("id") > lit(name))
        condition = (col("published") < second) | same
    _, query = _query(path, condition)
    found = query.limit(size + 1).to_list()
    if len(found) == size + 1:
        found.pop()
        plain = f"{found[-1]['published']}|{found[-1]['id']}"
        return {"posts": found, "cursor": base64.b64encode(plain.encode()).decode()}
    return {"posts": found, "cursor": None}
