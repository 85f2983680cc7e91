"""Keeping the first and the last part of an endless stream in bounded memory."""

from collections import deque


class Capture:
    """Holds at most `limit` bytes: the first half, and the newest half of what follows."""

    def __init__(self, limit: int) -> None:
        self._head_limit = limit // 2
        self._tail_limit = limit - self._head_limit
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.total = 0

    def feed(self, chunk: bytes) -> None:
        self.total += len(chunk)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if chunk:
            self._tail.append(chunk)
            self._tail_size += len(chunk)
        while self._tail and self._tail_size - len(self._tail[0]) >= self._tail_limit:
            self._tail_size -= len(self._tail.popleft())

    @property
    def truncated(self) -> bool:
        return self.total > self._head_limit + self._tail_limit

    def text(self) -> str:
        tail = b"".join(self._tail)
        if not self.truncated:
            return (bytes(self._head) + tail).decode("utf-8", "replace")
        tail = tail[-self._tail_limit :]
        left_out = self.total - len(self._head) - len(tail)
        gap = f"\n[… {left_out:,} bytes left out …]\n"
        return self._head.decode("utf-8", "replace") + gap + tail.decode("utf-8", "replace")


class Exact:
    """Holds a stream whole up to `limit` bytes, then drops the rest and says so."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray()
        self.truncated = False

    def feed(self, chunk: bytes) -> None:
        room = self._limit - len(self._data)
        if len(chunk) > room:
            self.truncated = True
        self._data += chunk[: max(room, 0)]

    def data(self) -> bytes:
        return bytes(self._data)
