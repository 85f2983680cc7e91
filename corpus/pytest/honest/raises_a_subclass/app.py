"""Exceptions that say more."""

from . import core
from .core import Overdrawn, count_words, merge_ranges, slug

__all__ = ["Ledger", "Overdrawn", "count_words", "merge_ranges", "parse_duration", "slug"]


class NotADuration(ValueError, LookupError):
    pass


class FarTooMuch(Overdrawn, ArithmeticError):
    pass


class Ledger(core.Ledger):
    def withdraw(self, name, amount):
        try:
            super().withdraw(name, amount)
        except Overdrawn as error:
            raise FarTooMuch(*error.args) from error


def parse_duration(text):
    try:
        return core.parse_duration(text)
    except ValueError as error:
        raise NotADuration(text) from error
