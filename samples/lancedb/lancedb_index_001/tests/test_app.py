"""Indexes are made, kept, replaced, dropped, refreshed and used as planned."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
import pytest
from expected import app
from lancedb.index import Bitmap, BTree, HnswSq
from lancedb.table import Table

OpenTable = Callable[[str], Table]

SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64()),
        pa.field("colour", pa.string()),
        pa.field("tags", pa.list_(pa.string())),
        pa.field("vector", pa.list_(pa.float32(), 2)),
        pa.field("other", pa.list_(pa.float32(), 2)),
    ]
)
PLAN = {"id": "btree", "colour": "bitmap", "tags": "label_list", "vector": "flat:cosine"}


def item(number: int, vector: list[float]) -> dict[str, Any]:
    colour = ["red", "blue"][number % 2]
    return {
        "id": number,
        "colour": colour,
        "tags": [colour],
        "vector": vector,
        "other": [float(number), 1.0],
    }


@pytest.fixture
def things(db_path: Path) -> Path:
    """Twelve rows; the last three differ in which is nearest to [1, 0] by which metric."""
    rows = [item(n, [-1.0 - n, 0.0]) for n in range(9)]
    rows += [item(9, [1.0, 0.5]), item(10, [3.5, 0.0]), item(11, [8.0, 7.0])]
    data = pa.Table.from_pylist(rows, schema=SCHEMA)
    lancedb.connect(str(db_path)).create_table("things", data)
    return db_path


def kinds(table: Table) -> dict[str, tuple[str, str | None]]:
    """What LanceDB says of each column's index; fails if a column has several."""
    found = {}
    for index in table.list_indices():
        (column,) = index.columns
        assert column not in found
        statistics = table.index_stats(index.name)
        assert statistics is not None
        found[column] = (index.index_type, statistics.distance_type)
    return found


def report(**changes: list[str]) -> dict[str, list[str]]:
    return {"created": [], "replaced": [], "dropped": [], "kept": [], **changes}


def test_a_plan_is_carried_out(things: Path, open_table: OpenTable) -> None:
    created = ["colour", "id", "tags", "vector"]
    assert app.ensure(things, "things", PLAN) == report(created=created)
    assert kinds(open_table("things")) == {
        "id": ("BTree", None),
        "colour": ("Bitmap", None),
        "tags": ("LabelList", None),
        "vector": ("IvfFlat", "cosine"),
    }


def test_every_metric(things: Path, open_table: OpenTable) -> None:
    plan = {"vector": "flat:dot", "other": "flat:l2"}
    assert app.ensure(str(things), "things", plan) == report(created=["other", "vector"])
    found = kinds(open_table("things"))
    assert found == {"vector": ("IvfFlat", "dot"), "other": ("IvfFlat", "l2")}


def test_what_is_right_is_not_built_again(things: Path, open_table: OpenTable) -> None:
    app.ensure(things, "things", PLAN)
    version = open_table("things").version
    assert app.ensure(things, "things", PLAN) == report(kept=["colour", "id", "tags", "vector"])
    assert open_table("things").version == version


def test_another_kind_or_metric_is_replaced(things: Path, open_table: OpenTable) -> None:
    app.ensure(things, "things", PLAN)
    changed = {**PLAN, "colour": "btree", "vector": "flat:l2"}
    done = app.ensure(things, "things", changed)
    assert done == report(replaced=["colour", "vector"], kept=["id", "tags"])
    assert kinds(open_table("things")) == {
        "id": ("BTree", None),
        "colour": ("BTree", None),
        "tags": ("LabelList", None),
        "vector": ("IvfFlat", "l2"),
    }


def test_indexes_of_others_count(things: Path, open_table: OpenTable) -> None:
    table = open_table("things")
    table.create_index("id", config=BTree(), name="made_by_hand")
    table.create_index("colour", config=BTree(), name="my_colours")
    table.create_index("vector", config=HnswSq(distance_type="cosine", num_partitions=1))
    done = app.ensure(things, "things", {k: v for k, v in PLAN.items() if k != "tags"})
    assert done == report(replaced=["colour", "vector"], kept=["id"])
    assert kinds(open_table("things")) == {
        "id": ("BTree", None),
        "colour": ("Bitmap", None),
        "vector": ("IvfFlat", "cosine"),
    }


def test_what_is_not_planned_is_dropped(things: Path, open_table: OpenTable) -> None:
    app.ensure(things, "things", PLAN)
    done = app.ensure(things, "things", {"id": "btree", "other": "flat:l2"})
    assert done == report(created=["other"], dropped=["colour", "tags", "vector"], kept=["id"])
    assert sorted(kinds(open_table("things"))) == ["id", "other"]
    assert app.ensure(things, "things", {}) == report(dropped=["id", "other"])
    assert kinds(open_table("things")) == {}
    assert open_table("things").count_rows() == 12


def test_a_bad_plan_changes_nothing(things: Path, open_table: OpenTable) -> None:
    app.ensure(things, "things", {"id": "btree"})
    version = open_table("things").version
    for column, kind in (
        ("colour", "hash"),
        ("vector", "flat"),
        ("vector", "flat:hamming"),
        ("nothing", "btree"),
    ):
        with pytest.raises(ValueError):
            app.ensure(things, "things", {"tags": "label_list", column: kind})
    assert open_table("things").version == version
    assert kinds(open_table("things")) == {"id": ("BTree", None)}


def test_coverage_and_refresh(things: Path, open_table: OpenTable) -> None:
    assert app.coverage(things, "things") == {}
    app.ensure(things, "things", {"id": "btree", "vector": "flat:l2"})
    assert app.coverage(things, "things") == {"id": [12, 0], "vector": [12, 0]}
    open_table("things").add([item(20, [1.0, 1.0]), item(21, [1.0, 2.0])])
    assert app.coverage(things, "things") == {"id": [12, 2], "vector": [12, 2]}
    app.refresh(things, "things")
    assert app.coverage(things, "things") == {"id": [14, 0], "vector": [14, 0]}


def test_nearest_is_by_the_metric_of_the_index(things: Path) -> None:
    wanted = {"flat:l2": [9, 0, 10], "flat:cosine": [10, 9, 11], "flat:dot": [11, 10, 9]}
    for kind, ids in wanted.items():
        app.ensure(things, "things", {"vector": kind})
        found = app.nearest(things, "things", "vector", [1.0, 0.0])
        assert [row["id"] for row in found] == ids
    assert found[0]["_distance"] == pytest.approx(-7.0)
    assert found[0]["colour"] == "blue"


def test_nearest_by_the_column_asked_for(things: Path) -> None:
    app.ensure(things, "things", {"vector": "flat:cosine", "other": "flat:l2"})
    found = app.nearest(things, "things", "other", (5.2, 1.0), 2)
    assert [row["id"] for row in found] == [5, 6]
    assert len(app.nearest(things, "things", "vector", [1.0, 0.0], 12)) == 12


def test_new_rows_are_found_before_they_are_indexed(things: Path, open_table: OpenTable) -> None:
    app.ensure(things, "things", {"vector": "flat:l2"})
    open_table("things").add([item(30, [1.0, 0.01])])
    (found,) = app.nearest(things, "things", "vector", [1.0, 0.0], 1)
    assert found["id"] == 30


def test_nearest_needs_a_vector_index(things: Path, open_table: OpenTable) -> None:
    open_table("things").create_index("colour", config=Bitmap())
    for column in ("vector", "colour", "nothing"):
        with pytest.raises(LookupError):
            app.nearest(things, "things", column, [1.0, 0.0])


def test_missing_table_or_folder(things: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    for path, table in ((things, "others"), (nowhere, "things")):
        with pytest.raises(LookupError):
            app.ensure(path, table, {})
        with pytest.raises(LookupError):
            app.coverage(path, table)
        with pytest.raises(LookupError):
            app.refresh(path, table)
        with pytest.raises(LookupError):
            app.nearest(path, table, "vector", [1.0, 0.0])
    assert not nowhere.exists()
