"""Search over recipes, on LanceDB 0.40.0."""

from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.table import Table

TABLE = "recipes"
LETTERS = "abcdefgh"
SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64()),
        pa.field("name", pa.string()),
        pa.field("minutes", pa.int64()),
        pa.field("vector", pa.list_(pa.float32(), len(LETTERS))),
    ]
)


def embed(texts: list[str]) -> list[list[float]]:
    """Count the letters a to h of each text. Given: keep it."""
    return [[float(text.lower().count(letter)) for letter in LETTERS] for text in texts]


def load(path: str | Path, recipes: list[dict[str, Any]]) -> int:
    """Make the table anew of `recipes`; returns the number of rows."""
    vectors = embed([recipe["name"] for recipe in recipes])
    rows = [{**recipe, "vector": vector} for recipe, vector in zip(recipes, vectors, strict=True)]
    data = pa.Table.from_pylist(rows, schema=SCHEMA)
    table = lancedb.connect(str(path)).create_table(TABLE, data, mode="overwrite")
    return table.count_rows()


def nearest(path: str | Path, name: str, k: int = 3, max_minutes: int | None = None) -> list[str]:
    """The names of the `k` recipes whose vectors are nearest to that of `name`, by cosine."""
    query = _open(path).search(embed([name])[0]).distance_type("cosine").limit(k)
    if max_minutes is not None:
        query = query.where(f"minutes <= {max_minutes}")
    return [row["name"] for row in query.to_list()]


def all_names(path: str | Path) -> list[str]:
    """The names of all recipes, by their id."""
    return _open(path).to_arrow().sort_by("id")["name"].to_pylist()


def slower(path: str | Path, minutes: int) -> dict[str, int]:
    """The minutes of the recipes that take longer than `minutes`, by their name."""
    query = _open(path).search().where(f"minutes > {minutes}").select(["name", "minutes"])
    return {row["name"]: row["minutes"] for row in query.to_list()}


def rename(path: str | Path, old: str, new: str) -> int:
    """Give the recipes called `old` the name `new`, with its vector."""
    quoted = old.replace("'", "''")
    values = {"name": new, "vector": embed([new])[0]}
    return _open(path).update(where=f"name = '{quoted}'", values=values).rows_updated


def merge_ratings(path: str | Path, ratings: dict[int, float]) -> None:
    """Give the table the column `stars`."""
    table = _open(path)
    if "stars" not in table.schema.names:
        table.add_columns(pa.field("stars", pa.float64()))
    columns = {"id": list(ratings), "stars": list(ratings.values())}
    types = pa.schema({"id": pa.int64(), "stars": pa.float64()})
    table.merge_insert("id").when_matched_update_all().execute(pa.table(columns, schema=types))


def tidy(path: str | Path) -> None:
    """Compact the files of the table."""
    _open(path).optimize()


def _open(path: str | Path) -> Table:
    return lancedb.connect(str(path)).open_table(TABLE)
