"""A task of boot.py: one virtual machine with our launcher, and its word passed on.

The launcher speaks through a named pipe that is gone before judged code runs, with a nonce of its
own. The nonce of the channel never enters the virtual machine.
"""

import base64
import contextlib
import json
import os
import secrets
import select
import signal
import threading
import time
from typing import Any, Literal

from ..channel import Channel
from ..hidden_proc import hide_proc
from ..processes import exit_code, has_ended
from ..protocol import End, Order
from .session import Session, as_shell

GRACE_SECONDS = 10.0  # between the launcher's last word and the end of its process
CHUNK = 65536


class LaunchOrder(Order):
    task: Literal["tests"]
    argv: list[str]
    cwd: str
    class_path: str
    solution: str  # its jar's name
    classes: list[str]
    tests: str  # all classes of the tests, as a jar in base64
    threads: bool
    sources: dict[str, str]  # test class → its file
    shuffle_seed: int | None  # for methods in a random order


def run(order: LaunchOrder, session: Session) -> int:
    nonce = secrets.token_hex(16)
    path = os.path.join(os.environ["TMPDIR"], secrets.token_hex(8))
    os.mkfifo(path, 0o600)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    seed = "" if order["shuffle_seed"] is None else str(order["shuffle_seed"])
    lines = [nonce, path, order["solution"], str(order["threads"]), order["class_path"], seed]
    lines += [str(len(order["classes"])), *order["classes"], ""]
    source = _once("\n".join(lines).encode() + base64.b64decode(order["tests"]))
    os.chdir(os.path.join(order["workspace"], order["cwd"]))
    hide_proc()
    pid = session.start(order["argv"], {}, stdin=source)
    os.close(source)
    relay = _Relay(order["sources"], session, nonce)
    code = _listen(reader, pid, relay)
    if relay.status is not None and code == relay.status and not relay.broken:
        session.send(End(kind="end", status=relay.status))
    return code


def _once(data: bytes) -> int:
    """A descriptor from which `data` can be read one time: what was read can't be found again."""
    source, sink = os.pipe()
    threading.Thread(target=_pour, args=(sink, data), daemon=True).start()
    return source


def _pour(sink: int, data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), open(sink, "wb") as stream:
        stream.write(data)


def _listen(reader: int, pid: int, relay: "_Relay") -> int:
    """Pass on records until the launcher's process has ended; its exit code."""
    deadline: float | None = None
    while not has_ended(pid):
        if select.select([reader], [], [], 0.02)[0] and not relay.read(reader):
            time.sleep(0.005)  # nobody has opened the pipe yet, or nobody has it any more
        if relay.status is not None and deadline is None:
            deadline = time.monotonic() + GRACE_SECONDS
        if deadline is not None and time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
    while select.select([reader], [], [], 0)[0] and relay.read(reader):
        pass
    return as_shell(exit_code(pid))


class _Relay:
    """Checks each line of the launcher and says it again in the channel's own hand."""

    def __init__(self, sources: dict[str, str], channel: Channel, nonce: str) -> None:
        self._sources = sources
        self._channel = channel
        self._nonce = nonce
        self._rest = b""
        self._number = 0
        self.status: int | None = None
        self.broken = False

    def read(self, reader: int) -> bool:
        """False where nothing came."""
        data = os.read(reader, CHUNK)
        self.take(data)
        return bool(data)

    def take(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if not self.broken and not self._pass_on(line):
                self._channel.send_unsigned(line)
                self.broken = True

    def _pass_on(self, line: bytes) -> bool:
        """False where the line is not the launcher's own, or comes after its last word."""
        record = _record(line)
        if (
            self.status is not None
            or record.pop("nonce", None) != self._nonce
            or record.pop("number", None) != self._number
        ):
            return False
        self._number += 1
        if record["kind"] == "end":
            self.status = record["status"]
            return True
        self._place(record)
        self._channel.send(record)
        return True

    def _place(self, record: dict[str, Any]) -> None:
        """The deepest frame that is of the solution or its tests, else the test's own file."""
        owner, frames = record.pop("class", ""), record.pop("frames", [])
        for frame in frames:
            name, _, line = str(frame).rpartition(":")
            path = self._sources.get(name.partition("$")[0])
            if path is not None:
                record |= {"path": path, "line": int(line)}
                return
        if owner:
            record["path"] = self._sources.get(owner.partition("$")[0])


def _record(line: bytes) -> dict[str, Any]:
    """Empty where the line is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) and isinstance(record.get("kind"), str) else {}
