"""Documents are replaced as a whole, and questions get passages that may be read and fit."""

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

# Eight paragraphs of two words; the odd words are in no other one.
LETTERS = "\n\n".join(f"para{letter} word{letter}" for letter in "abcdefgh")


def vector_of(text: str) -> list[float]:
    """Repeat the task's embedder, so that a solution cannot change it unnoticed."""
    boxes = [0.0] * 64
    for word in text.lower().split():
        boxes[zlib.crc32(word.encode()) % 64] += 1.0
    return boxes


def stored(rows: Rows, doc: str) -> list[str]:
    """The chunks of a document; fails if they are not numbered 0, 1, 2…"""
    own = sorted((row["number"], row["text"]) for row in rows("chunks") if row["doc"] == doc)
    assert [number for number, _ in own] == list(range(len(own)))
    return [text for _, text in own]


def places(passages: list[dict[str, Any]]) -> list[tuple[str, int, int]]:
    return [(passage["doc"], passage["first"], passage["last"]) for passage in passages]


def test_chunks_are_stored_as_stated(db_path: Path, rows: Rows, open_table: OpenTable) -> None:
    assert app.put(db_path, "it's", "one  two\nthree\n\n\n\nfour", ["a", "b's"]) == 2
    types = {field.name: field.type for field in open_table("chunks").schema}
    assert sorted(types) == ["doc", "labels", "number", "text", "vector"]
    assert types["number"] == pa.int64()
    assert types["vector"] == pa.list_(pa.float32(), 64)
    assert sorted(rows("chunks"), key=lambda row: row["number"]) == [
        {
            "doc": "it's",
            "number": 0,
            "text": "one two three",
            "labels": ["a", "b's"],
            "vector": vector_of("one two three"),
        },
        {
            "doc": "it's",
            "number": 1,
            "text": "four",
            "labels": ["a", "b's"],
            "vector": vector_of("four"),
        },
    ]


def test_replacing_leaves_no_old_chunk(db_path: Path, rows: Rows) -> None:
    app.put(db_path, "it's", "a\n\nb\n\nc", ["x"])
    app.put(db_path, "other", "k\n\nl\n\nm", ["x"])
    assert app.put(str(db_path), "it's", "n\n\nb", ["y"]) == 2
    assert stored(rows, "it's") == ["n", "b"]
    assert stored(rows, "other") == ["k", "l", "m"]
    assert {tuple(row["labels"]) for row in rows("chunks") if row["doc"] == "it's"} == {("y",)}
    assert app.put(db_path, "it's", "a\n\nb\n\nc\n\nd", ["x"]) == 4
    assert stored(rows, "it's") == ["a", "b", "c", "d"]


def test_replacing_is_a_single_version(db_path: Path, open_table: OpenTable) -> None:
    app.put(db_path, "d", "a\n\nb\n\nc", ["x"])
    before = open_table("chunks").version
    app.put(db_path, "d", "a\n\nz", ["x"])
    assert open_table("chunks").version == before + 1


def test_an_empty_text_removes_the_document(db_path: Path, rows: Rows) -> None:
    app.put(db_path, "d", "a\n\nb", ["x"])
    app.put(db_path, "e", "c", ["x"])
    assert app.put(db_path, "d", " \n\n ", ["x"]) == 0
    assert [row["doc"] for row in rows("chunks")] == ["e"]


def test_a_document_needs_labels(db_path: Path, rows: Rows) -> None:
    app.put(db_path, "d", "a", ["x"])
    with pytest.raises(ValueError):
        app.put(db_path, "d", "b", [])
    assert stored(rows, "d") == ["a"]


def test_dropping_tells_the_number_of_chunks(db_path: Path, rows: Rows) -> None:
    app.put(db_path, "it's", "a\n\nb", ["x"])
    app.put(db_path, "e", "c", ["x"])
    assert app.drop(db_path, "it's") == 2
    assert app.drop(db_path, "it's") == 0
    assert app.drop(db_path, "x' OR '1'='1") == 0
    assert [row["doc"] for row in rows("chunks")] == ["e"]


def test_a_hit_comes_with_its_neighbours(db_path: Path) -> None:
    app.put(db_path, "d", LETTERS, ["x"])
    assert app.context(db_path, "wordd", ["x"], hits=1) == [
        {"doc": "d", "first": 2, "last": 4, "text": "parac wordc\nparad wordd\nparae worde"}
    ]


def test_there_is_nothing_before_the_first_and_behind_the_last(db_path: Path) -> None:
    app.put(db_path, "d", LETTERS, ["x"])
    app.put(db_path, "single", "lonely", ["x"])
    assert places(app.context(db_path, "worda", ["x"], hits=1)) == [("d", 0, 1)]
    assert places(app.context(db_path, "wordh", ["x"], hits=1)) == [("d", 6, 7)]
    assert places(app.context(db_path, "lonely", ["x"], hits=1)) == [("single", 0, 0)]


def test_passages_that_touch_become_one(db_path: Path) -> None:
    app.put(db_path, "d", LETTERS, ["x"])
    # Overlapping, then without a gap, then with one chunk between them.
    assert places(app.context(db_path, "paraa worda wordb", ["x"], hits=2)) == [("d", 0, 2)]
    assert places(app.context(db_path, "parab wordb worde", ["x"], hits=2)) == [("d", 0, 5)]
    found = app.context(db_path, "parab wordb wordf", ["x"], hits=2)
    assert places(found) == [("d", 0, 2), ("d", 4, 6)]
    backwards = app.context(db_path, "parae worde wordb", ["x"], hits=2)
    assert places(backwards) == [("d", 0, 5)]
    words = backwards[0]["text"].split()
    assert words[::2] == ["paraa", "parab", "parac", "parad", "parae", "paraf"]


def test_the_best_passage_comes_first(db_path: Path) -> None:
    app.put(db_path, "one", "red green blue black", ["x"])
    app.put(db_path, "two", "red green", ["x"])
    app.put(db_path, "long", " ".join(["red green blue"] * 5), ["x"])
    found = app.context(db_path, "red green", ["x"])
    assert places(found) == [("two", 0, 0), ("long", 0, 0), ("one", 0, 0)]


def test_two_hits_of_a_document_at_most(db_path: Path) -> None:
    app.put(db_path, "many", "\n\n".join(["tea"] + ["x y z", "tea pot", "q"] * 6), ["x"])
    app.put(db_path, "few", "cups of tea for you and me", ["x"])
    found = app.context(db_path, "tea", ["x"], hits=3, budget=500)
    assert sorted({passage["doc"] for passage in found}) == ["few", "many"]
    assert found[-1]["doc"] == "few"
    assert sum(passage["last"] - passage["first"] + 1 for passage in found) <= 6


def test_hits_are_limited(db_path: Path) -> None:
    for number in range(9):
        app.put(db_path, f"d{number}", "tea", ["x"])
    assert len(app.context(db_path, "tea", ["x"])) == 4
    assert len(app.context(db_path, "tea", ["x"], hits=7)) == 7
    assert len(app.context(db_path, "tea", ["x"], hits=20)) == 9


def test_labels_decide_who_sees_what(db_path: Path) -> None:
    for number in range(30):
        app.put(db_path, f"secret{number}", "tea", ["board"])
    app.put(db_path, "open", "tea with milk", ["all", "staff's"])
    app.put(db_path, "mixed", "tea with milk and sugar", ["board", "guests"])
    assert places(app.context(db_path, "tea", ["all"])) == [("open", 0, 0)]
    assert places(app.context(db_path, "tea", ["staff's", "guests"])) == [
        ("open", 0, 0),
        ("mixed", 0, 0),
    ]
    assert app.context(db_path, "tea", ["al"]) == []
    assert app.context(db_path, "tea", ["x') OR ('1'='1"]) == []
    assert app.context(db_path, "tea", []) == []


def test_the_budget_is_kept(db_path: Path) -> None:
    app.put(db_path, "a", "tea", ["x"])
    app.put(db_path, "b", "tea two three four five", ["x"])
    app.put(db_path, "c", "tea and milk or sugar in a cup", ["x"])
    question = "tea two three four five"
    assert places(app.context(db_path, question, ["x"], budget=6)) == [("b", 0, 0), ("a", 0, 0)]
    assert places(app.context(db_path, question, ["x"], budget=5)) == [("b", 0, 0)]
    assert places(app.context(db_path, question, ["x"], budget=4)) == [("a", 0, 0)]
    assert len(app.context(db_path, question, ["x"], budget=14)) == 3
    assert app.context(db_path, question, ["x"], budget=0) == []
    app.put(db_path, "wide", " ".join(["tea"] * 121), ["y"])
    app.put(db_path, "fits", " ".join(["tea"] * 120), ["y"])
    assert places(app.context(db_path, "tea", ["y"])) == [("fits", 0, 0)]


def test_questions_without_an_answer(db_path: Path) -> None:
    assert app.context(db_path, "tea", ["x"]) == []
    app.put(db_path, "a", "tea", ["x"])
    assert app.context(db_path, "  ", ["x"]) == []
    for hits in (0, -1):
        with pytest.raises(ValueError):
            app.context(db_path, "tea", ["x"], hits=hits)
