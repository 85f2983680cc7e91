"""Tables go through Parquet batch by batch."""

import json
from collections.abc import Iterable
from pathlib import Path

import lancedb
import pyarrow.parquet as pq

from .manifest import Manifest


def save(path: str | Path, backup: str | Path) -> dict[str, int]:
    """Write batch by batch."""
    source, target = Path(path), Path(backup)
    if not source.exists():
        raise LookupError(path)
    if (target / "manifest.json").exists():
        raise ValueError(backup)
    target.mkdir(parents=True, exist_ok=True)
    db = lancedb.connect(source)
    manifest = Manifest(target)
    for name in db.list_tables(limit=100_000).tables:
        table = db.open_table(name)
        with pq.ParquetWriter(target / f"{name}.parquet", table.schema) as writer:
            for batch in table.search().limit(None).to_batches(8):
                writer.write_batch(batch)
        manifest.note(name, table.count_rows(), list(table.schema.names))
    (target / "manifest.json").write_text(json.dumps({"tables": manifest.tables}))
    return manifest.rows(manifest.tables)


def check(backup: str | Path) -> list[str]:
    """Ask the manifest."""
    manifest = Manifest.read(Path(backup))
    return sorted(problem for name in manifest.tables if (problem := manifest.problem(name)))


def restore(
    backup: str | Path, path: str | Path, tables: Iterable[str] | None = None
) -> dict[str, int]:
    """Check, then read batch by batch."""
    manifest = Manifest.read(Path(backup))
    chosen = set(manifest.tables) if tables is None else set(tables)
    if not chosen <= set(manifest.tables):
        raise KeyError(str(chosen))
    problems = [problem for name in sorted(chosen) if (problem := manifest.problem(name))]
    if problems:
        raise RuntimeError(problems)
    if Path(path).exists():
        present = set(lancedb.connect(path).list_tables(limit=100_000).tables)
        if present & chosen:
            raise ValueError(present & chosen)
    db = lancedb.connect(path)
    for name in chosen:
        file = pq.ParquetFile(manifest.folder / f"{name}.parquet")
        table = db.create_table(name, schema=file.schema_arrow)
        for batch in file.iter_batches(10):
            table.add(batch)
    return manifest.rows(chosen)
