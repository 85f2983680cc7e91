"""LanceDB embeds notes and queries; the table knows how."""

import json
import zlib
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


def vector_of(text: str, size: int) -> list[float]:
    """Repeat the task's function, so that a solution cannot change it unnoticed."""
    boxes = [0.0] * size
    for word in text.lower().split():
        boxes[zlib.crc32(word.encode()) % size] += 1.0
    return boxes


def stored_settings(table: Table) -> list[dict[str, Any]]:
    """What the table's metadata say, read without the registry."""
    metadata = table.schema.metadata or {}
    settings: list[dict[str, Any]] = json.loads(metadata.get(b"embedding_functions", b"[]"))
    return settings


def test_columns_are_as_stated(db_path: Path, open_table: OpenTable) -> None:
    app.create(db_path)
    types = {field.name: field.type for field in open_table("notes").schema}
    assert types == {"text": pa.string(), "vector": pa.list_(pa.float32(), 32)}
    assert open_table("notes").count_rows() == 0


def test_the_table_itself_names_the_function(db_path: Path, open_table: OpenTable) -> None:
    app.create(db_path, 12)
    assert stored_settings(open_table("notes")) == [
        {
            "name": "hashed-words",
            "model": {"size": 12},
            "source_column": "text",
            "vector_column": "vector",
        }
    ]


def test_added_texts_are_embedded(db_path: Path, rows: Rows) -> None:
    app.create(db_path)
    assert app.add(db_path, ["Red red wine", "it's 'green' tea"]) == 2
    stored = {row["text"]: row["vector"] for row in rows("notes")}
    assert stored["Red red wine"] == vector_of("red red wine", 32)
    assert stored["it's 'green' tea"] == vector_of("it's 'green' tea", 32)


def test_the_size_of_the_table_decides(db_path: Path, rows: Rows) -> None:
    app.create(db_path, size=7)
    app.add(db_path, ["one two three"])
    assert [row["vector"] for row in rows("notes")] == [vector_of("one two three", 7)]
    assert app.find(db_path, "three two") == ["one two three"]
    app.create(db_path.parent / "other", size=50)
    app.add(db_path.parent / "other", ["four", "five"])
    assert app.find(db_path.parent / "other", "five", limit=1) == ["five"]
    assert app.find(db_path, "one", 1) == ["one two three"]


def test_adding_counts_all_notes(db_path: Path, rows: Rows) -> None:
    app.create(db_path)
    assert app.add(db_path, []) == 0
    assert app.add(str(db_path), ["a"]) == 1
    assert app.add(db_path, ["b", "c"]) == 3
    assert sorted(row["text"] for row in rows("notes")) == ["a", "b", "c"]


def test_notes_without_words_are_kept(db_path: Path, rows: Rows) -> None:
    app.create(db_path, 3)
    assert app.add(db_path, ["", "  "]) == 2
    assert [row["vector"] for row in rows("notes")] == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_nearest_notes_come_first(db_path: Path) -> None:
    app.create(db_path, 64)
    app.add(db_path, ["apple", "apple pear", "apple pear plum", "stone", "apple " * 9])
    assert app.find(db_path, "apple pear", limit=1) == ["apple pear"]
    assert app.find(db_path, "pear apple plum", limit=2) == ["apple pear plum", "apple pear"]
    assert app.find(db_path, "apple", limit=1) == ["apple"]
    assert app.find(db_path, "apple", limit=5)[-1].split() == ["apple"] * 9


def test_limits(db_path: Path) -> None:
    app.create(db_path)
    app.add(db_path, [f"note {n}" for n in range(20)])
    assert len(app.find(db_path, "note")) == 3
    assert len(app.find(db_path, "note", 15)) == 15


def test_settings_are_read_from_the_table(db_path: Path) -> None:
    app.create(db_path, 9)
    assert app.settings(db_path) == {"source": "text", "vector": "vector", "size": 9}
    app.create(db_path.parent / "other")
    assert app.settings(db_path.parent / "other")["size"] == 32


def test_an_existing_table_is_left_alone(db_path: Path, rows: Rows) -> None:
    app.create(db_path, 5)
    app.add(db_path, ["kept"])
    with pytest.raises(ValueError):
        app.create(db_path, 6)
    assert [row["vector"] for row in rows("notes")] == [vector_of("kept", 5)]


def test_no_size_below_one(db_path: Path) -> None:
    for size in (0, -4):
        with pytest.raises(ValueError):
            app.create(db_path, size)
    assert lancedb.connect(str(db_path)).list_tables().tables == []
    app.create(db_path, 1)
    assert app.add(db_path, ["a b"]) == 1
