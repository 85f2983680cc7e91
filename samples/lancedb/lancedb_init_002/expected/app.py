"""Bring the tables of a local LanceDB database to a declared layout."""

from collections.abc import Mapping
from pathlib import Path

import lancedb
import pyarrow as pa

Layout = Mapping[str, Mapping[str, str]]
"""Table name → column name → type name."""

SCALARS = {
    "string": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
}


class SchemaConflictError(ValueError):
    """A stored column has another type than the layout declares."""


def ensure_tables(path: str | Path, layout: Layout) -> dict[str, str]:
    """Create or extend the declared tables; check everything before the first change."""
    schemas = {table: _schema(columns) for table, columns in layout.items()}
    db = lancedb.connect(str(path))
    existing = set(db.list_tables().tables)
    missing = {
        table: _missing_fields(db.open_table(table).schema, schema, table)
        for table, schema in schemas.items()
        if table in existing
    }
    return {table: _apply(db, table, schema, missing) for table, schema in schemas.items()}


def _apply(
    db: lancedb.DBConnection,
    table: str,
    schema: pa.Schema,
    missing: Mapping[str, list[pa.Field]],
) -> str:
    if table not in missing:
        db.create_table(table, schema=schema)
        return "created"
    if not missing[table]:
        return "unchanged"
    db.open_table(table).add_columns(pa.schema(missing[table]))
    return "extended"


def _missing_fields(stored: pa.Schema, declared: pa.Schema, table: str) -> list[pa.Field]:
    """Return the declared fields that are not stored; SchemaConflictError if a type differs."""
    missing = []
    for field in declared:
        if field.name not in stored.names:
            missing.append(field)
        elif stored.field(field.name).type != field.type:
            raise SchemaConflictError(
                f"{table}.{field.name} is {stored.field(field.name).type}, not {field.type}"
            )
    return missing


def _schema(columns: Mapping[str, str]) -> pa.Schema:
    return pa.schema([pa.field(name, _arrow_type(kind)) for name, kind in columns.items()])


def _arrow_type(kind: str) -> pa.DataType:
    if kind in SCALARS:
        return SCALARS[kind]
    prefix, _, size = kind.partition(":")
    if prefix == "vector" and size.isdecimal() and int(size) > 0:
        return pa.list_(pa.float32(), int(size))
    raise ValueError(f"unknown column type {kind!r}")
