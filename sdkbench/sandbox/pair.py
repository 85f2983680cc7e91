"""Two sandboxes that talk to each other by one socket and share one folder, and nothing else.

One holds tests, the other the solution that they call. What they say to each other never passes
through the harness.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from sdkbench.errors import Cancelled, SandboxFault
from sdkbench.sandbox.command import Command, Completed
from sdkbench.sandbox.levels import Level, Sandbox
from sdkbench.sandbox.memory_folder import memory_folder
from sdkbench.sandbox.process import Cancellation

PEER = "{peer}"  # in argv and message of both commands: the descriptor of its end of the socket
LOOK_SECONDS = 0.5  # how often the size of the shared folder is looked at
REST_SECONDS = 2.0  # for a solution to end once nobody calls it any more
ENTRY_BYTES = 4096  # that each file costs: millions of empty ones fill a disk, too
SOLUTION_USER = 1001  # nobody else's, where user namespaces can be had


class End(NamedTuple):
    """What one side of a pair is given."""

    peer: socket.socket
    shared: Path
    cancellation: Cancellation


Side = Callable[[End], Completed]


class PairCompleted(NamedTuple):
    """How both ended. No `solution` where it was stopped because the tests had ended."""

    tests: Completed
    solution: Completed | None


def run_pair(sandbox: Sandbox, tests: Command, solution: Command) -> PairCompleted:
    """Both commands, each in a sandbox of its own; `{peer}` and `{shared}` are replaced in them."""
    confined = solution.model_copy(
        update={"user": SOLUTION_USER, "links_refused": sandbox.level is Level.BUBBLEWRAP}
    )
    with memory_folder("sdkbench-pair-") as folder:
        return run_sides(
            _side(sandbox, tests),
            _side(sandbox, confined),
            folder,
            sandbox.cancellation,
            disk_bytes=solution.limits.disk_bytes,
        )


def run_sides(
    tests: Side, solution: Side, root: Path, cancellation: Cancellation, *, disk_bytes: int
) -> PairCompleted:
    """Run both at once, with a fresh shared folder below `root`. The solution ends with the tests.

    Raises what either side raises: the sandbox's own faults and Cancelled.
    """
    ours, theirs = socket.socketpair()
    stopping = Cancellation()
    with (
        _shared_folder(root) as shared,
        theirs,
        ThreadPoolExecutor(2, thread_name_prefix="pair") as pool,
    ):
        other = pool.submit(_run, solution, End(theirs, shared, stopping))
        watching = Cancellation()
        full = pool.submit(_watch_size, shared, disk_bytes, stopping, watching)
        try:
            with ours:
                done = tests(End(ours, shared, cancellation))
        finally:
            watching.cancel()
            _wait(other)
            stopping.cancel()
        answered = other.result()
        if full.result() and answered is None:
            done = done.model_copy(update={"notes": (*done.notes, _too_full(disk_bytes))})
        return PairCompleted(done, answered)


def lent(command: Command, peer: socket.socket, shared: Path) -> Command:
    """The command with its end of the pair."""
    number = str(peer.fileno())
    message = command.message
    return command.model_copy(
        update={
            "argv": tuple(word.replace(PEER, number) for word in command.argv),
            "message": message and message.replace(PEER.encode(), number.encode()),
            "lent": (*command.lent, peer.fileno()),
            "shared": shared,
        }
    )


def _side(sandbox: Sandbox, command: Command) -> Side:
    def run(end: End) -> Completed:
        own = sandbox._replace(cancellation=end.cancellation)
        return own.run(lent(command, end.peer, end.shared))

    return run


def _run(solution: Side, end: End) -> Completed | None:
    try:
        return solution(end)
    except Cancelled:
        return None
    finally:
        # The tests must see that nobody answers any more, whoever holds this socket.
        with contextlib.suppress(OSError):
            end.peer.shutdown(socket.SHUT_RDWR)


def _wait(solution: "Future[Completed | None]") -> None:
    """It sees the end of the socket and leaves; what it says of itself then is worth knowing."""
    with contextlib.suppress(TimeoutError, SandboxFault):
        solution.result(REST_SECONDS)


@contextlib.contextmanager
def _shared_folder(root: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(dir=root))
    folder.chmod(0o700)
    try:
        yield folder
    finally:
        try:
            shutil.rmtree(folder)
        except (OSError, RecursionError):  # judged code makes folders deeper than Python can follow
            subprocess.run(["/bin/rm", "-rf", "--", os.fspath(folder)], check=False)


def _watch_size(folder: Path, most: int, stopping: Cancellation, ended: Cancellation) -> bool:
    """End the solution once it has written too much: no quota holds a folder of the host."""
    while not ended.wait(LOOK_SECONDS):
        if _size(folder, most) > most:
            stopping.cancel()
            return True
    return False


def _size(folder: Path, enough: int) -> int:
    """The bytes that files below it take; it stops counting at more than `enough`."""
    total, waiting = 0, [os.fspath(folder)]
    while waiting and total <= enough:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                total += entry.stat(follow_symlinks=False).st_blocks * 512 + ENTRY_BYTES
    return total


def _too_full(most: int) -> str:
    return f"the solution was ended: it wrote more than {most:,} bytes to the shared folder"
