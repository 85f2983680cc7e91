"""Sandbox: runs a Command at the strongest level this machine gives, and says which."""

import contextlib
import functools
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from sdkbench.errors import Cancelled, InputError, MissingTool, SandboxFault
from sdkbench.sandbox import bubblewrap, cgroup, plain, process
from sdkbench.sandbox.command import (
    ARCHIVE,
    CHANNEL,
    MESSAGE,
    WORKSPACE,
    Command,
    Completed,
    Limits,
    StoppedBy,
)
from sdkbench.sandbox.offline import OFFLINE
from sdkbench.sandbox.process import Cancellation

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Joins the control groups before anything else runs, then becomes the sandbox.
JOIN = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"'


class Level(StrEnum):
    BUBBLEWRAP = "bubblewrap"
    PLAIN = "plain"


class Probe(NamedTuple):
    """Whether bubblewrap works here, and why not."""

    works: bool
    user_namespace: bool
    reason: str


class _Places(NamedTuple):
    """Where things stand inside at a level, and what is copied or linked there."""

    scratch: str
    home: str
    workspace: str
    copies: list[tuple[str, str, bool]]
    links: list[tuple[str, str]]


class Prepared(NamedTuple):
    launch: process.Launch
    group: cgroup.Group | None


class Sandbox(NamedTuple):
    """How commands are run. `choose` makes one that fits this machine."""

    level: Level
    cancellation: Cancellation
    user_namespace: bool = True

    def run(self, command: Command) -> Completed:
        """Run to the end or to a limit; the whole tree is dead when this returns.

        Raises SandboxFault where the sandbox itself fails, Cancelled when asked to stop.
        """
        self.cancellation.raise_if_requested()
        with self.prepared(command) as prepared:
            ended = process.run(prepared.launch, command.limits, self.cancellation)
            if ended.cancelled:
                raise Cancelled("Stopped on request.")
            if not ended.started and ended.stopped_by is None:
                raise SandboxFault(
                    f"The {self.level} sandbox did not start: "
                    f"{ended.stderr.text().strip() or f'return code {ended.return_code}'}. "
                    "Run `sdkbench doctor` to see what this machine lacks."
                )
            ending = _exit(ended.return_code, through_bwrap=self.level is Level.BUBBLEWRAP)
            return self.completed(command.limits, ended, prepared.group, ending)

    @contextlib.contextmanager
    def prepared(self, command: Command) -> Iterator["Prepared"]:
        """All that a command needs before it is started; removed when the block is left."""
        with contextlib.ExitStack() as stack:
            group = cgroup.acquire(command.limits)
            if group is not None:
                stack.callback(group.remove)
            pipes = stack.enter_context(_pipes(command))
            yield Prepared(self._launch(stack, command, pipes, group), group)

    def unapplied(self, group: cgroup.Group | None) -> tuple[str, ...]:
        """The limits that nothing holds at this level on this machine."""
        missing = list(plain.UNAPPLIED) if self.level is Level.PLAIN else []
        held = group.controllers if group else frozenset()
        if "memory" not in held:
            missing.append("memory of the whole tree (each process is limited)")
        if "pids" not in held and not self._limits_processes_by_user():
            missing.append("process count")
        return tuple(missing)

    def _limits_processes_by_user(self) -> bool:
        # Processes are counted per user namespace; outside of one we would count the user's own.
        return self.level is Level.BUBBLEWRAP and self.user_namespace and os.geteuid() != 0

    def _launch(
        self,
        stack: contextlib.ExitStack,
        command: Command,
        pipes: "_Pipes",
        group: cgroup.Group | None,
    ) -> process.Launch:
        places = self._places(stack, command)
        names = {
            WORKSPACE: places.workspace,
            CHANNEL: str(pipes.channel_w),
        }
        child_ends = [fd for fd in (pipes.started_w, pipes.channel_w) if fd is not None]
        if command.archive is not None:
            archive = os.open(command.archive, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            child_ends.append(archive)
            names[ARCHIVE] = str(archive)
        if command.message is not None:
            message = process.readable(replace_names(command.message.decode(), names).encode())
            child_ends.append(message)
            names[MESSAGE] = str(message)
        env = _environment(command, names, home=places.home, scratch=places.scratch)
        order = {
            "copies": places.copies,
            "links": places.links,
            "cwd": os.path.normpath(f"{places.workspace}/{command.cwd}"),
            "rlimits": self.rlimits(command.limits, group),
            "started_fd": pipes.started_w,
            "argv": [replace_names(word, names) for word in command.argv],
        }
        inside = [
            bubblewrap.interpreter(),
            "-I",
            "-S",
            str(bubblewrap.FIRST_PROCESS),
            json.dumps(order),
        ]
        if self.level is Level.BUBBLEWRAP:
            words = bubblewrap.argv(command, env, user_namespace=self.user_namespace) + inside
            end_tree = group.kill if group else _nothing  # its process namespace dies with bwrap
            env = {"PATH": os.environ.get("PATH", SYSTEM_PATH)}
        else:
            words = inside
            env, mark = plain.marked(env)
            end_tree = functools.partial(_end_plain_tree, group, mark)
        if group is not None:
            words = ["/bin/sh", "-c", JOIN, "sh", *group.procs_files, "--", *words]
        return process.Launch(
            argv=words,
            env=env,
            cwd="/",
            child_ends=tuple(child_ends),
            channel_fd=pipes.channel_r,
            started_fd=pipes.started_r,
            end_tree=end_tree,
            lent=command.lent,
        )

    def _places(self, stack: contextlib.ExitStack, command: Command) -> "_Places":
        if self.level is Level.BUBBLEWRAP:
            root = bubblewrap.WORKSPACE_ROOT
            return _Places("/tmp", bubblewrap.HOME, root, bubblewrap.copies(command), [])  # noqa: S108
        folder = Path(stack.enter_context(_private_folder()))
        scratch, home, workspace = (folder / name for name in ("tmp", "home", "w"))
        for each in (scratch, home, workspace):
            each.mkdir()
        copies, links = plain.copies(command, workspace), plain.links(command, workspace)
        return _Places(str(scratch), str(home), str(workspace), copies, links)

    def rlimits(self, limits: Limits, group: cgroup.Group | None) -> dict[str, int]:
        held = group.controllers if group else frozenset()
        rlimits = {
            "RLIMIT_CPU": limits.cpu_seconds,
            "RLIMIT_FSIZE": limits.file_bytes,
            "RLIMIT_CORE": 0,
        }
        if "memory" not in held:
            # Not RLIMIT_AS: Node, Go and Java reserve far more addresses than they ever use.
            rlimits["RLIMIT_DATA"] = limits.memory_bytes
        if "pids" not in held and self._limits_processes_by_user():
            rlimits["RLIMIT_NPROC"] = limits.processes
        return rlimits

    def completed(
        self,
        limits: Limits,
        ended: process.Ended,
        group: cgroup.Group | None,
        ending: tuple[int | None, int | None],
    ) -> Completed:
        """`ending`: the exit code, or the signal that ended it."""
        code, number = ending
        stopped_by, notes = ended.stopped_by, []
        if number == signal.SIGXCPU:
            stopped_by = stopped_by or StoppedBy.CPU
        if group is not None and group.memory_kills():
            if code != 0 and stopped_by is None:
                stopped_by = StoppedBy.MEMORY
            else:
                notes.append(f"a process was killed at {limits.memory_bytes:,} bytes")
        if group is not None and group.refused_forks():
            notes.append(f"more than {limits.processes} processes were refused")
        return Completed(
            exit_code=code,
            signal=number,
            stopped_by=stopped_by,
            stdout=ended.stdout.text(),
            stderr=ended.stderr.text(),
            truncated=ended.stdout.truncated or ended.stderr.truncated,
            channel=ended.channel.data(),
            channel_truncated=ended.channel.truncated,
            duration_seconds=ended.duration_seconds,
            level=self.level.value,
            unapplied=self.unapplied(group),
            notes=tuple(notes),
        )


def choose(wanted: str = "auto", cancellation: Cancellation | None = None) -> Sandbox:
    """The sandbox for `wanted`: a level, or "auto" for bubblewrap where it works, else plain."""
    if wanted not in {"auto", *Level}:
        raise InputError(f"Unknown sandbox {wanted!r}. Choose one of: auto, {', '.join(Level)}.")
    cancellation = cancellation or Cancellation()
    if wanted == Level.PLAIN:
        return Sandbox(Level.PLAIN, cancellation)
    found = probe()
    if found.works:
        return Sandbox(Level.BUBBLEWRAP, cancellation, found.user_namespace)
    if wanted == Level.BUBBLEWRAP:
        raise MissingTool(
            f"bubblewrap does not work here: {found.reason}. "
            "Install it (Debian: apt-get install bubblewrap), or pass --sandbox plain for code "
            "that you trust."
        )
    return Sandbox(Level.PLAIN, cancellation)


@functools.cache
def probe() -> Probe:
    """Try bubblewrap for real, with a user namespace first."""
    if shutil.which("bwrap") is None:
        return Probe(works=False, user_namespace=False, reason="bwrap is not installed")
    reason = ""
    for user_namespace in (True, False):
        sandbox = Sandbox(Level.BUBBLEWRAP, Cancellation(), user_namespace)
        try:
            done = sandbox.run(Command(argv=("true",), limits=Limits(wall_seconds=20)))
        except SandboxFault as error:
            reason = reason or str(error)
            continue
        if done.ok:
            return Probe(works=True, user_namespace=user_namespace, reason="")
        reason = reason or done.ending()
    return Probe(works=False, user_namespace=False, reason=reason)


class _Pipes(NamedTuple):
    started_r: int
    started_w: int
    channel_r: int | None
    channel_w: int | None


@contextlib.contextmanager
def _pipes(command: Command) -> Iterator[_Pipes]:
    """The descriptors of one command; ours are closed at the end, the child's once it runs."""
    started_r, started_w = os.pipe()
    channel_r, channel_w = os.pipe() if command.channel else (None, None)
    try:
        yield _Pipes(started_r, started_w, channel_r, channel_w)
    finally:
        os.close(started_r)
        if channel_r is not None:
            os.close(channel_r)


@contextlib.contextmanager
def _private_folder() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="sdkbench-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _environment(
    command: Command, names: dict[str, str], *, home: str, scratch: str
) -> dict[str, str]:
    search = os.pathsep.join([*map(str, command.search_path), SYSTEM_PATH])
    own = {name: replace_names(value, names) for name, value in command.env.items()}
    return (
        ({} if command.network else OFFLINE)
        | {
            "PATH": search,
            "HOME": home,
            "TMPDIR": scratch,
            "USER": "user",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
        }
        | own
    )


def replace_names(text: str, names: dict[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def _exit(return_code: int, *, through_bwrap: bool) -> tuple[int | None, int | None]:
    """Exit code and signal; bwrap reports a signal of its child as 128 + number."""
    if return_code < 0:
        return None, -return_code
    number = return_code - 128
    if through_bwrap and 0 < number <= max(signal.valid_signals()):
        return None, number
    return return_code, None


def _end_plain_tree(group: cgroup.Group | None, marker: str) -> None:
    if group is not None:
        group.kill()
    plain.kill_marked(marker)


def _nothing() -> None:
    pass
