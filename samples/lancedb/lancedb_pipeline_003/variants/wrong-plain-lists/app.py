"""Backups of LanceDB databases in Parquet files."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import lancedb
import pyarrow.parquet as pq

MANIFEST = "manifest.json"


def save(path: str | Path, backup: str | Path) -> dict[str, int]:
    """Back all tables up."""
    if not Path(path).is_dir():
        raise LookupError(f"no database at {path}")
    folder = Path(backup)
    if (folder / MANIFEST).exists():
        raise ValueError(f"there is a backup in {folder} already")
    folder.mkdir(parents=True, exist_ok=True)
    db = lancedb.connect(str(path))
    entries = {}
    for name in _names(db):
        data = db.open_table(name).to_arrow()
        file = _file(folder, name)
        pq.write_table(data, file)
        entries[name] = {
            "rows": data.num_rows,
            "columns": data.column_names,
            "sha256": _digest(file),
        }
    (folder / MANIFEST).write_text(json.dumps({"tables": entries}, indent=2), encoding="utf-8")
    return {name: entry["rows"] for name, entry in entries.items()}


def check(backup: str | Path) -> list[str]:
    """What is wrong with a backup."""
    return _problems(Path(backup), _entries(backup))


def restore(
    backup: str | Path, path: str | Path, tables: Iterable[str] | None = None
) -> dict[str, int]:
    """Make the tables of a backup in a database."""
    folder = Path(backup)
    entries = _entries(folder)
    chosen = list(entries) if tables is None else list(dict.fromkeys(tables))
    if unknown := [name for name in chosen if name not in entries]:
        raise LookupError(f"the backup has no table {unknown[0]!r}")
    if problems := _problems(folder, {name: entries[name] for name in chosen}):
        raise RuntimeError("; ".join(problems))
    # connect() would create a missing folder.
    if Path(path).is_dir():
        present = _names(lancedb.connect(str(path)))
        if twice := [name for name in chosen if name in present]:
            raise ValueError(f"the database has a table {twice[0]!r} already")
    db = lancedb.connect(str(path))
    for name in chosen:
        rows = pq.read_table(_file(folder, name)).to_pylist()
        if rows:
            db.create_table(name, rows)
        else:
            db.create_table(name, schema=pq.read_schema(_file(folder, name)))
    return {name: entries[name]["rows"] for name in chosen}


def _names(db: lancedb.DBConnection) -> list[str]:
    """The names of all tables; list_tables gives them page by page."""
    page = db.list_tables()
    names = list(page.tables)
    while page.page_token:
        page = db.list_tables(page_token=page.page_token)
        names += page.tables
    return names


def _entries(backup: str | Path) -> dict[str, Any]:
    manifest = Path(backup) / MANIFEST
    if not manifest.is_file():
        raise LookupError(f"no backup in {backup}")
    entries: dict[str, Any] = json.loads(manifest.read_text(encoding="utf-8"))["tables"]
    return entries


def _problems(folder: Path, entries: dict[str, Any]) -> list[str]:
    problems = []
    for name, entry in entries.items():
        file = _file(folder, name)
        if not file.is_file():
            problems.append(f"missing {name}")
        elif _digest(file) != entry["sha256"]:
            problems.append(f"damaged {name}")
    return sorted(problems)


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.parquet"


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
