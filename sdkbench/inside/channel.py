"""The channel as boot scripts write it: numbered JSON lines that carry the run's nonce."""

import json
import os
import sys
from typing import Any


class Channel:
    """The writing end; closed on exec, so that no child has it."""

    def __init__(self, fd: int, nonce: str) -> None:
        self._fd = fd
        self._nonce = nonce
        self._number = 0
        os.set_inheritable(fd, False)

    def send(self, kind: str, **fields: object) -> None:
        record = {"nonce": self._nonce, "number": self._number, "kind": kind, **fields}
        self._number += 1
        self._write(json.dumps(record).encode() + b"\n")

    def send_unsigned(self, line: bytes) -> None:
        """Pass on what was said in our writer's name: the reader outside will not believe it."""
        self._write(line + b"\n")

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._fd, data) :]


def given_order() -> dict[str, Any]:
    """What the message descriptor, our only argument, says."""
    with open(int(sys.argv[1]), "rb") as message:
        order: dict[str, Any] = json.load(message)
    return order


def opened() -> tuple[dict[str, Any], Channel]:
    """The order, and the channel it names."""
    order = given_order()
    return order, Channel(int(order["channel_fd"]), order["nonce"])
