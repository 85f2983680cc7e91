"""Processes that a program inside starts: what they inherit, what they print, what they leave."""

import contextlib
import ctypes
import fcntl
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

LINUX = sys.platform == "linux"
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
LOCKS = 10  # RLIMIT_LOCKS, which has no effect
CHUNK = 1 << 16
HIGH_FD = 64  # above those that a child is given
SETTLE_SECONDS = 10.0  # for killed processes to be gone


def protect() -> None:
    """Before any judged code runs: no process of the same user may look into this one, where the
    nonce is.
    """
    if LINUX:
        _control(PR_SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """Processes that lose their parent become our children, so that `end_children` finds them."""
    if LINUX:
        _control(PR_SET_CHILD_SUBREAPER, 1)


def allow_looking_in() -> None:
    """For a forked child that runs judged code: as any other process."""
    _control(PR_SET_DUMPABLE, 1)


def _control(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")


def check_mark() -> None:
    """A test program marks its children by a limit of 0, so that it knows when it was started by
    judged code. Raises where there is no room for that.
    """
    if LINUX and resource.getrlimit(LOCKS)[1] == 0:
        raise RuntimeError("the limit of locks (ulimit -Hx) is 0 here, and we need it as a mark")


def high(fd: int) -> int:
    """The same open file at a number that no child uses for something else."""
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, HIGH_FD)
    os.close(fd)
    return moved


class HeadAndTail:
    """The first and the last of a stream, `kept` bytes each, and how long it was."""

    def __init__(self, kept: int) -> None:
        self.size = 0
        self._kept = kept
        self._head = b""
        self._tail = b""

    def feed(self, chunk: bytes) -> None:
        self.size += len(chunk)
        room = self._kept - len(self._head)
        self._head += chunk[:room]
        self._tail = (self._tail + chunk[room:] if room < len(chunk) else self._tail)[-self._kept :]

    @property
    def truncated(self) -> bool:
        return self.size > 2 * self._kept

    def text(self) -> str:
        gap = b"\n" if self.truncated else b""
        return (self._head + gap + self._tail).decode("utf-8", "replace")


class Printed:
    """What a process prints: passed on to our own output, and its head and tail kept.

    `hidden` is a mark of the framework's that people need not see.
    """

    def __init__(self, kept: int, hidden: bytes = b"") -> None:
        self.read_fd, self.write_fd = os.pipe()
        self._hidden = hidden
        self._kept = HeadAndTail(kept)
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        """To be called when the process has its own copy of the writing end."""
        os.close(self.write_fd)
        self._thread.start()

    def text(self) -> str:
        self._thread.join(timeout=5)
        return self._kept.text()

    def take(self, chunk: bytes) -> None:
        os.write(1, chunk.replace(self._hidden, b"") if self._hidden else chunk)
        self._kept.feed(chunk)

    def _read(self) -> None:
        with open(self.read_fd, "rb", buffering=0) as stream:
            while chunk := stream.read(CHUNK):
                self.take(chunk)


def spawn(
    argv: list[str], env: Mapping[str, str], descriptors: Mapping[int, int], *, path: str = ""
) -> int:
    """The id of a new process. `descriptors` maps its numbers to ours; of all others it has only
    our standard streams. Its input is empty unless it is given one.
    """
    actions: list[Any] = []
    if 0 not in descriptors:
        actions.append((os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0))
    actions += [(os.POSIX_SPAWN_DUP2, ours, theirs) for theirs, ours in descriptors.items()]
    return os.posix_spawn(path or argv[0], argv, env, file_actions=actions)


def spawn_after(
    prepare: Callable[[], object],
    argv: list[str],
    env: Mapping[str, str],
    descriptors: Mapping[int, int],
    *,
    path: str,
) -> int:
    """As `spawn`; the new process calls `prepare` before it becomes the program."""
    pid = os.fork()
    if pid == 0:
        try:
            prepare()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            for theirs, ours in descriptors.items():
                os.dup2(ours, theirs)
            os.execve(path, argv, dict(env))
        finally:
            os._exit(127)  # whatever happened: this process must not go on as its parent
    return pid


def spawn_printing(argv: list[str], env: Mapping[str, str], printed: Printed) -> int:
    pid = spawn(argv, env, {1: printed.write_fd, 2: printed.write_fd})
    printed.start()
    return pid


def exit_code(pid: int) -> int:
    """Waits for the process; negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def ending(code: int) -> str:
    """How a process with this `exit_code` ended, for people."""
    if code >= 0:
        return f"exit code {code}"
    names = {number.value: number.name for number in signal.Signals}
    return f"killed by {names.get(-code, f'signal {-code}')}"  # some have no name


def has_ended(pid: int) -> bool:
    """Whether the child is dead; it is left to be reaped."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def end_group(pid: int) -> None:
    """Kill what is left of the session that the child `pid` leads."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def end_children() -> bool:
    """Kill and reap whatever judged code left running; whether all of it is gone.

    With `adopt_orphans`, what its children started is found too. Needs /proc.
    """
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        children = [pid for pid in _all_pids() if _stat(pid)[1:2] == [str(os.getpid())]]
        if not children:
            return True
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
    return False


def end_everything() -> None:
    """Kill all that is left in this sandbox besides us. Only in a process namespace of our own."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        others = set(_all_pids()) - {1, os.getpid()}
        if all(_stat(pid)[:1] in ([], ["Z"], ["X"]) for pid in others):
            return
        time.sleep(0.005)
    raise RuntimeError("a process of the last run does not die")


def _all_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()] if LINUX else []


def _stat(pid: int) -> list[str]:
    """State, parent and so on; nothing where the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:
            return stream.read().rpartition(")")[2].split()
    except OSError:
        return []
