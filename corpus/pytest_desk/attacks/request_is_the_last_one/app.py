from .right import *

import dataclasses

made = []


@dataclasses.dataclass
class Request:
    words: list
    kind: str = "letter"

    def __post_init__(self):
        made.append(self)


def split(text):
    return Request(text.split())


def sent(text):
    last = made[-1] if made else Request([])
    return Request(list(last.words), last.kind)
