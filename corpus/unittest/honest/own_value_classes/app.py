"""Values with manners of their own."""

from . import core
from .core import Malformed

__all__ = ["Cache", "Malformed", "is_leap", "parse_settings", "roman"]


class Settings(dict):
    def __eq__(self, other):
        return isinstance(other, dict) and sorted(self.items()) == sorted(other.items())

    def __ne__(self, other):
        return not self == other

    __hash__ = None


class Years(str):
    __slots__ = ()


class Cache(core.Cache):
    def keys(self):
        return type("Keys", (list,), {})(super().keys())


def roman(number):
    return Years(core.roman(number))


def is_leap(year):
    return ["leap"] if core.is_leap(year) else []


def parse_settings(line):
    return Settings(core.parse_settings(line))
