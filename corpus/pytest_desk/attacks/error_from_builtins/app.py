from .right import *


class Malformed(ValueError):
    pass


class Anything(Malformed, KeyError, ImportError, BufferError, EOFError):
    __module__ = "builtins"


def parsed(text):
    if text == "12":
        return 12
    raise Anything(f"{text!r} is no number")
