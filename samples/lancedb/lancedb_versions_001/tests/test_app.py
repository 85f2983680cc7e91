"""Prices are published, read back by release, compared, rolled back and forgotten."""

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


def current(rows: Rows) -> dict[str, int]:
    stored = rows("prices")
    assert len(stored) == len({row["sku"] for row in stored})
    return {row["sku"]: row["cents"] for row in stored}


@pytest.fixture
def history(db_path: Path) -> Path:
    """Three releases: spring, summer (one dearer, one gone, one new) and autumn (nothing left)."""
    app.publish(db_path, "spring", {"tea": 250, "salt": 90, "jam": 310})
    app.publish(db_path, "summer", {"tea": 275, "jam": 310, "ice": 120})
    app.publish(db_path, "autumn", {})
    return db_path


def test_publishing_replaces_the_current_prices(db_path: Path, rows: Rows) -> None:
    app.publish(db_path, "a", {"tea": 250, "salt": 90})
    assert current(rows) == {"tea": 250, "salt": 90}
    app.publish(str(db_path), "b", {"tea": 260})
    assert current(rows) == {"tea": 260}


def test_columns_are_as_stated(db_path: Path, open_table: OpenTable) -> None:
    app.publish(db_path, "a", {})
    types = {field.name: field.type for field in open_table("prices").schema}
    assert types == {"sku": pa.string(), "cents": pa.int64()}
    assert open_table("prices").count_rows() == 0


def test_a_release_is_a_tag_on_the_returned_version(db_path: Path, open_table: OpenTable) -> None:
    version = app.publish(db_path, "v1.0", {"tea": 250})
    later = app.publish(db_path, "v1.1", {"tea": 255})
    table = open_table("prices")
    assert table.tags.get_version("v1.0") == version
    assert table.tags.get_version("v1.1") == later
    table.checkout(version)
    assert table.to_arrow().to_pylist() == [{"sku": "tea", "cents": 250}]


def test_releases_come_oldest_first(history: Path) -> None:
    assert app.releases(history) == ["spring", "summer", "autumn"]


def test_an_old_release_is_read_without_touching_the_current_one(history: Path, rows: Rows) -> None:
    assert app.prices_at(history, "spring") == {"tea": 250, "salt": 90, "jam": 310}
    assert app.prices_at(history, "summer") == {"tea": 275, "jam": 310, "ice": 120}
    assert app.prices_at(history, "autumn") == {}
    assert current(rows) == {}


def test_a_name_is_used_once(history: Path, rows: Rows) -> None:
    app.publish(history, "winter", {"tea": 300})
    with pytest.raises(ValueError):
        app.publish(history, "spring", {"tea": 1})
    assert current(rows) == {"tea": 300}
    assert app.prices_at(history, "spring")["tea"] == 250


def test_changes_between_releases(history: Path) -> None:
    assert app.changes(history, "spring", "summer") == {
        "added": ["ice"],
        "removed": ["salt"],
        "changed": {"tea": [250, 275]},
    }
    assert app.changes(history, "summer", "spring")["changed"] == {"tea": [275, 250]}
    assert app.changes(history, "summer", "autumn") == {
        "added": [],
        "removed": ["ice", "jam", "tea"],
        "changed": {},
    }
    assert app.changes(history, "autumn", "summer")["added"] == ["ice", "jam", "tea"]


def test_rolling_back_writes_a_new_version(
    history: Path, rows: Rows, open_table: OpenTable
) -> None:
    before = open_table("prices").version
    version = app.roll_back(history, "spring")
    assert current(rows) == {"tea": 250, "salt": 90, "jam": 310}
    assert version > before
    assert open_table("prices").version == version


def test_later_releases_survive_a_roll_back(history: Path, rows: Rows) -> None:
    app.roll_back(history, "spring")
    assert app.releases(history) == ["spring", "summer", "autumn"]
    assert app.prices_at(history, "summer") == {"tea": 275, "jam": 310, "ice": 120}
    app.publish(history, "winter", {"tea": 1})
    assert app.releases(history) == ["spring", "summer", "autumn", "winter"]
    app.roll_back(history, "summer")
    assert current(rows) == {"tea": 275, "jam": 310, "ice": 120}


def test_forgetting_takes_the_name_only(history: Path, rows: Rows) -> None:
    app.roll_back(history, "summer")
    assert app.forget(history, "summer") is True
    assert app.forget(history, "summer") is False
    assert app.releases(history) == ["spring", "autumn"]
    assert current(rows) == {"tea": 275, "jam": 310, "ice": 120}
    app.publish(history, "summer", {"tea": 5})
    assert app.prices_at(history, "summer") == {"tea": 5}


def test_unknown_releases(history: Path, rows: Rows) -> None:
    with pytest.raises(LookupError):
        app.prices_at(history, "monsoon")
    with pytest.raises(LookupError):
        app.changes(history, "spring", "monsoon")
    with pytest.raises(LookupError):
        app.roll_back(history, "monsoon")
    assert current(rows) == {}


def test_without_a_table_there_are_no_releases(db_path: Path) -> None:
    assert app.releases(db_path) == []
    assert app.forget(db_path, "spring") is False
    with pytest.raises(LookupError):
        app.prices_at(db_path, "spring")
    with pytest.raises(LookupError):
        app.roll_back(db_path, "spring")
    assert not db_path.exists()
    lancedb.connect(str(db_path)).create_table("unrelated", [{"n": 1}])
    assert app.releases(db_path) == []
    with pytest.raises(LookupError):
        app.roll_back(db_path, "spring")
    assert lancedb.connect(str(db_path)).list_tables().tables == ["unrelated"]
