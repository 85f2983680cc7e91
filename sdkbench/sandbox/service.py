"""Service: a program of ours in a sandbox of its own that stays up and answers lines with lines.

For one thread at a time. A service that dies, floods or misses its time is killed with all its
children; the caller starts another.
"""

import socket
import time

from sdkbench.sandbox.command import Command
from sdkbench.sandbox.levels import Sandbox
from sdkbench.sandbox.process import CHUNK
from sdkbench.sandbox.resident import Resident
from sdkbench.sandbox.worker import LINE_BYTES, Ending, Reply


class Service:
    """Started at once; `stop` must be called. It ends with this process in any case.

    Raises SandboxFault where the sandbox can't be started.
    """

    def __init__(self, sandbox: Sandbox, command: Command) -> None:
        self._resident = Resident(sandbox, command, socket.SOCK_STREAM)
        self._socket = self._resident.socket
        self._unread = bytearray()

    @property
    def pid(self) -> int:
        return self._resident.pid

    def ask(self, line: bytes, *, seconds: float) -> Reply:
        """The next line after `line` was sent; where there is none the service is dead."""
        deadline = time.monotonic() + seconds
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(line + b"\n")
            ending = self._read_line(deadline)
        except TimeoutError:
            ending = Ending.LATE
        except OSError:
            ending = Ending.DIED
        if ending is None:
            answer, _, self._unread = self._unread.partition(b"\n")
            return Reply(bytes(answer))
        self.stop()
        return Reply(ending=ending)

    def _read_line(self, deadline: float) -> Ending | None:
        while b"\n" not in self._unread:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return Ending.LATE
            if len(self._unread) > LINE_BYTES:
                return Ending.FLOODED
            self._socket.settimeout(remaining)
            chunk = self._socket.recv(CHUNK)
            if not chunk:
                return Ending.DIED
            self._unread += chunk
        return None

    def stop(self) -> None:
        """Kill the whole tree and reap it; twice does no harm."""
        self._resident.stop()
