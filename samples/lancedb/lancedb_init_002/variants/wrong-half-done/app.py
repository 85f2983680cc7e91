# Wrong: checks table by table while changing, so a conflict leaves earlier tables changed.
from pathlib import Path

import lancedb
import pyarrow as pa

TYPES = {"string": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}


class SchemaConflictError(ValueError):
    """A stored column has another type than the layout declares."""


def _to_arrow(name: str) -> pa.DataType:
    if name in TYPES:
        return TYPES[name]
    if name.startswith("vector:"):
        size = int(name.split(":", 1)[1])
        if size > 0:
            return pa.list_(pa.float32(), size)
    raise ValueError(f"Unknown type: {name}")


def ensure_tables(path: str | Path, layout) -> dict[str, str]:
    """Create or extend the tables."""
    schemas = {
        table: pa.schema([pa.field(name, _to_arrow(kind)) for name, kind in columns.items()])
        for table, columns in layout.items()
    }
    db = lancedb.connect(str(path))
    existing = set(db.list_tables().tables)
    report = {}
    for name, schema in schemas.items():
        if name not in existing:
            db.create_table(name, schema=schema)
            report[name] = "created"
            continue
        table = db.open_table(name)
        missing = []
        for field in schema:
            if field.name not in table.schema.names:
                missing.append(field)
            elif table.schema.field(field.name).type != field.type:
                raise SchemaConflictError(f"{name}.{field.name} has a different type")
        if missing:
            table.add_columns(missing)
        report[name] = "extended" if missing else "unchanged"
    return report
