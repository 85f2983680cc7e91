"""A program the user brought to be asked, not judged: not isolated, yet bounded and ended whole.

It needs what the user's own shell would give it (home, keys, network, working folder), so it gets
the environment it is handed. Time and output have limits all the same, and no child stays behind.
"""

import functools
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from sdkbench.errors import Cancelled
from sdkbench.sandbox import plain, process
from sdkbench.sandbox.command import Completed, Limits
from sdkbench.sandbox.levels import MARKER, readable
from sdkbench.sandbox.process import Cancellation

UNAPPLIED = (*plain.UNAPPLIED, "memory", "process count", "CPU time", "file size")


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
    source = readable(stdin)
    launch = process.Launch(
        argv=argv,
        env=env,
        cwd=str(cwd),
        child_ends=(source,),
        channel_fd=None,
        started_fd=None,
        end_tree=functools.partial(plain.kill_marked, mark),
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
        unapplied=UNAPPLIED,
    )
