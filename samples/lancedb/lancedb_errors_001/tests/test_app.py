"""Good readings are stored, bad ones kept with their reason, and errors reported."""

import json
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


def reading(name: str, **changes: Any) -> dict[str, Any]:
    return {"id": name, "at": 7, "value": 1.5, "vector": [1.0, 0.0, 2.0], **changes}


def without(field: str) -> dict[str, Any]:
    return {key: value for key, value in reading("w").items() if key != field}


def stored_ids(rows: Rows) -> list[str]:
    return sorted(row["id"] for row in rows("readings"))


def test_good_readings_are_stored(db_path: Path, rows: Rows) -> None:
    batch = [reading("a"), reading("b", value=3, vector=[1, 2, 3], note="ignored")]
    assert app.ingest(db_path, "s", batch) == {"stored": 2, "rejected": {}}
    assert sorted(rows("readings"), key=lambda row: row["id"]) == [
        {"id": "a", "at": 7, "value": 1.5, "vector": [1.0, 0.0, 2.0]},
        {"id": "b", "at": 7, "value": 3.0, "vector": [1.0, 2.0, 3.0]},
    ]
    assert rows("rejected") == []


def test_columns_are_as_stated(db_path: Path, open_table: OpenTable) -> None:
    assert app.ingest(str(db_path), "s", []) == {"stored": 0, "rejected": {}}
    types = {field.name: field.type for field in open_table("readings").schema}
    assert types == {
        "id": pa.string(),
        "at": pa.int64(),
        "value": pa.float64(),
        "vector": pa.list_(pa.float32(), 3),
    }
    types = {field.name: field.type for field in open_table("rejected").schema}
    assert types == {
        "source": pa.string(),
        "position": pa.int64(),
        "reason": pa.string(),
        "record": pa.string(),
    }


def refused(path: Path, rows: Rows, records: list[Any]) -> list[str]:
    """Store two good readings with bad ones between them; the reasons, in order."""
    report = app.ingest(path, "s", [reading("first"), *records, reading("last")])
    assert report["stored"] == 2
    assert stored_ids(rows) == ["first", "last"]
    found = app.rejected(path, "s")
    assert [position for position, _ in found] == list(range(1, len(records) + 1))
    return [reason for _, reason in found]


def test_what_is_no_record(db_path: Path, rows: Rows) -> None:
    found = refused(db_path, rows, ["rubbish", None, ["id", "at"], 5])
    assert found == ["not a record", "not a record", "not a record", "not a record"]


def test_missing_fields(db_path: Path, rows: Rows) -> None:
    found = refused(
        db_path,
        rows,
        [
            without("id"),
            without("vector"),
            reading("x", at=None),
            reading("x", id=None, at=None),
            reading("x", at="7", value=None),
        ],
    )
    assert found == ["missing id", "missing vector", "missing at", "missing id", "missing value"]


def test_wrong_types(db_path: Path, rows: Rows) -> None:
    found = refused(
        db_path,
        rows,
        [
            reading(""),
            reading("x", id=5),
            reading("x", at=7.0),
            reading("x", value="1.5"),
            reading("x", vector="abc"),
            reading("x", vector=[1.0, None, 2.0]),
            reading("x", value=float("nan"), vector=3),
        ],
    )
    assert found == [
        "wrong type id",
        "wrong type id",
        "wrong type at",
        "wrong type value",
        "wrong type vector",
        "wrong type vector",
        "wrong type vector",
    ]


def test_true_and_false_are_no_numbers(db_path: Path, rows: Rows) -> None:
    records = [
        reading("x", at=True),
        reading("x", value=False),
        reading("x", vector=[1.0, True, 2.0]),
    ]
    found = refused(db_path, rows, records)
    assert found == ["wrong type at", "wrong type value", "wrong type vector"]


def test_numbers_that_are_not_finite(db_path: Path, rows: Rows) -> None:
    found = refused(
        db_path,
        rows,
        [
            reading("x", value=float("nan")),
            reading("x", value=float("inf"), vector=[1.0]),
            reading("x", vector=[1.0, float("nan"), 2.0]),
            reading("x", vector=[1.0, float("-inf")]),
        ],
    )
    assert found == [
        "not finite value",
        "not finite value",
        "not finite vector",
        "not finite vector",
    ]


def test_vectors_of_another_length(db_path: Path, rows: Rows) -> None:
    records = [
        reading("x", vector=[]),
        reading("x", vector=[1.0, 2.0]),
        reading("x", vector=[1.0, 2.0, 3.0, 4.0]),
    ]
    assert refused(db_path, rows, records) == ["wrong length 0", "wrong length 2", "wrong length 4"]


def test_repeated_ids(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "s", [reading("it's")])
    batch = [reading("new"), reading("it's", value=9.0), reading("new", value=8.0), reading("b")]
    assert app.ingest(db_path, "t", batch) == {"stored": 2, "rejected": {"repeated": 2}}
    assert app.rejected(db_path, "t") == [[1, "repeated"], [2, "repeated"]]
    assert {row["id"]: row["value"] for row in rows("readings")} == {
        "it's": 1.5,
        "new": 1.5,
        "b": 1.5,
    }


def test_a_bad_record_does_not_use_up_its_id(db_path: Path, rows: Rows) -> None:
    batch = [reading("a", value=None), reading("a")]
    assert app.ingest(db_path, "s", iter(batch)) == {"stored": 1, "rejected": {"missing value": 1}}
    assert stored_ids(rows) == ["a"]


def test_rejected_records_are_kept_whole(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "probe 'x'", [reading("ok"), {"id": "a", "extra": [1, "é"]}])
    (row,) = rows("rejected")
    assert (row["source"], row["position"], row["reason"]) == ("probe 'x'", 1, "missing at")
    assert json.loads(row["record"]) == {"id": "a", "extra": [1, "é"]}


def test_what_json_cannot_hold_is_kept_as_text(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "s", [{"id": Path("a/b")}])
    assert json.loads(rows("rejected")[0]["record"]) == {"id": "a/b"}


def test_reasons_are_counted(db_path: Path) -> None:
    batch = [3, reading("a"), without("at"), 4, reading("b", vector=[1.0])]
    report = app.ingest(db_path, "s", batch)
    assert report["stored"] == 1
    assert report["rejected"] == {"not a record": 2, "missing at": 1, "wrong length 1": 1}


def test_rejected_by_source(db_path: Path) -> None:
    app.ingest(db_path, "many", range(15))
    app.ingest(db_path, "x' OR '1'='1", [reading("a"), None])
    assert app.rejected(db_path, "many") == [[n, "not a record"] for n in range(15)]
    assert app.rejected(db_path, "x' OR '1'='1") == [[1, "not a record"]]
    assert app.rejected(db_path, "y' OR '1'='1") == []


def test_strict_refuses_the_whole_batch(db_path: Path, rows: Rows) -> None:
    app.ingest(db_path, "s", [reading("old")])
    batch = [reading("a"), reading("b"), without("at"), 5]
    with pytest.raises(ValueError, match="position 2: missing at"):
        app.ingest(db_path, "s", batch, strict=True)
    with pytest.raises(ValueError, match="position 1: repeated"):
        app.ingest(db_path, "s", [reading("c"), reading("old")], strict=True)
    assert stored_ids(rows) == ["old"]
    assert rows("rejected") == []
    assert app.ingest(db_path, "s", batch[:2], strict=True) == {"stored": 2, "rejected": {}}


def test_strange_tables_are_an_error(tmp_path: Path) -> None:
    for name in ("readings", "rejected"):
        path = tmp_path / name
        lancedb.connect(str(path)).create_table(name, [{"id": "a", "other": 1}])
        with pytest.raises(RuntimeError):
            app.ingest(path, "s", [reading("b"), None])
        db = lancedb.connect(str(path))
        assert db.open_table(name).to_arrow().to_pylist() == [{"id": "a", "other": 1}]
        others = [other for other in db.list_tables().tables if other != name]
        assert [db.open_table(other).count_rows() for other in others] in ([], [0])


def test_nothing_is_rejected_where_nothing_is(db_path: Path) -> None:
    assert app.rejected(db_path, "s") == []
    assert not db_path.exists()
    lancedb.connect(str(db_path)).create_table("unrelated", [{"n": 1}])
    assert app.rejected(db_path, "s") == []
