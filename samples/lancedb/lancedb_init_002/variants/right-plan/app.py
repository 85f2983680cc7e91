"""Plan every table first, then carry the plans out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import lancedb
import pyarrow as pa

from .column_types import parse


class SchemaConflictError(ValueError):
    """A stored column has another type than the layout declares."""


@dataclass
class Plan:
    """What is to be done to one table."""

    table: str
    outcome: str
    fields: list[pa.Field] = field(default_factory=list)

    def carry_out(self, db: lancedb.DBConnection) -> None:
        """Write to the database, unless nothing is to be done."""
        if self.outcome == "created":
            db.create_table(self.table, schema=pa.schema(self.fields))
        elif self.outcome == "extended":
            table = db.open_table(self.table)
            for missing in self.fields:
                table.add_columns(missing)


class Planner:
    """Compares a layout with a database."""

    def __init__(self, db: lancedb.DBConnection) -> None:
        """Remember which tables there are."""
        self.db = db
        self.known = set(db.list_tables().tables)

    def plan(self, table: str, columns: Mapping[str, pa.DataType]) -> Plan:
        """Return the plan for one table; SchemaConflictError if a stored type differs."""
        fields = [pa.field(name, kind, nullable=True) for name, kind in columns.items()]
        if table not in self.known:
            return Plan(table, "created", fields)
        stored = {item.name: item.type for item in self.db.open_table(table).schema}
        for item in fields:
            if stored.get(item.name, item.type) != item.type:
                raise SchemaConflictError(f"{table}.{item.name}: {stored[item.name]}")
        absent = [item for item in fields if item.name not in stored]
        return Plan(table, "extended" if absent else "unchanged", absent)


def ensure_tables(path: str | Path, layout: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Bring the database at `path` to the layout, or raise and change nothing."""
    parsed = {
        table: {name: parse(kind) for name, kind in columns.items()}
        for table, columns in layout.items()
    }
    db = lancedb.connect(path)
    planner = Planner(db)
    plans = [planner.plan(table, columns) for table, columns in parsed.items()]
    for plan in plans:
        plan.carry_out(db)
    return {plan.table: plan.outcome for plan in plans}
