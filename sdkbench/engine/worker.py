"""Which process works on a run, so that no second one joins it; and the folder it works in."""

import contextlib
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

SCRATCH_PREFIX = "sdkbench-run-"
MARK = "worker"  # a file in a scratch folder: whose it is
ENDED = frozenset({"Z", "X"})  # zombie, dead


def this_worker() -> str:
    return _named(os.getpid())


def is_at_work(worker: str) -> bool:
    """Whether `worker` is another process of this machine that still runs.

    Of other machines nothing is known: a run that one of them left can be resumed from here.
    """
    host, _, rest = worker.rpartition(" ")[0].rpartition(" ")
    if host != socket.gethostname() or not rest.isdigit() or int(rest) == os.getpid():
        return False
    return _named(int(rest)) == worker


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder for the solutions of one run. Those that killed processes left go first."""
    for mark in Path(tempfile.gettempdir()).glob(f"{SCRATCH_PREFIX}*/{MARK}"):
        with contextlib.suppress(OSError):  # another user's, or removed at this moment
            if _was_killed(mark.read_text(encoding="utf-8")):
                shutil.rmtree(mark.parent, ignore_errors=True)
    # A thread that nobody waits for any more may still be writing there at the end.
    with tempfile.TemporaryDirectory(prefix=SCRATCH_PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / MARK).write_text(this_worker(), encoding="utf-8")
        yield folder


def _was_killed(worker: str) -> bool:
    """Of other machines, which may share the folder, nothing is known."""
    same_host = worker.rpartition(" ")[0].rpartition(" ")[0] == this_worker().rsplit(" ", 2)[0]
    return same_host and worker != this_worker() and not is_at_work(worker)


def _named(pid: int) -> str:
    """With the moment it began: numbers of processes are given again."""
    return f"{socket.gethostname()} {pid} {_start_of(pid)}"


def _start_of(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "gone" if Path("/proc/self").exists() else _state_by_signal(pid)
    fields = stat.rpartition(")")[2].split()
    # One that was killed stays listed until its parent looks, which some never do.
    return "gone" if fields[0] in ENDED else fields[19]  # clock ticks since the machine started


def _state_by_signal(pid: int) -> str:
    """Where there is no /proc: that it runs is all that can be said."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "gone"
    except PermissionError:
        pass
    return "running"
