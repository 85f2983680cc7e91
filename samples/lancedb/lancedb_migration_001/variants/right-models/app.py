"""Rows are models; values are compared in expressions; ratings are joined by Arrow."""

from pathlib import Path
from typing import Any

import lancedb
from lancedb.expr import col, lit
from lancedb.pydantic import LanceModel, Vector

LETTERS = "abcdefgh"


class Recipe(LanceModel):
    """A row."""

    id: int
    name: str
    minutes: int
    vector: Vector(8)  # type: ignore[valid-type]


def embed(texts: list[str]) -> list[list[float]]:
    """Count the letters a to h of each text. Given: keep it."""
    return [[float(text.lower().count(letter)) for letter in LETTERS] for text in texts]


def _table(path: str | Path) -> Any:
    return lancedb.connect(path).open_table("recipes")


def load(path: str | Path, recipes: list[dict[str, Any]]) -> int:
    """Drop and create."""
    db = lancedb.connect(path)
    db.drop_table("recipes", ignore_missing=True)
    table = db.create_table("recipes", schema=Recipe)
    if recipes:
        table.add([Recipe(**recipe, vector=embed([recipe["name"]])[0]) for recipe in recipes])
    return len(recipes)


def nearest(path: str | Path, name: str, k: int = 3, max_minutes: int | None = None) -> list[str]:
    """Search."""
    query = _table(path).search(embed([name])[0]).metric("cosine")
    if max_minutes is not None:
        query = query.where(col("minutes") <= lit(max_minutes), prefilter=True)
    return query.limit(k).to_arrow()["name"].to_pylist()


def all_names(path: str | Path) -> list[str]:
    """Sort in Python."""
    rows = _table(path).search().select(["id", "name"]).limit(None).to_list()
    return [row["name"] for row in sorted(rows, key=lambda row: row["id"])]


def slower(path: str | Path, minutes: int) -> dict[str, int]:
    """Compare in Python."""
    rows = _table(path).to_arrow().to_pylist()
    return {row["name"]: row["minutes"] for row in rows if row["minutes"] > minutes}


def rename(path: str | Path, old: str, new: str) -> int:
    """Take the rows out and put them back."""
    table = _table(path)
    rows = [row for row in table.to_arrow().to_pylist() if row["name"] == old]
    if rows:
        table.delete(col("name") == lit(old))
        table.add([{**row, "name": new, "vector": embed([new])[0]} for row in rows])
    return len(rows)


def merge_ratings(path: str | Path, ratings: dict[int, float]) -> None:
    """Write each rating by an update."""
    table = _table(path)
    if "stars" not in table.schema.names:
        table.add_columns({"stars": "CAST(NULL AS DOUBLE)"})
    else:
        table.update(values_sql={"stars": "CAST(NULL AS DOUBLE)"})
    for number, stars in ratings.items():
        table.update(where=f"id = {number}", values={"stars": stars})


def tidy(path: str | Path) -> None:
    """Optimize."""
    _table(path).optimize()
