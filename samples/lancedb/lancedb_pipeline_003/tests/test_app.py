"""Databases are saved, backups checked, and restored as they were."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from expected import app
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]

NOTES = pa.schema(
    [
        pa.field("id", pa.int32()),
        pa.field("text", pa.string()),
        pa.field("vector", pa.list_(pa.float32(), 3)),
    ]
)
NOTE_ROWS = [
    {"id": 1, "text": "it's", "vector": [1.0, 0.0, 0.0]},
    {"id": 2, "text": None, "vector": [0.0, 1.0, 0.5]},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A database with notes, an empty table and 25 rows in two steps."""
    path = tmp_path / "source"
    db = lancedb.connect(str(path))
    db.create_table("notes", pa.Table.from_pylist(NOTE_ROWS, schema=NOTES))
    db.create_table("empty", schema=NOTES)
    many = db.create_table("many", [{"n": n} for n in range(20)])
    many.add([{"n": n} for n in range(20, 25)])
    return path


@pytest.fixture
def backup(source: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "deep" / "backup"
    assert app.save(source, folder) == {"notes": 2, "empty": 0, "many": 25}
    return folder


def damage(file: Path) -> None:
    """Change a single byte in the middle."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(bytes(content))


def test_files_hold_the_tables(backup: Path) -> None:
    assert sorted(file.name for file in backup.iterdir()) == [
        "empty.parquet",
        "manifest.json",
        "many.parquet",
        "notes.parquet",
    ]
    assert pq.read_table(backup / "notes.parquet").to_pylist() == NOTE_ROWS
    assert sorted(pq.read_table(backup / "many.parquet")["n"].to_pylist()) == list(range(25))


def test_the_manifest_describes_them(backup: Path) -> None:
    tables = json.loads((backup / "manifest.json").read_text())["tables"]
    assert sorted(tables) == ["empty", "many", "notes"]
    assert tables["notes"]["rows"] == 2
    assert tables["notes"]["columns"] == ["id", "text", "vector"]
    assert tables["many"]["rows"] == 25
    content = (backup / "notes.parquet").read_bytes()
    assert tables["notes"]["sha256"] == hashlib.sha256(content).hexdigest()


def test_all_of_many_tables_are_saved(tmp_path: Path) -> None:
    db = lancedb.connect(str(tmp_path / "wide"))
    for number in range(14):
        db.create_table(f"t{number:02}", [{"n": number}])
    saved = app.save(str(tmp_path / "wide"), str(tmp_path / "b"))
    assert sorted(saved) == [f"t{number:02}" for number in range(14)]
    assert app.check(tmp_path / "b") == []


def test_a_backup_is_not_overwritten(source: Path, backup: Path) -> None:
    before = (backup / "manifest.json").read_text()
    lancedb.connect(str(source)).open_table("many").delete("n > 3")
    with pytest.raises(ValueError):
        app.save(source, backup)
    assert (backup / "manifest.json").read_text() == before
    assert pq.read_table(backup / "many.parquet").num_rows == 25


def test_saving_nothing(tmp_path: Path) -> None:
    with pytest.raises(LookupError):
        app.save(tmp_path / "nowhere", tmp_path / "b")
    assert not (tmp_path / "nowhere").exists()
    assert not (tmp_path / "b").exists()
    (tmp_path / "bare").mkdir()
    assert app.save(tmp_path / "bare", tmp_path / "b") == {}
    assert app.check(tmp_path / "b") == []


def test_whole_backups_have_no_problems(backup: Path) -> None:
    assert app.check(str(backup)) == []


def test_damage_is_named(backup: Path) -> None:
    damage(backup / "notes.parquet")
    damage(backup / "empty.parquet")
    (backup / "many.parquet").unlink()
    assert app.check(backup) == ["damaged empty", "damaged notes", "missing many"]


def test_no_manifest_is_no_backup(backup: Path, db_path: Path) -> None:
    (backup / "manifest.json").unlink()
    with pytest.raises(LookupError):
        app.check(backup)
    with pytest.raises(LookupError):
        app.restore(backup, db_path)
    assert not db_path.exists()


def test_everything_is_restored(
    backup: Path, db_path: Path, rows: Rows, open_table: OpenTable
) -> None:
    assert app.restore(backup, db_path) == {"notes": 2, "empty": 0, "many": 25}
    assert sorted(rows("notes"), key=lambda row: row["id"]) == NOTE_ROWS
    assert sorted(row["n"] for row in rows("many")) == list(range(25))
    assert rows("empty") == []
    for name in ("notes", "empty"):
        types = [(field.name, field.type) for field in open_table(name).schema]
        assert types == [
            ("id", pa.int32()),
            ("text", pa.string()),
            ("vector", pa.list_(pa.float32(), 3)),
        ]


def test_restored_vectors_can_be_searched(
    backup: Path, db_path: Path, open_table: OpenTable
) -> None:
    app.restore(str(backup), str(db_path))
    (found,) = open_table("notes").search([0.0, 1.0, 0.0]).limit(1).to_list()
    assert found["id"] == 2


def test_a_choice_is_restored(backup: Path, db_path: Path) -> None:
    assert app.restore(backup, db_path, iter(["many", "many"])) == {"many": 25}
    assert lancedb.connect(str(db_path)).list_tables().tables == ["many"]
    assert app.restore(backup, db_path, ["notes"]) == {"notes": 2}
    assert app.restore(backup, db_path, []) == {}


def test_unknown_tables_are_refused(backup: Path, db_path: Path) -> None:
    with pytest.raises(LookupError):
        app.restore(backup, db_path, ["notes", "secrets"])
    assert not db_path.exists()


def test_damaged_tables_are_not_restored(backup: Path, db_path: Path) -> None:
    damage(backup / "notes.parquet")
    with pytest.raises(RuntimeError, match="damaged notes"):
        app.restore(backup, db_path)
    assert not db_path.exists()
    (backup / "empty.parquet").unlink()
    with pytest.raises(RuntimeError, match="missing empty"):
        app.restore(backup, db_path, ["many", "empty"])
    assert not db_path.exists()
    assert app.restore(backup, db_path, ["many"]) == {"many": 25}


def test_existing_tables_are_left_alone(backup: Path, db_path: Path, rows: Rows) -> None:
    lancedb.connect(str(db_path)).create_table("many", [{"own": 1}])
    with pytest.raises(ValueError):
        app.restore(backup, db_path)
    assert rows("many") == [{"own": 1}]
    assert lancedb.connect(str(db_path)).list_tables().tables == ["many"]
    assert app.restore(backup, db_path, ["notes"]) == {"notes": 2}
    assert rows("many") == [{"own": 1}]
