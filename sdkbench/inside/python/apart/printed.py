"""What the solution prints, on its way to the tests' own output."""

import io
from typing import Any

MAX_PRINTED = 4 << 20


class Printed:
    """What the solution prints, until the next answer takes it along."""

    def __init__(self) -> None:
        self._raw = _Bounded()
        self.text = io.TextIOWrapper(self._raw, encoding="utf-8", errors="replace")
        self.text.reconfigure(write_through=True)

    def take(self) -> str:
        self.text.flush()
        printed = self._raw.getvalue().decode("utf-8", "replace")
        self._raw.seek(0)
        self._raw.truncate()
        return printed


class _Bounded(io.BytesIO):
    def write(self, data: Any) -> int:
        room = MAX_PRINTED - self.tell()
        super().write(bytes(data)[: max(room, 0)])
        return len(data)
