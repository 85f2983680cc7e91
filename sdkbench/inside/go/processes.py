"""The processes that go_boot starts: what they print, how they end, what they leave behind."""

import contextlib
import ctypes
import fcntl
import os
import signal
import sys
import threading
from typing import Any

from .reporting import MAX_TEXT

LINUX = sys.platform == "linux"
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
HIGH_FD = 64  # above those that a test process is given
SECRET_FD, VERDICT_FD, BINARY_FD = 3, 4, 5
ROUNDS = 200  # of killing what a test left behind
MARK = "\x16"  # stands before the lines of -test.v=test2json that are the framework's own


class Printed:
    """The first and the last of what a process prints; all of it is passed on to our own output."""

    def __init__(self) -> None:
        self.read_fd, self.write_fd = os.pipe()
        self._head = b""
        self._tail = b""
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        os.close(self.write_fd)
        self._thread.start()

    def text(self) -> str:
        self._thread.join(timeout=5)
        gap = b"" if len(self._head) < MAX_TEXT else b"\n"
        return (self._head + gap + self._tail).decode("utf-8", "replace")

    def _read(self) -> None:
        with open(self.read_fd, "rb", buffering=0) as stream:
            while chunk := stream.read(1 << 16):
                self.take(chunk)

    def take(self, chunk: bytes) -> None:
        os.write(1, chunk.replace(MARK.encode(), b""))
        room = MAX_TEXT - len(self._head)
        self._head += chunk[:room]
        self._tail = (self._tail + chunk[room:])[-MAX_TEXT:]


def spawn(
    argv: list[str], env: dict[str, str], printed: Printed, *, path: str = "", **given: int
) -> int:
    """Start a process that prints to `printed` and has no other descriptors than those given."""
    actions: list[Any] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, printed.write_fd, 1),
        (os.POSIX_SPAWN_DUP2, printed.write_fd, 2),
    ]
    wanted = {"secret": SECRET_FD, "verdict": VERDICT_FD, "binary": BINARY_FD}
    actions += [(os.POSIX_SPAWN_DUP2, fd, wanted[name]) for name, fd in given.items()]
    pid = os.posix_spawn(path or argv[0], argv, env, file_actions=actions)
    printed.start()
    return pid


def ended(pid: int) -> int:
    """The exit code of `pid`, negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def end_strays() -> bool:
    """Kill whatever a test left running: all of it is our child, or becomes so."""
    for _ in range(ROUNDS):
        children = [pid for pid in all_pids() if parent_of(pid) == os.getpid()]
        if not children:
            return True
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
    return False


def all_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()] if LINUX else []


def parent_of(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return int(stream.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def protect() -> None:
    """No other process may look into this one; orphans of its children become its own."""
    with contextlib.suppress(AttributeError, OSError):
        prctl = ctypes.CDLL(None).prctl
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def high(fd: int) -> int:
    """The same open file at a number that no test process uses for something else."""
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, HIGH_FD)
    os.close(fd)
    return moved
