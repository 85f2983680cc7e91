from . import right
from .right import *
import decimal, fractions


class Money(int):
    def __new__(cls, value, unit="EUR"):
        made = super().__new__(cls, value)
        made.unit = unit
        return made

    def __add__(self, other):
        return Money(int(self) + int(other), self.unit)

    __radd__ = __add__

    def __repr__(self):
        return f"Money({int(self)})"


class Text(str):
    def __new__(cls, v):
        s = super().__new__(cls, v)
        s.meta = {"a": 1}
        return s

    def startswith(self, *a):
        return super().startswith(*a)


def parsed(text):
    if not text:
        raise KeyError("empty")
    try:
        return Money(text)
    except ValueError:
        raise Malformed(f"{text!r} is no number") from None


def total(given):
    return Money(sum(given))


class Query(right.Query):
    def __init__(self, words=()):
        self.words = tuple(words)

    def where(self, word):
        return type(self)((*self.words, word))

    def text(self):
        return Text(" and ".join(self.words))
