"""Service: a program of ours in a sandbox of its own that stays up and answers lines with lines.

For one thread at a time. A service that dies, floods or misses its time is killed with all its
children; the caller starts another.
"""

import contextlib
import os
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from sdkbench.sandbox import process
from sdkbench.sandbox.command import Command
from sdkbench.sandbox.levels import Prepared, Sandbox
from sdkbench.sandbox.process import CHUNK, KILL_WAIT_SECONDS
from sdkbench.sandbox.worker import LINE_BYTES, Ending, Reply

CONTROL = "{control}"  # in a service's argv: the descriptor of its lines


class Service:
    """Started at once; `stop` must be called. It ends with this process in any case.

    Raises SandboxFault where the sandbox can't be started.
    """

    def __init__(self, sandbox: Sandbox, command: Command) -> None:
        self._stack = contextlib.ExitStack()
        self._unread = bytearray()
        try:
            self._start(sandbox, command)
        except BaseException:
            self.stop()
            raise

    def _start(self, sandbox: Sandbox, command: Command) -> None:
        self._socket, theirs = socket.socketpair()
        self._stack.callback(self._socket.close)
        # The kernel ends the program with the thread that started it, so that thread must stay.
        starter = ThreadPoolExecutor(1, thread_name_prefix="service")
        self._stack.callback(starter.shutdown)
        with theirs:
            number = str(theirs.fileno())
            argv = tuple(word.replace(CONTROL, number) for word in command.argv)
            lent = command.model_copy(update={"argv": argv, "lent": (theirs.fileno(),)})
            prepared = self._stack.enter_context(sandbox.prepared(lent))
            self._process = starter.submit(process.start, prepared.launch).result()
            self._stack.callback(self._end, prepared)

    @property
    def pid(self) -> int:
        return self._process.pid

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
        self._stack.close()

    def _end(self, prepared: Prepared) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        prepared.launch.end_tree()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(KILL_WAIT_SECONDS)
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
