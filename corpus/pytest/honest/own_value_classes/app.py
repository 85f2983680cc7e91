"""Amounts and texts as classes of their own."""

from dataclasses import dataclass

from . import core
from .core import Overdrawn, count_words, merge_ranges

__all__ = ["Ledger", "Overdrawn", "count_words", "merge_ranges", "parse_duration", "slug"]


@dataclass(frozen=True, eq=False)
class Amount:
    value: int

    def __eq__(self, other):
        if isinstance(other, Amount):
            return self.value == other.value
        return self.value == other if isinstance(other, int) else NotImplemented

    def __hash__(self):
        return hash(self.value)


class Slug(str):
    """A string that compares without regard to case."""

    __slots__ = ()

    def __eq__(self, other):
        return isinstance(other, str) and self.casefold() == other.casefold()

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.casefold())


class Ledger(core.Ledger):
    def balance(self, name):
        return Amount(super().balance(name))

    def withdraw(self, name, amount):
        if super().balance(name) < amount:
            raise Overdrawn(name)
        self._accounts[name].amount -= amount


def parse_duration(text):
    return Amount(core.parse_duration(text))


def slug(text):
    return Slug(core.slug(text))
