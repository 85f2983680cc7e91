"""Numbers in Roman letters, leap years, settings in one line, and a cache that forgets."""

from collections import OrderedDict

LETTERS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


class Malformed(ValueError):
    """A setting without '='; the message shows it."""


class Cache:
    """Keeps the `size` values used last."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[str, object] = OrderedDict()

    def put(self, key: str, value: object) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self._size:
            self._values.popitem(last=False)

    def get(self, key: str) -> object:
        """The very value that was put, which counts as a use; None if it isn't there."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def keys(self) -> list[str]:
        """The one to be forgotten next comes first."""
        return list(self._values)


def roman(number: int) -> str:
    """The number in Roman letters; ValueError below 1 and above 3999."""
    if not 1 <= number <= 3999:
        raise ValueError(f"{number} has no Roman form")
    written = ""
    for value, letters in LETTERS:
        count, number = divmod(number, value)
        written += letters * count
    return written


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def parse_settings(line: str) -> dict[str, str]:
    """'a=1; b=two' as a dict; the last of two equal names counts. Raises Malformed."""
    settings = {}
    for part in line.split(";"):
        name, sign, value = part.partition("=")
        if not sign:
            raise Malformed(f"no '=' in {part.strip()!r}")
        settings[name.strip()] = value.strip()
    return settings
