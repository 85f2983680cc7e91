"""Lines of a text as values."""

import math
import re
from typing import NamedTuple


class Measured(NamedTuple):
    sensor: str
    minute: int
    value: float


def parse(line: str) -> Measured:
    fields = [field.strip() for field in line.split(";")]
    if len(fields) != 3:
        raise ValueError("wrong number of fields")
    sensor, minute, value = fields
    if not sensor:
        raise ValueError("no sensor")
    if not re.fullmatch("[0-9]+", minute):
        raise ValueError("bad minute")
    try:
        number = float(value)
    except ValueError:
        raise ValueError("bad value") from None
    if not math.isfinite(number):
        raise ValueError("bad value")
    return Measured(sensor, int(minute), number)
