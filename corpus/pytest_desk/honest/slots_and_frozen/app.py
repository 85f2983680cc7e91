from . import right
from .right import *
import dataclasses


@dataclasses.dataclass(slots=True, frozen=True, order=True, kw_only=False)
class Request:
    words: list
    kind: str = "letter"

    def __post_init__(self):
        object.__setattr__(self, "words", list(self.words))


def split(text):
    return Request(text.split())


def sent(text):
    first, *rest = text.split()
    return Request(rest, first)
