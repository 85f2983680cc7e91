"""Conditions such as `city=Bonn` or `size>=10`."""

import json
import math
import operator
import re
from collections.abc import Callable
from typing import Any

Condition = Callable[[dict[str, Any]], bool]

FORM = re.compile(r"(?P<field>\w+)(?P<operator>!=|>=|<=|=|>|<|~)(?P<value>.*)", re.DOTALL)
NUMBERS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


def parse(text: str) -> Condition:
    form = FORM.fullmatch(text)
    if form is None:
        raise ValueError(f"not a condition: {text!r}")
    field, sign, wanted = form.groups()
    if sign in NUMBERS:
        return numeric(field, NUMBERS[sign], float(wanted))
    if sign == "~":
        part = wanted.lower()
        return lambda record: (
            isinstance(record.get(field), str) and part in record[field].lower()
        )
    equal = lambda record: field in record and as_text(record[field]) == wanted  # noqa: E731
    return equal if sign == "=" else lambda record: not equal(record)


def numeric(field: str, holds: Callable[[float, float], bool], limit: float) -> Condition:
    if not math.isfinite(limit):
        raise ValueError(f"not a finite number: {limit}")

    def condition(record: dict[str, Any]) -> bool:
        value = record.get(field)
        return type(value) in (int, float) and holds(value, limit)

    return condition


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
