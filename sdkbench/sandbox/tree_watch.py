"""TreeWatch: memory and number of processes of a whole tree, where no control group holds them.

It looks some times a second and ends the tree that is beyond its limits; in between each process
is held by its own limits. What a control group does it does late, so it is named in the result.
"""

import os
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sdkbench.sandbox.command import Limits, StoppedBy

PROC = Path("/proc")
LOOK_SECONDS = 0.2
# bubblewrap's own two processes and the first one inside are in the tree too.
OF_THE_SANDBOX = 3
PAGE = os.sysconf("SC_PAGE_SIZE")
# Of /proc/PID/stat, from the state on.
PARENT, THREADS, START, RESIDENT = 1, 17, 19, 21


class _Process(NamedTuple):
    pid: int
    parent: int
    threads: int
    start: str
    resident: int  # pages


class TreeWatch:
    """`mark` is in the environment of every process of the tree, if anything is: one that has left
    its parents is found by it.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        memory: bool,
        processes: bool,
        mark: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._memory = memory
        self._processes = processes
        self._mark = mark.encode()
        self._root: int | None = None
        self._clock = clock
        self._next = 0.0
        self._strangers: set[tuple[int, str]] = set()

    def of(self, root: int) -> Callable[[], StoppedBy | None]:
        """What to call while the tree of that process lives."""
        self._root = root
        return self.exceeded

    def exceeded(self) -> StoppedBy | None:
        """The limit that the tree is beyond, at the last look."""
        now = self._clock()
        if self._root is None or now < self._next:
            return None
        self._next = now + LOOK_SECONDS
        tree = self._tree(self._root)
        most = self._limits.processes + OF_THE_SANDBOX
        if self._processes and sum(each.threads for each in tree) > most:
            return StoppedBy.PROCESSES
        if self._memory and self._too_large(tree):
            return StoppedBy.MEMORY
        return None

    def _too_large(self, tree: list[_Process]) -> bool:
        """Pages that processes share count once; that takes longer to ask, and is rarely needed."""
        most = self._limits.memory_bytes
        if sum(each.resident for each in tree) * PAGE <= most:
            return False
        return sum(_own_bytes(each) for each in tree) > most

    def _tree(self, root: int) -> list[_Process]:
        known = _processes()
        children = defaultdict(list)
        for each in known.values():
            children[each.parent].append(each.pid)
        found: dict[int, _Process] = {}
        waiting = [root, *(self._orphans(known) if self._mark else [])]
        while waiting:
            pid = waiting.pop()
            if pid in known and pid not in found:
                found[pid] = known[pid]
                waiting += children[pid]
        return list(found.values())

    def _orphans(self, known: dict[int, _Process]) -> list[int]:
        """Of ours; each process is asked once, as its environment stays as it was."""
        ours = []
        for each in known.values():
            name = each.pid, each.start
            if each.pid == self._root or name in self._strangers:
                continue
            if self._mark in _environment(each.pid):
                ours.append(each.pid)
            else:
                self._strangers.add(name)
        return ours


def can_watch() -> bool:
    return (PROC / "self" / "stat").is_file()


def _processes() -> dict[int, _Process]:
    found = {}
    for name in os.listdir(PROC):  # noqa: PTH208 - thrice as fast, some times a second
        if name.isdigit():
            try:
                with open(f"{PROC}/{name}/stat", "rb") as stream:  # noqa: PTH123
                    fields = stream.read().rpartition(b")")[2].split()
                found[int(name)] = _Process(
                    int(name), int(fields[PARENT]), int(fields[THREADS]),
                    fields[START].decode(), int(fields[RESIDENT]),
                )  # fmt: skip
            except (OSError, IndexError, ValueError):
                continue  # it has ended
    return found


def _own_bytes(each: _Process) -> int:
    """Its share of what it holds, with what was swapped; all of it where that is not told."""
    try:
        lines = (PROC / str(each.pid) / "smaps_rollup").read_bytes().splitlines()
    except OSError:
        return each.resident * PAGE
    shares = (line.split() for line in lines if line.startswith((b"Pss:", b"SwapPss:")))
    return sum(int(words[1]) * 1024 for words in shares)


def _environment(pid: int) -> bytes:
    try:
        return (PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return b""
