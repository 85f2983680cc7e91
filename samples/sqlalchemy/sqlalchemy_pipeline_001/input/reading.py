"""Lines of a text as values."""

from typing import NamedTuple


class Measured(NamedTuple):
    sensor: str
    minute: int
    value: float


def parse(line: str) -> Measured:
    """A line is `sensor;minute;value`; blanks around each part don't count.

    ValueError with one of these messages, the first that fits:
    "wrong number of fields" (not three), "no sensor" (its name is empty), "bad minute" (not only
    digits 0 to 9), "bad value" (not what float() reads, or not finite: nan and inf are none).
    """
    raise NotImplementedError
