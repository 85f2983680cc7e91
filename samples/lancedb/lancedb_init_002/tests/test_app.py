"""Tables follow a declared layout: created, extended or left alone, all or nothing."""

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

DOCUMENTS = {"id": "string", "pages": "int", "score": "float", "public": "bool", "vec": "vector:6"}


def columns(table: Table) -> dict[str, pa.DataType]:
    return {field.name: field.type for field in table.schema}


def table_names(path: Path) -> list[str]:
    return sorted(lancedb.connect(str(path)).list_tables().tables)


def test_declared_tables_are_created_empty(db_path: Path, open_table: OpenTable) -> None:
    layout = {"documents": DOCUMENTS, "authors": {"name": "string"}}
    assert app.ensure_tables(db_path, layout) == {"documents": "created", "authors": "created"}
    assert columns(open_table("documents")) == {
        "id": pa.string(),
        "pages": pa.int64(),
        "score": pa.float64(),
        "public": pa.bool_(),
        "vec": pa.list_(pa.float32(), 6),
    }
    assert columns(open_table("authors")) == {"name": pa.string()}
    assert open_table("documents").count_rows() == 0
    assert open_table("authors").count_rows() == 0


def test_second_call_writes_nothing(db_path: Path, open_table: OpenTable) -> None:
    app.ensure_tables(db_path, {"documents": DOCUMENTS})
    open_table("documents").add([{"id": "a", "pages": 3, "vec": [1.0] * 6}])
    before = open_table("documents").version
    assert app.ensure_tables(str(db_path), {"documents": DOCUMENTS}) == {"documents": "unchanged"}
    assert open_table("documents").version == before
    assert open_table("documents").count_rows() == 1


def test_missing_columns_are_added_and_rows_kept(
    db_path: Path, open_table: OpenTable, rows: Rows
) -> None:
    app.ensure_tables(db_path, {"documents": {"id": "string"}})
    open_table("documents").add([{"id": "a"}, {"id": "b"}])
    wider = {"id": "string", "pages": "int", "vec": "vector:2"}
    assert app.ensure_tables(db_path, {"documents": wider}) == {"documents": "extended"}
    assert columns(open_table("documents")) == {
        "id": pa.string(),
        "pages": pa.int64(),
        "vec": pa.list_(pa.float32(), 2),
    }
    open_table("documents").add([{"id": "c", "pages": 9, "vec": [0.5, 0.25]}])
    assert sorted(rows("documents"), key=lambda row: row["id"]) == [
        {"id": "a", "pages": None, "vec": None},
        {"id": "b", "pages": None, "vec": None},
        {"id": "c", "pages": 9, "vec": [0.5, 0.25]},
    ]


def test_undeclared_columns_and_tables_stay(db_path: Path, rows: Rows) -> None:
    db = lancedb.connect(str(db_path))
    for number in range(14):
        db.create_table(f"aux_{number:02}", [{"n": number}])
    db.create_table("zoo", [{"animal": "gnu", "legs": 4}])
    report = app.ensure_tables(db_path, {"zoo": {"animal": "string"}, "new": {"id": "int"}})
    assert report == {"zoo": "unchanged", "new": "created"}
    assert rows("zoo") == [{"animal": "gnu", "legs": 4}]
    assert rows("aux_13") == [{"n": 13}]
    assert len(table_names(db_path)) == 16


def test_conflicting_type_raises_and_changes_nothing(
    db_path: Path, open_table: OpenTable, rows: Rows
) -> None:
    app.ensure_tables(db_path, {"first": {"id": "string"}, "second": {"id": "string"}})
    open_table("second").add([{"id": "x"}])
    layout = {
        "brand_new": {"id": "string"},
        "first": {"id": "string", "extra": "int"},
        "second": {"id": "int"},
    }
    with pytest.raises(app.SchemaConflictError):
        app.ensure_tables(db_path, layout)
    assert table_names(db_path) == ["first", "second"]
    assert columns(open_table("first")) == {"id": pa.string()}
    assert rows("second") == [{"id": "x"}]


def test_other_vector_length_is_a_conflict(db_path: Path, open_table: OpenTable) -> None:
    app.ensure_tables(db_path, {"documents": {"vec": "vector:4"}})
    with pytest.raises(app.SchemaConflictError):
        app.ensure_tables(db_path, {"documents": {"vec": "vector:8"}})
    assert columns(open_table("documents")) == {"vec": pa.list_(pa.float32(), 4)}


def test_unknown_type_raises_and_creates_nothing(db_path: Path) -> None:
    for kind in ("text", "vector", "vector:0", "vector:-3", "vector:many", ""):
        with pytest.raises(ValueError):
            app.ensure_tables(db_path, {"good": {"id": "string"}, "bad": {"id": kind}})
        assert table_names(db_path) == []


def test_empty_layout_does_nothing(db_path: Path, rows: Rows) -> None:
    lancedb.connect(str(db_path)).create_table("kept", [{"n": 1}])
    assert app.ensure_tables(db_path, {}) == {}
    assert rows("kept") == [{"n": 1}]
