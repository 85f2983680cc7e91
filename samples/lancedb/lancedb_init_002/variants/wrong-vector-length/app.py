# Wrong: compares type ids, so a vector column of another length passes for the same type.
from pathlib import Path

import lancedb
import pyarrow as pa


class SchemaConflictError(ValueError):
    """A stored column has another type than the layout declares."""


def _arrow(kind: str) -> pa.DataType:
    simple = {"string": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}
    if kind in simple:
        return simple[kind]
    name, _, size = kind.partition(":")
    if name != "vector" or not size.isdigit() or int(size) == 0:
        raise ValueError(f"unsupported type {kind!r}")
    return pa.list_(pa.float32(), int(size))


def ensure_tables(path: str | Path, layout) -> dict[str, str]:
    """Create or extend the tables, validating first."""
    schemas = {
        table: pa.schema([(column, _arrow(kind)) for column, kind in columns.items()])
        for table, columns in layout.items()
    }
    db = lancedb.connect(str(path))
    tables = {name: db.open_table(name) for name in db.list_tables().tables if name in schemas}
    for name, table in tables.items():
        for field in schemas[name]:
            if field.name in table.schema.names:
                stored = table.schema.field(field.name)
                if stored.type.id != field.type.id:
                    raise SchemaConflictError(f"{name}.{field.name}")
    result = {}
    for name, schema in schemas.items():
        if name not in tables:
            db.create_table(name, schema=schema)
            result[name] = "created"
        else:
            new = [field for field in schema if field.name not in tables[name].schema.names]
            if new:
                tables[name].add_columns(new)
            result[name] = "extended" if new else "unchanged"
    return result
