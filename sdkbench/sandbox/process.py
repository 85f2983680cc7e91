"""Running one process to its end: reading, waiting, stopping, and never longer than allowed."""

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from sdkbench.errors import Cancelled, SandboxFault
from sdkbench.sandbox.command import Limits, StoppedBy
from sdkbench.sandbox.tree_watch import TreeWatch

CHUNK = 1 << 16
TICK_SECONDS = 0.1  # how late a cancellation may be seen
TERM_GRACE_SECONDS = 0.5
KILL_WAIT_SECONDS = 10.0  # a process that outlives SIGKILL this long hangs in the kernel


class Cancellation:
    """Set once; each running command sees it within a tenth of a second and kills its tree."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def requested(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Whether it is requested within so long."""
        return self._event.wait(seconds)

    def raise_if_requested(self) -> None:
        if self.requested:
            raise Cancelled("Stopped on request.")


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


class Launch(NamedTuple):
    """What to start. `end_tree` kills whatever the process may have left behind."""

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    child_ends: tuple[int, ...]  # descriptors handed on; of no use to us once it runs
    channel_fd: int | None  # our reading end
    started_fd: int | None  # our reading end; None where nothing but the program itself starts
    end_tree: Callable[[], None]
    lent: tuple[int, ...] = ()  # descriptors handed on that stay the caller's to close
    stdin_fd: int | None = None  # one of `child_ends`; without it the input is empty
    watch: TreeWatch | None = None  # of limits that nothing else holds


class Ended(NamedTuple):
    return_code: int
    stopped_by: StoppedBy | None
    cancelled: bool
    start_sign: bytes  # what the first process inside said when all was ready; else empty
    stdout: Capture
    stderr: Capture
    channel: Exact
    duration_seconds: float

    @property
    def started(self) -> bool:
        return bool(self.start_sign)


class Child(Protocol):
    """A started process, whoever started it."""

    @property
    def output_fds(self) -> tuple[int, int]:
        """Where its stdout and its stderr are read."""

    def poll(self) -> int | None:
        """Its exit code, or minus its signal, once it has ended."""

    def wait(self, seconds: float) -> None:
        """Until it has ended, at most so long."""

    def stop(self) -> None:
        """End its whole tree. Raises SandboxFault if it does not die."""


class _Started:
    """A child that this process started itself."""

    def __init__(self, process: "subprocess.Popen[bytes]", launch: Launch) -> None:
        self._process = process
        self._launch = launch

    @property
    def output_fds(self) -> tuple[int, int]:
        stdout, stderr = self._process.stdout, self._process.stderr
        assert stdout is not None and stderr is not None  # noqa: S101, PT018 - asked for as pipes
        return stdout.fileno(), stderr.fileno()

    def poll(self) -> int | None:
        return self._process.poll()

    def wait(self, seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def stop(self) -> None:
        _stop(self._process, self._launch)


def start(launch: Launch) -> "subprocess.Popen[bytes]":
    """Raises SandboxFault if it cannot start."""
    try:
        return subprocess.Popen(
            launch.argv,
            env=dict(launch.env),
            cwd=launch.cwd,
            stdin=subprocess.DEVNULL if launch.stdin_fd is None else launch.stdin_fd,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(*launch.child_ends, *launch.lent),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise SandboxFault(f"Cannot start {launch.argv[0]}: {error}.") from error
    finally:
        for fd in launch.child_ends:
            os.close(fd)


def run(launch: Launch, limits: Limits, cancellation: Cancellation) -> Ended:
    """Start, read and reap. Raises SandboxFault if it cannot start or will not die."""
    began = time.monotonic()
    with start(launch) as process:
        child = _Started(process, launch)
        fds = launch.channel_fd, launch.started_fd
        exceeded = launch.watch.of(process.pid) if launch.watch is not None else None
        return attend(child, fds, limits, cancellation, began=began, exceeded=exceeded)


def attend(
    child: Child,
    fds: tuple[int | None, int | None],
    limits: Limits,
    cancellation: Cancellation,
    *,
    began: float,
    exceeded: Callable[[], StoppedBy | None] | None = None,
) -> Ended:
    """Read what a child writes until it ends or is stopped. `fds`: its channel, its start sign.

    `exceeded` tells, whenever it is asked, a limit that the child's tree is beyond.
    """
    reader = _Reader(child, fds, limits, exceeded)
    try:
        stopped_by, cancelled = reader.watch(began, cancellation)
    finally:
        child.stop()
    reader.drain()
    code = child.poll()
    return Ended(
        return_code=-signal.SIGKILL if code is None else code,
        stopped_by=stopped_by,
        cancelled=cancelled,
        start_sign=reader.start_sign,
        stdout=reader.stdout,
        stderr=reader.stderr,
        channel=reader.channel,
        duration_seconds=time.monotonic() - began,
    )


class _Reader:
    """Empties the process's pipes while it lives, within bounded memory."""

    def __init__(
        self,
        child: Child,
        fds: tuple[int | None, int | None],
        limits: Limits,
        exceeded: Callable[[], StoppedBy | None] | None,
    ) -> None:
        self._child = child
        self._limits = limits
        self._exceeded = exceeded
        self.stdout = Capture(limits.output_bytes)
        self.stderr = Capture(limits.output_bytes)
        self.channel = Exact(limits.channel_bytes)
        self.start_sign = b""
        self._selector = selectors.DefaultSelector()
        channel_fd, started_fd = fds
        stdout_fd, stderr_fd = child.output_fds
        streams: list[tuple[int | None, Callable[[bytes], None]]] = [
            (started_fd, self._on_started),
            (stdout_fd, self.stdout.feed),
            (stderr_fd, self.stderr.feed),
            (channel_fd, self.channel.feed),
        ]
        for fd, sink in streams:
            if fd is not None:
                os.set_blocking(fd, False)
                self._selector.register(fd, selectors.EVENT_READ, sink)

    def watch(self, began: float, cancellation: Cancellation) -> tuple[StoppedBy | None, bool]:
        """Read until the process ends by itself, meets a limit, or is cancelled."""
        deadline = began + self._limits.wall_seconds
        while self._child.poll() is None:
            if cancellation.requested:
                return None, True
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return StoppedBy.WALL, False
            if self.stdout.total + self.stderr.total > self._limits.output_stop_bytes:
                return StoppedBy.OUTPUT, False
            if self._exceeded is not None and (limit := self._exceeded()) is not None:
                return limit, False
            if self._selector.get_map():
                self._read_once(min(TICK_SECONDS, remaining))
            else:
                self._child.wait(min(TICK_SECONDS, remaining))
        return None, False

    def drain(self) -> None:
        """Take what is left in the pipes; the tree is dead, so this ends at once."""
        while self._selector.get_map() and self._read_once(0):
            pass
        self._selector.close()

    def _read_once(self, timeout: float) -> bool:
        events = self._selector.select(timeout)
        for key, _ in events:
            try:
                chunk = os.read(key.fd, CHUNK)
            except BlockingIOError:
                continue
            if chunk:
                key.data(chunk)
            else:
                self._selector.unregister(key.fd)
        return bool(events)

    def _on_started(self, chunk: bytes) -> None:
        self.start_sign = chunk[:1]


def _stop(process: "subprocess.Popen[bytes]", launch: Launch) -> None:
    """TERM, then KILL the whole tree, then a bounded wait."""
    if process.poll() is None:
        _signal_group(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(TERM_GRACE_SECONDS)
    _signal_group(process.pid, signal.SIGKILL)
    launch.end_tree()
    try:
        process.wait(KILL_WAIT_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise SandboxFault(
            f"Process {process.pid} did not end within {KILL_WAIT_SECONDS:.0f} s of SIGKILL: "
            "it hangs in the kernel. Look at it with ps, or restart the machine."
        ) from error


def _signal_group(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def readable(message: bytes) -> int:
    """A descriptor from which `message` can be read, without a name in any file system."""
    with tempfile.TemporaryFile() as stream:
        stream.write(message)
        stream.flush()
        stream.seek(0)
        return os.dup(stream.fileno())
