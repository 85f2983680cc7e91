"""Which process works on a run, so that no second one takes up what the first is at."""

import os
import socket
from pathlib import Path

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


def _named(pid: int) -> str:
    """With the moment it began: numbers of processes are given again."""
    return f"{socket.gethostname()} {pid} {_start_of(pid)}"


def _start_of(pid: int) -> str:
    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "gone" if Path("/proc/self").exists() else _told_by_signal(pid)
    fields = told.rpartition(")")[2].split()
    # One that was killed stays listed until its parent looks, which some never do.
    return "gone" if fields[0] in ENDED else fields[19]  # clock ticks since the machine started


def _told_by_signal(pid: int) -> str:
    """Where there is no /proc: that it runs is all that can be said."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "gone"
    except PermissionError:
        pass
    return "running"
