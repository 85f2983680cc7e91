"""Worker: a program of ours that stays up and answers each line with a line, until it is late.

Synchronous, for one thread at a time. A worker that dies, floods or misses its time is killed with
all its children; the caller starts another.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum, auto
from typing import IO, NamedTuple

from sdkbench.errors import SandboxFault
from sdkbench.sandbox import plain
from sdkbench.sandbox.command import signal_name
from sdkbench.sandbox.plain import marked
from sdkbench.sandbox.process import CHUNK, KILL_WAIT_SECONDS, TICK_SECONDS, Cancellation, Capture

LINE_BYTES = 4 << 20  # a longer answer is a fault of the worker's, not an answer
STDERR_BYTES = 1 << 16
DYING_SECONDS = 1.0


class Ending(StrEnum):
    """Why there is no line; the worker is dead after each of them."""

    LATE = "late"
    DIED = "died"
    FLOODED = "flooded"
    CANCELLED = "cancelled"


class Flow(Enum):
    MORE = auto()
    PAUSED = auto()
    ENDED = auto()


class Reply(NamedTuple):
    """A line without its end, or why there is none, with the last words on stderr."""

    line: bytes = b""
    ending: Ending | None = None
    last_words: str = ""


class Worker:
    """Started at once; `stop` must be called. Closing its input tells the program to end."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        env, self._mark = marked(environment)
        try:
            self._process = subprocess.Popen(
                argv,
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise SandboxFault(f"Cannot start {argv[0]}: {error}.") from error
        self._stdin, self._stdout, self._stderr_pipe = _streams(self._process)
        self._stderr = Capture(STDERR_BYTES)
        self._unread = bytearray()
        self._unsent = memoryview(b"")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, line: bytes, *, seconds: float, cancellation: Cancellation) -> Reply:
        """Send `line` (nothing if empty) and wait for the next one, at most so long."""
        ending = self._converse(line, time.monotonic() + seconds, cancellation)
        if ending is None:
            answer, _, self._unread = self._unread.partition(b"\n")
            return Reply(bytes(answer))
        if ending is Ending.DIED:
            # Its output closes a moment before it is gone; let it tell its own exit code.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(DYING_SECONDS)
        self.stop()
        return Reply(ending=ending, last_words=self._last_words())

    def stop(self) -> None:
        """Kill the whole tree and reap it; once is enough, twice does no harm.

        Raises SandboxFault if it outlives SIGKILL.
        """
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self.alive:
                os.killpg(self._process.pid, signal.SIGKILL)
        plain.kill_marked(self._mark)
        try:
            self._process.wait(KILL_WAIT_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise SandboxFault(f"Worker {self.pid} did not end after SIGKILL.") from error
        if not self._stderr_pipe.closed:
            os.set_blocking(self._stderr_pipe.fileno(), False)
            while self._receive(self._stderr_pipe) is Flow.MORE:
                pass
        for stream in (self._stdin, self._stdout, self._stderr_pipe):
            stream.close()

    def _converse(self, line: bytes, deadline: float, cancellation: Cancellation) -> Ending | None:
        if self._stdout.closed:
            return Ending.DIED
        self._unsent = memoryview(line + b"\n" if line else b"")
        with self._selector() as selector:
            while b"\n" not in self._unread:
                remaining = deadline - time.monotonic()
                if cancellation.requested:
                    return Ending.CANCELLED
                if remaining <= 0:
                    return Ending.LATE
                if len(self._unread) > LINE_BYTES:
                    return Ending.FLOODED
                for key, _ in selector.select(min(TICK_SECONDS, remaining)):
                    move = self._send if key.data is self._stdin else self._receive
                    if move(key.data) is Flow.ENDED:
                        if key.data is self._stdout:
                            return Ending.DIED
                        selector.unregister(key.fd)
        return None

    def _selector(self) -> selectors.BaseSelector:
        selector = selectors.DefaultSelector()
        streams = [(self._stdout, selectors.EVENT_READ), (self._stderr_pipe, selectors.EVENT_READ)]
        if self._unsent:
            streams.append((self._stdin, selectors.EVENT_WRITE))
        for stream, event in streams:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream.fileno(), event, stream)
        return selector

    def _send(self, stream: IO[bytes]) -> Flow:
        """A reader that is gone shows as the end of its output, so it is no news here."""
        try:
            self._unsent = self._unsent[os.write(stream.fileno(), self._unsent) :]
        except BlockingIOError:
            return Flow.PAUSED
        except BrokenPipeError:
            return Flow.ENDED
        return Flow.MORE if self._unsent else Flow.ENDED

    def _receive(self, stream: IO[bytes]) -> Flow:
        try:
            chunk = os.read(stream.fileno(), CHUNK)
        except BlockingIOError:
            return Flow.PAUSED
        if stream is self._stdout:
            self._unread += chunk
        else:
            self._stderr.feed(chunk)
        return Flow.MORE if chunk else Flow.ENDED

    def _last_words(self) -> str:
        code = self._process.returncode
        how = f"killed by {signal_name(-code)}" if code < 0 else f"exit code {code}"
        lines = self._stderr.text().strip().splitlines()
        return f"{how}: {lines[-1]}" if lines else how


def _streams(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise SandboxFault("A worker was started without its pipes.")
    return process.stdin, process.stdout, process.stderr
