"""Products are stored, changed, removed, and found by words and vectors together."""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from expected import app
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]


def vector_of(text: str) -> list[float]:
    """Repeat the task's embedder, so that a solution cannot change it unnoticed."""
    boxes = [0.0] * 32
    letters = [character for character in text.lower() if character.isalnum()]
    for first, second in zip(letters, letters[1:], strict=False):
        boxes[zlib.crc32((first + second).encode()) % 32] += 1.0
    return boxes


def product(name: str, title: str, category: str = "food", cents: int = 100) -> dict[str, Any]:
    return {"id": name, "name": title, "category": category, "cents": cents}


def ids(hits: list[dict[str, Any]]) -> list[str]:
    return [hit["id"] for hit in hits]


@pytest.fixture
def shop(db_path: Path) -> Path:
    app.put(
        db_path,
        [
            product("tea", "green tea", "drink", 250),
            product("teapot", "teapots", "kitchen", 1900),
            product("oil", "green olive oil", "food", 800),
            product("salt", "salt", "food", 90),
        ],
    )
    return db_path


def test_products_are_stored_with_their_vectors(
    shop: Path, rows: Rows, open_table: OpenTable
) -> None:
    types = {field.name: field.type for field in open_table("products").schema}
    assert types == {
        "id": pa.string(),
        "name": pa.string(),
        "category": pa.string(),
        "cents": pa.int64(),
        "vector": pa.list_(pa.float32(), 32),
    }
    stored = {row["id"]: row["vector"] for row in rows("products")}
    assert sorted(stored) == ["oil", "salt", "tea", "teapot"]
    assert stored["tea"] == vector_of("green tea")
    assert stored["oil"] == vector_of("green olive oil")


def test_names_have_a_full_text_index_without_gaps(shop: Path, open_table: OpenTable) -> None:
    app.put(shop, [product("rice", "rice"), product("salt", "sea salt")])
    table = open_table("products")
    (index,) = table.list_indices()
    assert index.columns == ["name"]
    assert index.index_type == "FTS"
    statistics = table.index_stats(index.name)
    assert statistics is not None
    assert statistics.num_unindexed_rows == 0


def test_putting_replaces_by_id(db_path: Path, rows: Rows) -> None:
    assert app.put(db_path, []) == 0
    assert app.put(db_path, [product("a", "bread"), product("b", "wine")]) == 2
    changes = [product("a", "beer", "drink", 5), product("c", "milk"), product("c", "cheese")]
    assert app.put(str(db_path), iter(changes)) == 3
    stored = {row["id"]: row for row in rows("products")}
    assert stored["a"] == {**product("a", "beer", "drink", 5), "vector": vector_of("beer")}
    assert stored["b"]["name"] == "wine"
    assert stored["c"]["name"] == "cheese"


def test_scores_are_those_of_rank_fusion(shop: Path) -> None:
    hits = app.search(shop, "green tea")
    assert hits[0] == {
        "id": "tea",
        "name": "green tea",
        "score": pytest.approx(1 / 61 + 1 / 61, abs=1e-6),
        "found_by": ["text", "vector"],
    }
    by_id = {hit["id"]: hit for hit in hits}
    assert by_id["oil"]["found_by"] == ["text", "vector"]
    assert by_id["salt"]["found_by"] == ["vector"]
    assert by_id["salt"]["score"] == pytest.approx(1 / 64, abs=1e-6)


def test_words_and_vectors_find_different_things(db_path: Path) -> None:
    app.put(
        db_path,
        [
            product("near", "abcdefgh abcdefgh"),
            product("word", "xyzabc qqqqqqqqqqqqqqqqqqqqqqqqqq wwwwwwwwwwwwwwww zebra"),
            product("far", "mnopq"),
        ],
    )
    hits = app.search(db_path, "zebra abcdefgh")
    assert hits[0]["id"] == "near"
    by_id = {hit["id"]: hit["found_by"] for hit in hits}
    assert by_id["word"] == ["text", "vector"]
    assert by_id["far"] == ["vector"]


def test_without_a_matching_word_vectors_remain(shop: Path) -> None:
    hits = app.search(shop, "teapo")
    assert hits[0]["id"] == "teapot"
    assert len(hits) == 4
    assert [hit["found_by"] for hit in hits] == [["vector"], ["vector"], ["vector"], ["vector"]]
    scores = [hit["score"] for hit in hits]
    assert scores == pytest.approx([1 / 61, 1 / 62, 1 / 63, 1 / 64], abs=1e-6)


def test_nearness_is_by_cosine(db_path: Path) -> None:
    app.put(
        db_path, [product("long", "abab " * 30), product("short", "cd"), product("mid", "abcd")]
    )
    hits = app.search(db_path, "ab")
    assert hits[0]["id"] == "long"
    assert [hit["found_by"] for hit in hits] == [["vector"], ["vector"], ["vector"]]


def test_pool_is_deeper_than_the_limit(db_path: Path) -> None:
    crowd = [product(f"n{n:02}", f"abc{'x' * n}") for n in range(8)]
    best = product("both", "abc zzzzzzzzzz uuuuuuuuuu vvvvvvvvvv")
    app.put(db_path, [*crowd, best])
    (hit,) = app.search(db_path, "abc", limit=1)
    assert hit["found_by"] == ["text", "vector"]
    assert hit["id"] == "n00"
    by_id = {hit["id"]: hit for hit in app.search(db_path, "abc", limit=2)}
    assert by_id["both"]["found_by"] == ["text", "vector"]
    assert by_id["both"]["score"] == pytest.approx(1 / 62 + 1 / 69, abs=1e-6)


def test_pool_is_twenty(db_path: Path) -> None:
    app.put(db_path, [product(f"n{n:02}", f"ab{'x' * n}") for n in range(30)])
    assert len(app.search(db_path, "ab", limit=20)) == 20
    assert len(app.search(db_path, "ab")) == 5


def test_restrictions_come_before_ranking(db_path: Path) -> None:
    crowd = [product(f"n{n:02}", "red wine", "drink", 500) for n in range(40)]
    app.put(
        db_path,
        [
            *crowd,
            product("glass", "a glass for white and red wine", "kit'chen", 700),
            product("cork", "corkscrew", "kit'chen", 701),
            product("cheap", "some other bottle of red", "drink", 499),
        ],
    )
    kitchen = app.search(db_path, "red wine", category="kit'chen")
    assert ids(kitchen) == ["glass", "cork"]
    assert kitchen[0]["found_by"] == ["text", "vector"]
    assert ids(app.search(db_path, "red wine", max_cents=499)) == ["cheap"]
    both = app.search(db_path, "red wine", category="kit'chen", max_cents=700)
    assert ids(both) == ["glass"]
    assert app.search(db_path, "red wine", category="x' OR '1'='1") == []
    assert app.search(db_path, "red wine", max_cents=0) == []


def test_old_words_are_forgotten(shop: Path) -> None:
    app.put(shop, [product("salt", "pepper")])
    by_id = {hit["id"]: hit for hit in app.search(shop, "salt")}
    assert by_id["salt"]["found_by"] == ["vector"]
    hits = app.search(shop, "pepper")
    assert hits[0]["name"] == "pepper"
    assert hits[0]["found_by"] == ["text", "vector"]


def test_removed_products_are_not_found(shop: Path, rows: Rows) -> None:
    app.put(shop, [product("it's", "green thing")])
    assert app.remove(shop, ["tea", "it's", "nobody", "x') OR ('1'='1"]) == 2
    assert app.remove(shop, []) == 0
    assert sorted(row["id"] for row in rows("products")) == ["oil", "salt", "teapot"]
    assert "tea" not in ids(app.search(shop, "green tea"))


def test_signs_have_no_meaning(shop: Path) -> None:
    assert app.search(shop, '"tea green"')[0]["found_by"] == ["text", "vector"]
    assert ids(app.search(shop, "'green' -tea"))[0] == "tea"
    app.put(shop, [product("ray", "x ray")])
    for text in ("", "  ", "!?", "x", "'"):
        assert app.search(shop, text) == []


def test_limit_has_bounds(shop: Path) -> None:
    for limit in (0, -1, 21):
        with pytest.raises(ValueError):
            app.search(shop, "tea", limit=limit)
    assert app.search(shop.parent / "empty", "tea", limit=20) == []
