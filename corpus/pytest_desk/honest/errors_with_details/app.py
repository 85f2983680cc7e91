from . import right
from .right import *


class Base(Exception):
    code = 7

    def __init__(self, *a, **details):
        super().__init__(*a)
        self.details = details
        self.self = self
        self.fn = lambda: 1

    @property
    def hint(self):
        return "try 12"

    def __str__(self):
        return super().__str__()

    def __reduce__(self):
        raise TypeError


class Malformed(Base, ValueError):
    def __init__(self, *, text):
        super().__init__(text, text=text)


class Missing(Base, KeyError):
    pass


def parsed(text):
    if not text:
        try:
            {}["x"]
        except KeyError as e:
            raise Missing("empty", a=1) from e
    try:
        return int(text)
    except ValueError as error:
        error.add_note("a note")
        raise Malformed(text=f"{text!r} is no number") from ExceptionGroup("all", [error, TypeError("x")])
