"""Checking incoming customer records."""

from collections.abc import Mapping, Sequence
from typing import Any

KEYS = ("id", "name", "revision", "vector")


def check(record: Mapping[str, Any], dimension: int) -> None:
    """Raise ValueError unless the record is complete."""
    if any(key not in record for key in KEYS):
        raise ValueError(f"a record needs {', '.join(KEYS)}")
    if len(record["vector"]) != dimension:
        raise ValueError(f"a vector needs {dimension} numbers")


def newest_by_id(records: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Keep the greatest revision of each id."""
    # A dict keeps the last value for a key, and sorting puts the greatest revision last.
    ordered = sorted(records, key=lambda record: record["revision"])
    return {record["id"]: record for record in ordered}
