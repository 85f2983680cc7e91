"""Texts packed into a page: kept once each, many compressed together, unpacked when one is opened.

A block is a list of texts, deflated and written as base64 into a script element that is data.
"""

import base64
import hashlib
import zlib
from collections.abc import Callable

BLOCK_CHARACTERS = 300_000  # inflated within milliseconds; texts of one block share their words
SEPARATOR = "\0"  # no text that was made visible holds one


class BlockWriter:
    """Writes blocks by `write` as they fill. `full` says that `most_bytes` are written or more:
    what is left should then be told of instead of added.
    """

    def __init__(self, write: Callable[[str], object], most_bytes: int) -> None:
        self._write = write
        self._most_bytes = most_bytes
        self._places: dict[bytes, tuple[int, int]] = {}
        self._texts: list[str] = []
        self._characters = 0
        self.blocks = 0
        self.bytes = 0

    @property
    def full(self) -> bool:
        return self.bytes >= self._most_bytes

    def add(self, text: str) -> tuple[int, int]:
        """The block and the place in it where `text` is found."""
        digest = hashlib.sha256(text.encode()).digest()
        if digest not in self._places:
            self._places[digest] = self.blocks, len(self._texts)
            self._texts.append(text)
            self._characters += len(text)
        place = self._places[digest]
        if self._characters >= BLOCK_CHARACTERS:
            self.flush()
        return place

    def flush(self) -> None:
        if not self._texts:
            return
        packed = pack(SEPARATOR.join(self._texts))
        self._write(data_element(f"block-{self.blocks}", packed))
        self.bytes += len(packed)
        self.blocks += 1
        self._texts, self._characters = [], 0


def pack(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def data_element(name: str, packed: str) -> str:
    """Data, which no browser runs; base64 holds nothing that could end the element."""
    return f'<script type="application/octet-stream" id="{name}">{packed}</script>\n'
