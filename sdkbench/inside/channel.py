"""The channel as programs inside write it: numbered JSON lines that carry the run's nonce."""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from .protocol import Order


class Channel:
    """The writing end. Only the process that opened it may speak: forked children stay silent, and
    a program that is started has no such descriptor.
    """

    def __init__(self, order: Order, fd: int | None = None) -> None:
        """`fd` is where the order's descriptor was moved to, if it was."""
        self._fd = int(order["channel_fd"]) if fd is None else fd
        self._nonce = order["nonce"]
        self._number = 0
        self._pid = os.getpid()
        os.set_inheritable(self._fd, False)

    def send(self, record: Mapping[str, object]) -> None:
        """`record` is one of protocol.py's, or of the language's own."""
        if os.getpid() != self._pid:
            return
        line = json.dumps({**record, "nonce": self._nonce, "number": self._number})
        self._number += 1
        self._write(line.encode() + b"\n")

    def send_unsigned(self, line: bytes) -> None:
        """Pass on what was said in our writer's name: the reader outside will not believe it."""
        self._write(line + b"\n")

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._fd, data) :]


def given_order() -> Any:
    """What the message descriptor, our only argument, says. Trusted: it comes from outside.

    Any, so that each program can call it by its own TypedDict.
    """
    with open(int(sys.argv[1]), "rb") as message:
        return json.load(message)
