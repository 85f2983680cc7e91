"""A search over the articles, put together step by step from expressions."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any, Self

import lancedb
from lancedb.expr import Expr, col, lit
from lancedb.table import Table


def open_articles(path: str | Path) -> Table:
    """Open the table; LookupError if there is none."""
    try:
        return lancedb.connect(path).open_table("articles")
    except ValueError as error:
        raise LookupError("there is no table of articles") from error


class Query:
    """A nearest-neighbour query under construction."""

    def __init__(self, table: Table, vector: Sequence[float], metric: str) -> None:
        """Start without conditions."""
        self.search = table.search([float(number) for number in vector]).distance_type(metric)
        self.conditions: list[Expr] = []

    def require(self, condition: Expr) -> Self:
        """Add a condition; all must hold."""
        self.conditions.append(condition)
        return self

    def nearest(self, limit: int) -> list[dict[str, Any]]:
        """Run the query."""
        if self.conditions:
            self.search = self.search.where(reduce(lambda a, b: a & b, self.conditions))
        found = self.search.limit(limit).to_arrow().sort_by("_distance")
        return [
            {"id": row["id"], "title": row["title"], "distance": row["_distance"]}
            for row in found.to_pylist()
        ]


def any_of(column: str, values: Sequence[str]) -> Expr:
    """Return the condition that a column has one of the values (at least one is needed)."""
    return reduce(lambda a, b: a | b, [col(column) == lit(value) for value in values])
