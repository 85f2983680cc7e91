"""The old promises hold on the new version."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
import pytest
from expected import app
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]

RECIPES = [
    {"id": 3, "name": "bbbb", "minutes": 90},
    {"id": 1, "name": "a", "minutes": 10},
    {"id": 2, "name": "abbb", "minutes": 45},
    {"id": 4, "name": "aaaaaaaab", "minutes": 60},
]


@pytest.fixture
def book(db_path: Path) -> Path:
    assert app.load(db_path, RECIPES) == 4
    return db_path


def named(rows: Rows) -> dict[int, str]:
    return {row["id"]: row["name"] for row in rows("recipes")}


def test_columns_and_vectors(book: Path, rows: Rows, open_table: OpenTable) -> None:
    types = {field.name: field.type for field in open_table("recipes").schema}
    assert types == {
        "id": pa.int64(),
        "name": pa.string(),
        "minutes": pa.int64(),
        "vector": pa.list_(pa.float32(), 8),
    }
    stored = {row["name"]: row["vector"] for row in rows("recipes")}
    assert stored["abbb"] == [1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert stored["aaaaaaaab"] == [8.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_loading_again_starts_anew(book: Path, rows: Rows) -> None:
    lancedb.connect(str(book)).create_table("unrelated", [{"n": 1}])
    assert app.load(str(book), [{"id": 9, "name": "cab", "minutes": 5}]) == 1
    assert named(rows) == {9: "cab"}
    assert [row["n"] for row in rows("unrelated")] == [1]


def test_no_recipes_make_an_empty_table(db_path: Path, rows: Rows) -> None:
    assert app.load(db_path, []) == 0
    assert rows("recipes") == []
    assert app.all_names(db_path) == []
    assert app.nearest(db_path, "a") == []


def test_nearest_is_by_cosine(book: Path) -> None:
    assert app.nearest(book, "aa", k=4) == ["a", "aaaaaaaab", "abbb", "bbbb"]
    assert app.nearest(book, "bb", k=1) == ["bbbb"]
    assert len(app.nearest(book, "aa")) == 3


def test_time_limit_is_applied_before_k(book: Path) -> None:
    assert app.nearest(book, "bb", k=2, max_minutes=45) == ["abbb", "a"]
    assert app.nearest(book, "bb", k=1, max_minutes=10) == ["a"]
    assert app.nearest(book, "bb", max_minutes=0) == []


def test_names_are_complete_and_by_id(db_path: Path) -> None:
    recipes = [{"id": n, "name": f"b{n:02}", "minutes": n} for n in range(30, 0, -1)]
    app.load(db_path, recipes)
    assert app.all_names(db_path) == [f"b{n:02}" for n in range(1, 31)]


def test_slower_recipes_are_complete(db_path: Path) -> None:
    recipes = [{"id": n, "name": f"b{n}", "minutes": n} for n in range(40)]
    app.load(db_path, recipes)
    assert app.slower(db_path, 36) == {"b37": 37, "b38": 38, "b39": 39}
    assert len(app.slower(db_path, 9)) == 30
    assert app.slower(db_path, 39) == {}


def test_renaming_brings_the_vector_along(book: Path, rows: Rows) -> None:
    assert app.rename(book, "a", "cook's cake") == 1
    assert named(rows)[1] == "cook's cake"
    stored = {row["id"]: row for row in rows("recipes")}
    assert stored[1]["vector"] == [1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert stored[1]["minutes"] == 10
    assert app.nearest(book, "ccc", k=1) == ["cook's cake"]


def test_only_that_very_name_is_renamed(book: Path, rows: Rows) -> None:
    app.rename(book, "bbbb", "it's")
    assert app.rename(book, "x' OR '1'='1", "hacked") == 0
    assert app.rename(book, "it's", "b") == 1
    assert sorted(named(rows).values()) == ["a", "aaaaaaaab", "abbb", "b"]


def test_several_of_a_name_are_renamed(db_path: Path, rows: Rows) -> None:
    app.load(db_path, [{"id": n, "name": "a", "minutes": n} for n in range(3)])
    assert app.rename(db_path, "a", "d") == 3
    assert named(rows) == {0: "d", 1: "d", 2: "d"}
    assert sorted(row["minutes"] for row in rows("recipes")) == [0, 1, 2]


def test_ratings_become_a_column(book: Path, rows: Rows, open_table: OpenTable) -> None:
    app.merge_ratings(book, {1: 4.5, 3: 2.0, 77: 5.0})
    assert open_table("recipes").schema.field("stars").type == pa.float64()
    stars = {row["id"]: row["stars"] for row in rows("recipes")}
    assert stars == {1: 4.5, 2: None, 3: 2.0, 4: None}
    assert named(rows) == {1: "a", 2: "abbb", 3: "bbbb", 4: "aaaaaaaab"}
    assert {row["minutes"] for row in rows("recipes")} == {10, 45, 60, 90}


def test_ratings_are_replaced(book: Path, rows: Rows) -> None:
    app.merge_ratings(book, {1: 4.5, 3: 2.0})
    app.merge_ratings(book, {2: 1.0})
    stars = {row["id"]: row["stars"] for row in rows("recipes")}
    assert stars == {1: None, 2: 1.0, 3: None, 4: None}
    app.merge_ratings(book, {})
    assert {row["stars"] for row in rows("recipes")} == {None}


def test_tidying_joins_files_and_keeps_rows(book: Path, open_table: OpenTable, rows: Rows) -> None:
    for number in range(5, 9):
        row = {"id": number, "name": "c", "minutes": 1, "vector": [0.0] * 8}
        open_table("recipes").add([row])
    assert open_table("recipes").stats()["fragment_stats"]["num_fragments"] == 5
    app.tidy(book)
    assert open_table("recipes").stats()["fragment_stats"]["num_fragments"] == 1
    assert sorted(named(rows)) == [1, 2, 3, 4, 5, 6, 7, 8]
