"""Numbers in Roman letters, leap years, settings in one line, and a cache that forgets."""


class Malformed(ValueError):
    """A setting without '='; the message shows it."""


class Cache:
    """Keeps the `size` values used last."""

    def __init__(self, size: int) -> None:
        raise NotImplementedError

    def put(self, key: str, value: object) -> None:
        raise NotImplementedError

    def get(self, key: str) -> object:
        """The very value that was put, which counts as a use; None if it isn't there."""
        raise NotImplementedError

    def keys(self) -> list[str]:
        """The one to be forgotten next comes first."""
        raise NotImplementedError


def roman(number: int) -> str:
    """The number in Roman letters; ValueError below 1 and above 3999."""
    raise NotImplementedError


def is_leap(year: int) -> bool:
    raise NotImplementedError


def parse_settings(line: str) -> dict[str, str]:
    """'a=1; b=two' as a dict; the last of two equal names counts. Raises Malformed."""
    raise NotImplementedError
