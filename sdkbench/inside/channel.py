"""The channel as programs inside write it: numbered JSON lines that carry the run's nonce."""

import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Any

from .protocol import Order

# What judged code may make as long as it likes. The channel holds 32 MiB: a suite that fails as a
# whole, each test with a long story, must still fit.
TEXTS = ("message", "trace", "output", "reason", "path", "install_error")
MAX_TEXT = 64 * 1024
FULL_BYTES = 8 * 1024 * 1024  # after so many, texts are cut short
SHORT_TEXT = 512
MAX_ERRORS = 200  # of a build


class Channel:
    """The writing end. Only the process that opened it may speak: forked children stay silent, and
    a program that is started has no such descriptor.
    """

    def __init__(self, order: Order, fd: int | None = None) -> None:
        """`fd` is where the order's descriptor was moved to, if it was."""
        self._fd = int(order["channel_fd"]) if fd is None else fd
        self._nonce = order["nonce"]
        self._number = 0
        self._sent_bytes = 0
        self._pid = os.getpid()
        self._began = time.monotonic()
        os.set_inheritable(self._fd, False)

    def send(self, record: Mapping[str, object]) -> None:
        """`record` is one of protocol.py's, or of the language's own."""
        if os.getpid() != self._pid:
            return
        fields = {name: self._bounded(name, value) for name, value in record.items()}
        if fields["kind"] == "built":
            fields.setdefault("seconds", time.monotonic() - self._began)
        line = json.dumps({**fields, "nonce": self._nonce, "number": self._number})
        self._number += 1
        self._sent_bytes += len(line)
        self._write(line.encode() + b"\n")

    def send_unsigned(self, line: bytes) -> None:
        """Pass on what was said in our writer's name: the reader outside will not believe it."""
        self._write(line + b"\n")

    def _bounded(self, name: str, value: object) -> object:
        size = MAX_TEXT if self._sent_bytes < FULL_BYTES else SHORT_TEXT
        if name in TEXTS and isinstance(value, str):
            return value[:size]
        if name in {"errors", "warnings"} and isinstance(value, list):
            return [str(error)[:size] for error in value[:MAX_ERRORS]]
        return value

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._fd, data) :]


def given_order() -> Any:
    """What the message descriptor, our only argument, says. Trusted: it comes from outside.

    Any, so that each program can call it by its own TypedDict.
    """
    with open(int(sys.argv[1]), "rb") as message:
        return json.load(message)
