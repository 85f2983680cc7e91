"""The notes table: created once, kept afterwards, described truthfully."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
import pytest
from expected import app
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]


def note(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "body": f"about {name}",
        "created_at": datetime(2024, 5, 17, 8, 30, 15, 250),
        "vector": [0.5] * 8,
    }


def is_string(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def test_missing_folders_and_table_are_created(db_path: Path, open_table: OpenTable) -> None:
    table = app.open_notes(db_path)
    assert table.name == "notes"
    assert table.count_rows() == 0
    assert open_table("notes").count_rows() == 0


def test_columns_have_the_stated_types(db_path: Path, open_table: OpenTable) -> None:
    app.open_notes(db_path)
    types = {field.name: field.type for field in open_table("notes").schema}
    assert sorted(types) == ["body", "created_at", "id", "vector"]
    assert is_string(types["id"])
    assert is_string(types["body"])
    assert types["created_at"] == pa.timestamp("us")
    assert pa.types.is_fixed_size_list(types["vector"])
    assert types["vector"].list_size == 8
    assert types["vector"].value_type == pa.float32()


def test_rows_added_to_the_returned_table_reach_the_database(db_path: Path, rows: Rows) -> None:
    app.open_notes(db_path).add([note("first"), note("second")])
    stored = sorted(rows("notes"), key=lambda row: row["id"])
    assert stored == [note("first"), note("second")]


def test_reopening_keeps_the_rows(db_path: Path, rows: Rows) -> None:
    app.open_notes(str(db_path)).add([note("kept")])
    again = app.open_notes(db_path)
    assert again.count_rows() == 1
    assert app.open_notes(str(db_path)).count_rows() == 1
    assert rows("notes") == [note("kept")]


def test_notes_table_with_other_columns_is_refused_and_kept(db_path: Path, rows: Rows) -> None:
    lancedb.connect(str(db_path)).create_table("notes", [{"id": 7, "text": "older layout"}])
    with pytest.raises(ValueError):
        app.open_notes(db_path)
    assert rows("notes") == [{"id": 7, "text": "older layout"}]


def test_describe_names_every_table_and_counts_the_notes(db_path: Path, rows: Rows) -> None:
    db = lancedb.connect(str(db_path))
    others = [f"other_{number:02}" for number in range(14)]
    for name in others:
        db.create_table(name, [{"n": 1}])
    app.open_notes(db_path).add([note("a"), note("b"), note("c")])
    assert app.describe(db_path) == {"tables": ["notes", *others], "notes": 3}
    assert rows("other_13") == [{"n": 1}]


def test_describe_creates_no_table(db_path: Path) -> None:
    db_path.mkdir(parents=True)
    assert app.describe(str(db_path)) == {"tables": [], "notes": 0}
    assert lancedb.connect(str(db_path)).list_tables().tables == []


def test_describe_of_a_missing_database_raises_and_creates_nothing(db_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        app.describe(db_path)
    assert not db_path.exists()
    assert not db_path.parent.exists()
