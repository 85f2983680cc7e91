"""Tables of every layout are recognised and upgraded in place."""

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

FIRST = {
    "id": pa.int64(),
    "name": pa.string(),
    "cents": pa.int32(),
    "legacy_code": pa.string(),
}
SECOND = {
    "id": pa.int64(),
    "title": pa.string(),
    "cents": pa.int64(),
    "legacy_code": pa.string(),
}
THIRD = {
    "id": pa.int64(),
    "title": pa.string(),
    "cents": pa.int64(),
    "price": pa.float64(),
    "note": pa.string(),
}
OLD_ROWS = [
    {"id": 1, "name": "Tea, 'green'", "cents": 1999, "legacy_code": "T-1"},
    {"id": 2, "name": "Salt", "cents": 50, "legacy_code": None},
    {"id": 3, "name": None, "cents": None, "legacy_code": "X"},
]


def make(path: Path, columns: dict[str, pa.DataType], rows: list[dict[str, Any]]) -> None:
    schema = pa.schema(list(columns.items()))
    table = pa.Table.from_pylist(rows, schema=schema)
    lancedb.connect(str(path)).create_table("products", table)


def types(table: Table) -> dict[str, pa.DataType]:
    return {field.name: field.type for field in table.schema}


def by_id(stored: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(stored, key=lambda row: row["id"])


def test_layouts_are_recognised(tmp_path: Path) -> None:
    for number, columns in ((1, FIRST), (2, SECOND), (3, THIRD)):
        path = tmp_path / str(number)
        make(path, columns, [])
        assert app.layout(path) == number
        assert app.layout(str(path)) == number


def test_order_and_own_columns_do_not_matter(db_path: Path) -> None:
    mixed = {"shelf": pa.string(), **dict(reversed(list(SECOND.items()))), "weight": pa.float32()}
    make(db_path, mixed, [])
    assert app.layout(db_path) == 2


def test_first_to_second_renames_and_widens(
    db_path: Path, rows: Rows, open_table: OpenTable
) -> None:
    make(db_path, FIRST, OLD_ROWS)
    assert app.upgrade(db_path, 2) == [2]
    assert types(open_table("products")) == SECOND
    assert by_id(rows("products")) == [
        {"id": 1, "title": "Tea, 'green'", "cents": 1999, "legacy_code": "T-1"},
        {"id": 2, "title": "Salt", "cents": 50, "legacy_code": None},
        {"id": 3, "title": None, "cents": None, "legacy_code": "X"},
    ]


def test_first_to_third_goes_through_the_second(
    db_path: Path, rows: Rows, open_table: OpenTable
) -> None:
    make(db_path, FIRST, OLD_ROWS)
    assert app.upgrade(db_path) == [2, 3]
    assert types(open_table("products")) == THIRD
    stored = by_id(rows("products"))
    assert [row["title"] for row in stored] == ["Tea, 'green'", "Salt", None]
    assert [row["cents"] for row in stored] == [1999, 50, None]


def test_price_is_a_fraction(db_path: Path, rows: Rows) -> None:
    make(db_path, SECOND, [])
    lancedb.connect(str(db_path)).open_table("products").add(
        [
            {"id": 1, "title": "a", "cents": 1999, "legacy_code": ""},
            {"id": 2, "title": "b", "cents": 7, "legacy_code": ""},
            {"id": 3, "title": "c", "cents": 300, "legacy_code": ""},
            {"id": 4, "title": "d", "cents": None, "legacy_code": ""},
        ]
    )
    assert app.upgrade(db_path) == [3]
    prices = [row["price"] for row in by_id(rows("products"))]
    assert prices[3] is None
    assert prices[:3] == pytest.approx([19.99, 0.07, 3.0])


def test_notes_are_null_and_can_be_written(db_path: Path, rows: Rows) -> None:
    make(db_path, FIRST, OLD_ROWS)
    app.upgrade(db_path)
    assert [row["note"] for row in rows("products")] == [None, None, None]
    table = lancedb.connect(str(db_path)).open_table("products")
    table.update(where="id = 2", values={"note": "coarse"})
    assert [row["note"] for row in by_id(rows("products"))] == [None, "coarse", None]


def test_own_columns_keep_their_values(db_path: Path, rows: Rows, open_table: OpenTable) -> None:
    own = [{**row, "shelf": f"s{row['id']}"} for row in OLD_ROWS]
    make(db_path, {**FIRST, "shelf": pa.string()}, own)
    app.upgrade(db_path)
    assert types(open_table("products")) == {**THIRD, "shelf": pa.string()}
    assert [row["shelf"] for row in by_id(rows("products"))] == ["s1", "s2", "s3"]


def test_earlier_versions_stay(db_path: Path, open_table: OpenTable) -> None:
    make(db_path, FIRST, OLD_ROWS)
    before = open_table("products").version
    app.upgrade(db_path)
    table = open_table("products")
    table.checkout(before)
    assert by_id(table.to_arrow().to_pylist()) == OLD_ROWS


def test_a_table_that_is_there_is_not_written_to(db_path: Path, open_table: OpenTable) -> None:
    make(db_path, FIRST, OLD_ROWS)
    assert app.upgrade(db_path, 1) == []
    app.upgrade(db_path)
    version = open_table("products").version
    assert app.upgrade(db_path) == []
    assert app.upgrade(db_path, 3) == []
    assert open_table("products").version == version


def test_no_way_back_and_no_unknown_layout(db_path: Path, open_table: OpenTable) -> None:
    make(db_path, SECOND, [])
    for to in (1, 0, -1, 4):
        with pytest.raises(ValueError):
            app.upgrade(db_path, to)
    assert types(open_table("products")) == SECOND


def test_a_table_of_no_layout_is_left_alone(tmp_path: Path) -> None:
    strangers = {
        "both": {**FIRST, "title": pa.string()},
        "type": {**SECOND, "cents": pa.int32()},
        "lacks": {"id": pa.int64(), "title": pa.string()},
    }
    for name, columns in strangers.items():
        make(tmp_path / name, columns, [])
        with pytest.raises(ValueError):
            app.layout(tmp_path / name)
        with pytest.raises(ValueError):
            app.upgrade(tmp_path / name)
        table = lancedb.connect(str(tmp_path / name)).open_table("products")
        assert types(table) == columns


def test_missing_folder_or_table(db_path: Path) -> None:
    with pytest.raises(LookupError):
        app.layout(db_path)
    with pytest.raises(LookupError):
        app.upgrade(db_path)
    assert not db_path.exists()
    lancedb.connect(str(db_path)).create_table("unrelated", [{"n": 1}])
    with pytest.raises(LookupError):
        app.upgrade(db_path)
