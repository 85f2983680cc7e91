"""Exceptions that say more."""

from . import core
from .core import Cache, Malformed, is_leap

__all__ = ["Cache", "Malformed", "is_leap", "parse_settings", "roman"]


class OutOfRange(ValueError, IndexError):
    pass


class NoSign(Malformed):
    pass


def roman(number):
    try:
        return core.roman(number)
    except ValueError as error:
        raise OutOfRange(number) from error


def parse_settings(line):
    try:
        return core.parse_settings(line)
    except Malformed as error:
        raise NoSign(*error.args) from error
