"""Search over recipes. Written for LanceDB 0.3; make it run on LanceDB 0.40.0.

What each function promises is in its docstring, and stays as it is.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars, pylance and tantivy are not. This file is imported as part of a package: import further
modules of your own relatively (`from .store import ...`).
"""

from pathlib import Path
from typing import Any

import lancedb
import pandas as pd
import pyarrow as pa
from lancedb.embeddings import with_embeddings

TABLE = "recipes"
LETTERS = "abcdefgh"


def embed(texts: list[str]) -> list[list[float]]:
    """Count the letters a to h of each text. Given: keep it."""
    return [[float(text.lower().count(letter)) for letter in LETTERS] for text in texts]


def load(path: str | Path, recipes: list[dict[str, Any]]) -> int:
    """Make the table anew of `recipes` (id, name, minutes); returns the number of rows.

    Columns: id (int64), name (string), minutes (int64) and vector (fixed-size list of eight
    float32: `embed` of the name). The folder is created where missing. No recipes make an empty
    table.
    """
    db = lancedb.connect(str(path))
    if TABLE in db.table_names():
        db.drop_table(TABLE)
    data = with_embeddings(embed, pd.DataFrame(recipes), column="name")
    table = db.create_table(TABLE, data=data)
    return len(table)


def nearest(path: str | Path, name: str, k: int = 3, max_minutes: int | None = None) -> list[str]:
    """The names of the `k` recipes whose vectors are nearest to that of `name`, by cosine.

    With `max_minutes` only recipes that take no longer, and still `k` of them if there are so many.
    """
    table = lancedb.connect(str(path)).open_table(TABLE)
    query = table.search(embed([name])[0]).metric("cosine").limit(k)
    if max_minutes is not None:
        query = query.where(f"minutes <= {max_minutes}", prefilter=True)
    return query.to_df()["name"].tolist()


def all_names(path: str | Path) -> list[str]:
    """The names of all recipes, by their id."""
    table = lancedb.connect(str(path)).open_table(TABLE)
    return table.to_pandas().sort_values("id")["name"].tolist()


def slower(path: str | Path, minutes: int) -> dict[str, int]:
    """The minutes of the recipes that take longer than `minutes`, by their name."""
    dataset = lancedb.connect(str(path)).open_table(TABLE).to_lance()
    found = dataset.to_table(columns=["name", "minutes"], filter=f"minutes > {minutes}")
    return dict(zip(found["name"].to_pylist(), found["minutes"].to_pylist()))


def rename(path: str | Path, old: str, new: str) -> int:
    """Give the recipes called `old` the name `new`, with its vector; returns how many there were.

    Names may hold any text, quotes included.
    """
    table = lancedb.connect(str(path)).open_table(TABLE)
    frame = table.to_pandas()
    chosen = frame[frame["name"] == old].copy()
    chosen["name"] = new
    chosen = with_embeddings(embed, chosen.drop(columns="vector"), column="name")
    table.delete("name = '" + old.replace("'", "''") + "'")
    if chosen.num_rows:
        table.add(chosen)
    return chosen.num_rows


def merge_ratings(path: str | Path, ratings: dict[int, float]) -> None:
    """Give the table the column `stars` (float64): the rating by id, null where there is none.

    A column of that name is replaced. Ratings of unknown ids are ignored. All other columns and
    all rows stay.
    """
    dataset = lancedb.connect(str(path)).open_table(TABLE).to_lance()
    if "stars" in dataset.schema.names:
        dataset.drop_columns(["stars"])
    stars = pa.table({"id": list(ratings), "stars": list(ratings.values())})
    dataset.merge(stars, left_on="id")


def tidy(path: str | Path) -> None:
    """Compact the files of the table; no row changes."""
    table = lancedb.connect(str(path)).open_table(TABLE)
    table.compact_files()
    table.cleanup_old_versions()
