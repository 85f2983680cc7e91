"""Customers are merged by revision, removed by id and restored from snapshots."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from expected import app
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]


def customer(name: str, revision: int = 1, label: str = "plain") -> dict[str, Any]:
    return {"id": name, "name": label, "revision": revision, "vector": [revision, 0.5, 0.0, 1.0]}


def by_id(stored: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(stored, key=lambda row: row["id"])


def test_new_customers_are_inserted(db_path: Path, open_table: OpenTable, rows: Rows) -> None:
    report = app.upsert_customers(db_path, [customer("b"), customer("a", 3)])
    assert report == {"inserted": 2, "updated": 0, "ignored": 0}
    assert by_id(rows("customers")) == [customer("a", 3), customer("b")]
    types = {field.name: field.type for field in open_table("customers").schema}
    assert sorted(types) == ["id", "name", "revision", "vector"]
    assert types["revision"] == pa.int64()
    assert types["vector"] == pa.list_(pa.float32(), 4)


def test_only_greater_revisions_replace_rows(db_path: Path, rows: Rows) -> None:
    app.upsert_customers(db_path, [customer("a", 5), customer("b", 5), customer("c", 5)])
    batch = [
        customer("a", 6, "newer"),
        customer("b", 5, "same"),
        customer("c", 4, "older"),
        customer("d", 1, "new"),
    ]
    assert app.upsert_customers(str(db_path), batch) == {"inserted": 1, "updated": 1, "ignored": 2}
    assert by_id(rows("customers")) == [
        customer("a", 6, "newer"),
        customer("b", 5),
        customer("c", 5),
        customer("d", 1, "new"),
    ]


def test_repeating_a_batch_changes_nothing(db_path: Path, rows: Rows) -> None:
    batch = [customer("a", 2), customer("b", 7)]
    app.upsert_customers(db_path, batch)
    assert app.upsert_customers(db_path, batch) == {"inserted": 0, "updated": 0, "ignored": 2}
    assert by_id(rows("customers")) == batch


def test_greatest_revision_of_a_repeated_id_counts(db_path: Path, rows: Rows) -> None:
    app.upsert_customers(db_path, [customer("known", 2)])
    batch = [
        customer("fresh", 1),
        customer("fresh", 9, "winner"),
        customer("fresh", 4),
        customer("known", 8, "winner"),
        customer("known", 3),
    ]
    assert app.upsert_customers(db_path, batch) == {"inserted": 1, "updated": 1, "ignored": 3}
    assert by_id(rows("customers")) == [
        customer("fresh", 9, "winner"),
        customer("known", 8, "winner"),
    ]


def test_malformed_record_writes_nothing(db_path: Path, rows: Rows) -> None:
    app.upsert_customers(db_path, [customer("a")])
    nameless = customer("d")
    del nameless["name"]
    for bad in ({**customer("c"), "vector": [1.0, 2.0]}, nameless):
        with pytest.raises(ValueError):
            app.upsert_customers(db_path, [customer("b"), bad])
    assert rows("customers") == [customer("a")]


def test_empty_input_on_a_missing_database(db_path: Path, rows: Rows) -> None:
    assert app.upsert_customers(db_path, []) == {"inserted": 0, "updated": 0, "ignored": 0}
    assert app.remove_customers(db_path, []) == 0
    assert app.remove_customers(db_path, ["nobody"]) == 0
    assert rows("customers") == []


def test_removal_takes_exactly_the_named_ids(db_path: Path, rows: Rows) -> None:
    names = ["a", "b", "O'Neil", 'say "hi"', "x') OR ('1'='1"]
    app.upsert_customers(db_path, [customer(name) for name in names])
    assert app.remove_customers(db_path, ["y') OR ('1'='1"]) == 0
    assert app.remove_customers(db_path, iter(["O'Neil", "O'Neil", "nobody", "b"])) == 2
    assert app.remove_customers(db_path, ["x') OR ('1'='1"]) == 1
    assert by_id(rows("customers")) == [customer("a"), customer('say "hi"')]


def test_restoring_brings_rows_back_for_every_reader(db_path: Path, rows: Rows) -> None:
    empty = app.snapshot(db_path)
    app.upsert_customers(db_path, [customer("a", 1), customer("b", 1)])
    two = app.snapshot(db_path)
    app.upsert_customers(db_path, [customer("a", 2, "changed")])
    app.remove_customers(db_path, ["b"])
    later = app.snapshot(db_path)

    app.restore(db_path, two)
    assert by_id(rows("customers")) == [customer("a", 1), customer("b", 1)]
    app.upsert_customers(db_path, [customer("c", 1)])
    assert [row["id"] for row in by_id(rows("customers"))] == ["a", "b", "c"]
    app.restore(db_path, later)
    assert rows("customers") == [customer("a", 2, "changed")]
    app.restore(db_path, empty)
    assert rows("customers") == []


def test_unknown_version_is_refused(db_path: Path, rows: Rows) -> None:
    app.upsert_customers(db_path, [customer("a")])
    with pytest.raises(ValueError):
        app.restore(db_path, app.snapshot(db_path) + 1000)
    assert rows("customers") == [customer("a")]
