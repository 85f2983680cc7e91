"""The level without isolation, for trusted code; and the user's own programs, which it serves."""

import contextlib
import functools
import os
import secrets
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from sdkbench.errors import Cancelled
from sdkbench.sandbox import process
from sdkbench.sandbox.command import Command, Completed, Limits
from sdkbench.sandbox.process import Cancellation

MARKER = "SDKBENCH_SANDBOX"
CALL_FILTER = "a filter of system calls"
OWN_KEYRING = "a session keyring of its own"
UNAPPLIED = (
    "network isolation",
    "file system isolation",
    "scratch disk size",
    CALL_FILTER,
    OWN_KEYRING,
)


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


OWN_UNAPPLIED = (*UNAPPLIED, "memory", "process count", "CPU time", "file size")


def marked(environment: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The environment with a mark of its own, and that mark as `NAME=value`."""
    value = f"{os.getpid()}-{secrets.token_hex(8)}"
    return {**environment, MARKER: value}, f"{MARKER}={value}"


def run_own(
    argv: Sequence[str],
    *,
    stdin: bytes,
    environment: Mapping[str, str],
    cwd: Path,
    limits: Limits,
    cancellation: Cancellation,
) -> Completed:
    """Run to the end, the time limit or the output limit; no process is left when this returns.

    Raises SandboxFault where the program can't be started, Cancelled when asked to stop.
    """
    cancellation.raise_if_requested()
    env, mark = marked(environment)
    source = process.readable(stdin)
    launch = process.Launch(
        argv=argv,
        env=env,
        cwd=str(cwd),
        child_ends=(source,),
        channel_fd=None,
        started_fd=None,
        end_tree=functools.partial(kill_marked, mark),
        stdin_fd=source,
    )
    ended = process.run(launch, limits, cancellation)
    if ended.cancelled:
        raise Cancelled("Stopped on request.")
    code = ended.return_code
    return Completed(
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        stopped_by=ended.stopped_by,
        stdout=ended.stdout.text(),
        stderr=ended.stderr.text(),
        truncated=ended.stdout.truncated or ended.stderr.truncated,
        channel=b"",
        channel_truncated=False,
        duration_seconds=ended.duration_seconds,
        level="none",
        unapplied=OWN_UNAPPLIED,
    )
