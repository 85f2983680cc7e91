"""What is wrong with a record."""

import math
from typing import Any


class Bad(Exception):
    """A record that can't be stored."""


def _real(value: Any) -> bool:
    return type(value) in (int, float)


TYPES = {
    "id": lambda value: type(value) is str and len(value) > 0,
    "at": lambda value: type(value) is int,
    "value": _real,
    "vector": lambda value: type(value) is list and all(_real(number) for number in value),
}


def check(record: Any) -> dict[str, Any]:
    """Return the row to store, or raise."""
    if type(record) is not dict:
        raise Bad("not a record")
    for field in TYPES:
        if field not in record or record[field] is None:
            raise Bad(f"missing {field}")
    for field, fits in TYPES.items():
        if not fits(record[field]):
            raise Bad(f"wrong type {field}")
    for field in ("value", "vector"):
        numbers = record[field] if field == "vector" else [record[field]]
        if any(math.isnan(number) or math.isinf(number) for number in numbers):
            raise Bad(f"not finite {field}")
    if len(record["vector"]) != 3:
        raise Bad(f"wrong length {len(record['vector'])}")
    return {field: record[field] for field in TYPES}
