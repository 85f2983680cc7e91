"""The level without isolation: a process group, limits, a private folder. For trusted code only."""

import contextlib
import os
import signal
from pathlib import Path

from sdkbench.sandbox.command import Command

UNAPPLIED = ("network isolation", "file system isolation", "scratch disk size")


def copies(command: Command, workspace: Path) -> list[tuple[str, str, bool]]:
    """Everything is copied: nothing can be mounted, so nothing is read-only either."""
    return [
        (
            str(placement.source),
            os.path.normpath(workspace / placement.target),
            placement.packed,
        )
        for placement in command.placements
        if not placement.bulky
    ]


def links(command: Command, workspace: Path) -> list[tuple[str, str]]:
    """What is too big to copy is linked; a reason more why this level is for trusted code."""
    return [
        (str(placement.source), os.path.normpath(workspace / placement.target))
        for placement in command.placements
        if placement.bulky
    ]


def kill_marked(marker: str) -> None:
    """End every process that carries `marker` in its environment, wherever it has gone.

    A child that left our process group (setsid) still has the environment it was started with.
    """
    needle = marker.encode()
    for _ in range(20):
        victims = [pid for pid in _pids() if needle in _environ(pid)]
        if not victims:
            return
        for pid in victims:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def _pids() -> list[int]:
    try:
        return [int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit()]
    except OSError:
        return []


def _environ(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""
