"""Memory and process limits for a whole tree, through control groups v1 or v2 where we may.

RLIMIT_AS is per process and RLIMIT_NPROC does not bind root, so a group is the only way to hold a
fork bomb or a greedy tree. Where none can be had, `acquire` returns None and the caller says so.
"""

import contextlib
import itertools
import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from sdkbench.sandbox.command import Limits

MOUNTS = Path("/proc/self/mounts")
MEMBERSHIP = Path("/proc/self/cgroup")
PREFIX = "sdkbench-"
_numbers = itertools.count()


class Hierarchy(NamedTuple):
    """Where this process's group is mounted for some controllers."""

    version: int
    folder: Path
    controllers: frozenset[str]


class Group(NamedTuple):
    """The folders (one in v2, one a controller in v1) made for one command."""

    folders: tuple[Path, ...]
    controllers: frozenset[str]

    @property
    def procs_files(self) -> tuple[str, ...]:
        return tuple(str(folder / "cgroup.procs") for folder in self.folders)

    def add(self, pid: int) -> None:
        for name in self.procs_files:
            with contextlib.suppress(ProcessLookupError):
                Path(name).write_text(str(pid))

    def memory_kills(self) -> int:
        return self._counter({"memory.oom_control": "oom_kill", "memory.events": "oom_kill"})

    def refused_forks(self) -> int:
        return self._counter({"pids.events": "max"})

    def kill(self) -> None:
        """End every member; a member that forks meanwhile is met in the next round."""
        for _ in range(50):
            members = self._members()
            if not members:
                return
            for pid in members:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)

    def remove(self) -> None:
        self.kill()
        for folder in self.folders:
            # A group that the kernel has not emptied yet is swept up by the next `acquire`.
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _members(self) -> set[int]:
        members: set[int] = set()
        for name in self.procs_files:
            with contextlib.suppress(OSError):
                members.update(int(pid) for pid in Path(name).read_text().split())
        return members - {0}

    def _counter(self, files: dict[str, str]) -> int:
        for folder in self.folders:
            for file, key in files.items():
                with contextlib.suppress(OSError):
                    for line in (folder / file).read_text().splitlines():
                        name, _, value = line.partition(" ")
                        if name == key and value.strip().isdigit():
                            return int(value)
        return 0


def acquire(limits: Limits) -> Group | None:
    """A fresh group with `limits` set, or None if this machine gives us none."""
    folders: list[Path] = []
    controllers: set[str] = set()
    for hierarchy in find_hierarchies():
        _sweep(hierarchy.folder)
        folder = hierarchy.folder / f"{PREFIX}{os.getpid()}-{next(_numbers)}"
        try:
            folder.mkdir()
        except OSError:
            continue
        applied = _apply(folder, hierarchy, limits)
        if applied:
            folders.append(folder)
            controllers |= applied
        else:
            folder.rmdir()
    return Group(tuple(folders), frozenset(controllers)) if folders else None


def find_hierarchies() -> list[Hierarchy]:
    """The mounted hierarchies with a memory or pids controller, at our own place in each."""
    try:
        mounts = [line.split() for line in MOUNTS.read_text().splitlines()]
        memberships = [line.split(":", 2) for line in MEMBERSHIP.read_text().splitlines()]
    except OSError:
        return []
    hierarchies = []
    for _, controllers, path in memberships:
        for mount in mounts:
            if controllers and mount[2] == "cgroup":
                wanted = {"memory", "pids"} & set(controllers.split(","))
                if wanted and wanted <= set(mount[3].split(",")):
                    hierarchies.append(
                        Hierarchy(1, _place(Path(mount[1]), path), frozenset(wanted))
                    )
            elif not controllers and mount[2] == "cgroup2":
                place = _place(Path(mount[1]), path)
                hierarchies.append(Hierarchy(2, place, _enabled_v2(place)))
    return [h for h in hierarchies if h.controllers]


def _place(mount: Path, path: str) -> Path:
    # In a container our own path may not exist below the mount: the mount is then our place.
    own = mount / path.lstrip("/")
    return own if own.is_dir() else mount


def _enabled_v2(place: Path) -> frozenset[str]:
    """Controllers that a child group of `place` would have; switched on where we may."""
    wanted = {"memory", "pids"}
    try:
        available = set((place / "cgroup.controllers").read_text().split()) & wanted
        control = place / "cgroup.subtree_control"
        enabled = set(control.read_text().split()) & wanted
    except OSError:
        return frozenset()
    for controller in sorted(available - enabled):
        # Refused with EBUSY while processes live in `place` itself, unless it is the root.
        with contextlib.suppress(OSError):
            control.write_text(f"+{controller}")
            enabled.add(controller)
    return frozenset(enabled)


def _apply(folder: Path, hierarchy: Hierarchy, limits: Limits) -> set[str]:
    memory_file = "memory.max" if hierarchy.version == 2 else "memory.limit_in_bytes"  # noqa: PLR2004
    values = {
        "memory": (memory_file, limits.memory_bytes),
        # bubblewrap's own two processes and the first one inside live in the group too.
        "pids": ("pids.max", limits.processes + 3),
    }
    applied = set()
    for controller in hierarchy.controllers:
        file, value = values[controller]
        with contextlib.suppress(OSError):
            (folder / file).write_text(str(value))
            applied.add(controller)
    return applied


def _sweep(place: Path) -> None:
    """Remove the empty groups of harness processes that are gone."""
    for folder in place.glob(f"{PREFIX}*-*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not Path("/proc", owner).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
