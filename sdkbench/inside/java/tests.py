"""A task of java_boot: one virtual machine with our launcher, and its word passed on.

The launcher speaks through a named pipe that is gone before judged code runs, with a nonce of its
own. The nonce of the channel never enters the virtual machine.
"""

import fcntl
import json
import os
import secrets
import select
import signal
import time
from typing import TYPE_CHECKING, Any, Literal

from ..channel import Channel
from ..protocol import End, Order

if TYPE_CHECKING:
    from .boot import Session

GRACE_SECONDS = 10.0  # between the launcher's last word and the end of its process
CHUNK = 65536
PIPE_BUFFER = 4096  # what every pipe holds at least


class LaunchOrder(Order):
    task: Literal["tests"]
    argv: list[str]
    cwd: str
    classes: list[str]
    sources: dict[str, str]  # test class → its file


def run(order: LaunchOrder, session: "Session") -> int:
    nonce = secrets.token_hex(16)
    path = os.path.join(os.environ["TMPDIR"], secrets.token_hex(8))
    os.mkfifo(path, 0o600)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    source = _once("\n".join([nonce, path, *order["classes"], ""]).encode())
    os.chdir(os.path.join(order["workspace"], order["cwd"]))
    session.hide_proc()
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
    if len(data) > PIPE_BUFFER:
        fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, len(data))
    os.write(sink, data)
    os.close(sink)
    return source


def _listen(reader: int, pid: int, relay: "_Relay") -> int:
    """Pass on records until the launcher's process has ended; its exit code."""
    deadline: float | None = None
    status: int | None = None
    while status is None:
        if select.select([reader], [], [], 0.02)[0]:
            data = os.read(reader, CHUNK)
            relay.take(data)
            if not data:
                time.sleep(0.005)  # nobody has opened the pipe yet, or nobody has it any more
        if relay.status is not None and deadline is None:
            deadline = time.monotonic() + GRACE_SECONDS
        if deadline is not None and time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
        ended, raw = os.waitpid(pid, os.WNOHANG)
        if ended:
            status = os.waitstatus_to_exitcode(raw)
    while select.select([reader], [], [], 0)[0]:
        data = os.read(reader, CHUNK)
        if not data:
            break
        relay.take(data)
    return status if status >= 0 else 128 - status


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

    def take(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._pass_on(line)

    def _pass_on(self, line: bytes) -> None:
        record = _record(line)
        sound = (
            record is not None
            and self.status is None
            and record.pop("nonce", None) == self._nonce
            and record.pop("number", None) == self._number
        )
        if self.broken or not sound or record is None:
            if not self.broken:
                self._channel.send_unsigned(line)
            self.broken = True
            return
        self._number += 1
        kind = record.pop("kind")
        if kind == "end":
            self.status = record["status"]
            return
        outer = record.pop("class", "").partition("$")[0]
        if outer:
            record["path"] = self._sources.get(outer)
        self._channel.send({"kind": kind, **record})


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("kind"), str) else None
