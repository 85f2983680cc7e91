"""Zygote: a sandboxed program that has loaded what many runs share, and forks each of them.

A forked run has namespaces, files, limits and descriptors of its own, as a command has that is
started in a sandbox of its own; only what takes long, starting an interpreter and loading packages,
was done before. The program holds no judged code, and its runs cannot look into it.
"""

import contextlib
import itertools
import json
import os
import select
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, SerializeAsAny

from sdkbench.core import Placement
from sdkbench.errors import Cancelled, SandboxFault
from sdkbench.sandbox import bubblewrap, cgroup, process
from sdkbench.sandbox.command import CHANNEL, SHARED, WORKSPACE, Command, Completed, Frozen, Limits
from sdkbench.sandbox.levels import Sandbox, refuse_killed, replace_names
from sdkbench.sandbox.process import KILL_WAIT_SECONDS, Cancellation
from sdkbench.sandbox.resident import Resident
from sdkbench.sandbox.system_calls import filter_program

START_SECONDS = 60.0  # for an interpreter with its framework, on a machine that is busy
LOAD_SECONDS = 120.0  # for packages; a heavy SDK takes three
FORK_SECONDS = 20.0
ANSWER_BYTES = 1 << 16
# The program outlives any run: only memory and processes are limited, each run's by its own group.
OWN_LIMITS = Limits(wall_seconds=1e9, cpu_seconds=10**9, file_bytes=1 << 50)


class ForkRefused(SandboxFault):
    """No run could be forked: it has to be started in a sandbox of its own. Nothing of it ran."""


class PlacementOrder(Frozen):
    source: str
    target: str
    read_only: bool


class FileSystemOrder(Frozen):
    """For inside/sandbox/namespaces.py: what one forked run sees, beside the system itself."""

    placements: tuple[PlacementOrder, ...]
    scratch: tuple[str, ...] = bubblewrap.SCRATCH_ROOTS
    disk_bytes: int
    hidden: tuple[str, ...]  # folders that hold other runs' files
    shown: tuple[str, ...]  # folders below hidden ones that stay visible
    shared: tuple[str, ...] = ()  # a folder that another run writes to as well, and where
    refused: str = filter_program().hex()


class ForkOrder(Frozen):
    """`program` is for the program that forks."""

    files: FileSystemOrder
    rlimits: dict[str, int]
    program: SerializeAsAny[BaseModel]


class ForkedCommand(NamedTuple):
    """What is a run's own. `program` is what it does, and may name the workspace."""

    placements: tuple[Placement, ...]
    program: BaseModel
    limits: Limits
    hidden: tuple[Path, ...] = ()  # folders on the host, visible to the zygote, that it covers
    shown: tuple[Path, ...] = ()  # those below them that stay visible
    peer: int | None = None  # a descriptor that the run is given
    shared: Path | None = None  # a folder in `shared_root` that another run writes to as well


class Zygote:
    """Started at once; `stop` must be called. It ends with this process in any case.

    Raises ForkRefused if it does not come up.
    """

    def __init__(self, sandbox: Sandbox, command: Command, shared_root: Path) -> None:
        """`command` is told by `{control}` in its message which descriptor it is to listen at.

        Pairs of runs share folders below `shared_root`.
        """
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._loaded: set[str] = set()
        self._mounts = [mount.path for mount in command.mounts]
        with contextlib.ExitStack() as stack:
            folder = tempfile.TemporaryDirectory(prefix="sdkbench-zygote-")
            self._stage = Path(stack.enter_context(folder))
            update = {"fork_stage": self._stage, "limits": OWN_LIMITS, "shared": shared_root}
            whole = command.model_copy(update=update)
            self._resident = Resident(sandbox, whole, socket.SOCK_SEQPACKET)
            stack.callback(self._resident.stop)
            self._control = self._resident.socket
            answer = self._answer(START_SECONDS)
            if "ready" not in answer:
                raise ForkRefused(f"A program that forks runs did not start: {answer}.")
            # Killed while it is set up, bubblewrap can leave the program behind, bound to nobody.
            if not self._resident.alive:
                raise ForkRefused("The sandbox of a program that forks runs was killed.")
            self._stack = stack.pop_all()

    @property
    def pid(self) -> int:
        return self._resident.pid

    @property
    def alive(self) -> bool:
        return self._resident.alive

    def load(self, modules: Sequence[str]) -> None:
        """Load what is not loaded yet, for all runs to come."""
        with self._lock:
            missing = sorted(set(modules) - self._loaded)
            if missing:
                self._say({"kind": "load", "modules": missing})
                self._answer(LOAD_SECONDS)
                self._loaded.update(missing)

    def run(self, command: ForkedCommand, cancellation: Cancellation) -> Completed:
        """As `Sandbox.run`. Raises ForkRefused where nothing was forked, Cancelled on request."""
        cancellation.raise_if_requested()
        with contextlib.ExitStack() as stack:
            group = cgroup.acquire(command.limits)
            if group is not None:
                stack.callback(group.remove)
            began = time.monotonic()
            try:
                message = self._message(stack, command, group)
                run = stack.enter_context(self._forked(message, group, command.peer))
            except OSError as error:  # no room, no descriptors; a sandbox of its own tells which
                raise ForkRefused(f"A run could not be prepared: {error}.") from error
            fds = run.channel_fd, run.started_fd
            watch = self._sandbox.watch(command.limits, group)
            exceeded = watch.of(run.pid) if watch is not None and run.pid is not None else None
            ended = process.attend(
                run, fds, command.limits, cancellation, began=began, exceeded=exceeded
            )
            if ended.cancelled:
                raise Cancelled("Stopped on request.")
            if not ended.started and ended.stopped_by is None:
                raise ForkRefused(f"A forked run did not start: {ended.stderr.text().strip()}")
            if run.was_killed:
                refuse_killed(ended, group)
            code = ended.return_code
            ending = (code, None) if code >= 0 else (None, -code)
            return self._sandbox.completed(command.limits, ended, group, ending)

    def stop(self) -> None:
        """End it and all its runs."""
        self._stack.close()

    def _message(
        self, stack: contextlib.ExitStack, command: ForkedCommand, group: cgroup.Group | None
    ) -> bytes:
        folder = self._stage / str(next(self._numbers))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        staged = [_staged(folder, *each) for each in enumerate(command.placements)]
        order = ForkOrder(
            files=FileSystemOrder(
                placements=tuple(staged),
                disk_bytes=command.limits.disk_bytes,
                hidden=(*_unseen(command.shared), *map(str, command.hidden)),
                shown=tuple(map(str, [*command.shown, *self._covered(command.hidden)])),
                shared=_shared(command.shared),
            ),
            rlimits=self._sandbox.rlimits(command.limits, group),
            program=command.program,
        )
        names = {
            WORKSPACE: bubblewrap.WORKSPACE_ROOT,
            CHANNEL: "-1",
            SHARED: bubblewrap.SHARED_ROOT,
        }
        return replace_names(json.dumps(order.model_dump()), names).encode()

    def _covered(self, hidden: Sequence[Path]) -> list[Path]:
        """What the program needs below a folder that each run gets anew: a cache in /tmp, say."""
        return [
            path
            for path in self._mounts
            if path not in hidden and any(map(path.is_relative_to, bubblewrap.SCRATCH_ROOTS))
        ]

    @contextlib.contextmanager
    def _forked(
        self, message: bytes, group: cgroup.Group | None, peer: int | None
    ) -> Iterator["_ForkedRun"]:
        """A run that has been forked, and has its limits; dead when the block is left."""
        with contextlib.ExitStack() as stack:
            theirs, ours = [], []
            for _ in range(5):  # stdout, stderr, channel, started, status
                reading, writing = os.pipe()
                stack.callback(os.close, reading)
                ours.append(reading)
                theirs.append(writing)
            go_reading, go_writing = os.pipe()
            stack.callback(os.close, go_writing)
            theirs = [process.readable(message), *theirs, go_reading]
            try:
                pidfd = self._fork([*theirs, *([] if peer is None else [peer])])
            finally:
                for fd in theirs:
                    os.close(fd)
            stack.callback(os.close, pidfd)
            run = _ForkedRun(pidfd, group, *ours)
            stack.callback(run.stop)
            if group is not None:
                group.add(_pid_of(pidfd))
            os.write(go_writing, b"g")
            yield run

    def _fork(self, fds: Sequence[int]) -> int:
        """The process descriptor of the first process in the run's namespaces."""
        with self._lock:
            self._say({"kind": "fork"}, fds)
            answered: list[int] = []
            answer = self._answer(FORK_SECONDS, answered)
        if len(answered) != 1:
            raise ForkRefused(f"A run could not be forked: {answer}.")
        return answered[0]

    def _say(self, request: dict[str, Any], fds: Sequence[int] = ()) -> None:
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], list(fds))
        except OSError as error:
            raise ForkRefused(f"The program that forks runs is gone: {error}.") from error

    def _answer(self, seconds: float, fds: list[int] | None = None) -> dict[str, Any]:
        self._control.settimeout(seconds)
        try:
            data, received, _, _ = socket.recv_fds(self._control, ANSWER_BYTES, 1)
            if data:
                (fds if fds is not None else []).extend(received)
                answer: dict[str, Any] = json.loads(data)
                return answer
            reason = "it is gone"
        except (OSError, ValueError) as error:
            reason = str(error) or type(error).__name__
        self._resident.kill()  # whatever it would still say belongs to nobody
        raise ForkRefused(f"The program that forks runs gives no answer: {reason}.")


class _ForkedRun:
    """A process that the zygote forked; `process.Child` for it."""

    def __init__(
        self,
        pidfd: int,
        group: cgroup.Group | None,
        stdout_fd: int,
        stderr_fd: int,
        channel_fd: int,
        started_fd: int,
        status_fd: int,
    ) -> None:
        self._pidfd = pidfd
        self._group = group
        self.output_fds = stdout_fd, stderr_fd
        self.channel_fd = channel_fd
        self.started_fd = started_fd
        self._status_fd = status_fd
        self._code: int | None = None
        self._ended = False
        self.was_killed = False  # its first process, which nothing inside can do

    @property
    def pid(self) -> int | None:
        """None where it has ended already."""
        try:
            return _pid_of(self._pidfd)
        except ForkRefused:
            return None

    def poll(self) -> int | None:
        if not self._ended and self._gone(0):
            self._ended = True
            os.set_blocking(self._status_fd, False)
            with contextlib.suppress(BlockingIOError, ValueError):
                self._code = int(os.read(self._status_fd, 64))
            if self._code is None:  # its first process was killed, and all with it
                self.was_killed = True
                self._code = -signal.SIGKILL
        return self._code

    def wait(self, seconds: float) -> None:
        self._gone(seconds)

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        if self._group is not None:
            self._group.kill()
        if not self._gone(KILL_WAIT_SECONDS):
            raise SandboxFault(
                f"A forked run did not end within {KILL_WAIT_SECONDS:.0f} s of SIGKILL: "
                "it hangs in the kernel. Look at it with ps, or restart the machine."
            )

    def _gone(self, seconds: float) -> bool:
        """The first process ends last: the kernel has ended all others before."""
        return bool(select.select([self._pidfd], [], [], seconds)[0])


def _unseen(shared: Path | None) -> tuple[str, ...]:
    """Folders of other runs. The shared ones are covered by this run's own, if it has one."""
    return (bubblewrap.STAGE_ROOT,) if shared else (bubblewrap.STAGE_ROOT, bubblewrap.SHARED_ROOT)


def _shared(folder: Path | None) -> tuple[str, ...]:
    root = bubblewrap.SHARED_ROOT
    return (f"{root}/{folder.name}", root) if folder else ()


def _staged(folder: Path, number: int, placement: Placement) -> PlacementOrder:
    """Copied to where the zygote sees it; a folder of the host cannot be mounted any more."""
    target = folder / str(number)
    target.parent.mkdir(exist_ok=True)
    if placement.source.is_dir():
        shutil.copytree(placement.source, target, symlinks=True)
    else:
        shutil.copy2(placement.source, target, follow_symlinks=False)
    return PlacementOrder(
        source=f"{bubblewrap.STAGE_ROOT}/{folder.name}/{number}",
        target=f"{WORKSPACE}/{placement.target}",
        read_only=placement.read_only,
    )


def _pid_of(pidfd: int) -> int:
    """As this process's namespace numbers it."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "Pid" and int(value) > 0:
            return int(value)
    raise ForkRefused("A forked run ended at once.")
