"""Sandbox: runs a Command at the strongest level this machine gives, and says which."""

import contextlib
import ctypes
import functools
import os
import shutil
import signal
import sys
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
    SHARED,
    WORKSPACE,
    Command,
    Completed,
    Limits,
    StoppedBy,
    signal_name,
)
from sdkbench.sandbox.offline import OFFLINE
from sdkbench.sandbox.process import Cancellation
from sdkbench.sandbox.system_calls import filter_program
from sdkbench.sandbox.tree_watch import TreeWatch, can_watch

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Joins the control groups before anything else runs, then becomes the sandbox.
JOIN = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"'
# landlock_create_ruleset, the same number everywhere, and the flag that asks for its version.
CREATE_RULESET, ASK_VERSION = 444, 1
# Limits of a whole tree, and what may hold them.
MEMORY, PROCESSES = "memory", "process count"
CONTROL_GROUP, WATCHER = "control group", "watcher"
# What inside/sandbox/first_process.py adds to its start sign → what was not applied.
NOT_CONFINED = {2: plain.OWN_KEYRING, 4: plain.CALL_FILTER}


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
    shared: str
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
    variables: tuple[tuple[str, str], ...] = ()  # of every environment, whatever else it says

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
            # What dies inside is told by an exit code of bubblewrap's.
            if self.level is Level.BUBBLEWRAP and ended.return_code < 0:
                refuse_killed(ended, prepared.group)
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

    def unapplied(self, group: cgroup.Group | None, start_sign: bytes) -> tuple[str, ...]:
        """The limits that nothing holds at this level on this machine."""
        if self.level is Level.PLAIN:
            missing = list(plain.UNAPPLIED)
        else:
            missing = [what for bit, what in NOT_CONFINED.items() if sum(start_sign) & bit]
        if landlock_abi() == 0:
            missing.append("Landlock: a process can read its own memory as a file")
        held = self.held_by(group)
        if MEMORY not in held:
            missing.append("memory of the whole tree (each process is limited)")
        if PROCESSES not in held:
            missing.append("process count")
        return tuple(missing)

    def held_by(self, group: cgroup.Group | None) -> dict[str, str]:
        """What holds the limits of the whole tree at this level on this machine."""
        controllers = group.controllers if group else frozenset()
        held = {}
        if "memory" in controllers:
            held[MEMORY] = CONTROL_GROUP
        elif can_watch():
            held[MEMORY] = WATCHER
        if "pids" in controllers:
            held[PROCESSES] = CONTROL_GROUP
        elif self._limits_processes_by_user():
            held[PROCESSES] = "user namespace"
        elif can_watch():
            held[PROCESSES] = WATCHER
        return held

    def watch(self, limits: Limits, group: cgroup.Group | None, mark: str = "") -> TreeWatch | None:
        """For the limits that nothing else holds; None where there are none."""
        held = self.held_by(group)
        memory, processes = held.get(MEMORY) == WATCHER, held.get(PROCESSES) == WATCHER
        if not memory and not processes:
            return None
        return TreeWatch(limits, memory=memory, processes=processes, mark=mark)

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
            SHARED: places.shared,
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
        env |= dict(self.variables)
        order = {
            "copies": places.copies,
            "links": places.links,
            "cwd": os.path.normpath(f"{places.workspace}/{command.cwd}"),
            "rlimits": self.rlimits(command.limits, group),
            "refused": self._refused(command).hex(),
            "without_links": places.shared if command.links_refused else "",
            "started_fd": pipes.started_w,
            "argv": [replace_names(word, names) for word in command.argv],
        }
        inside = [
            bubblewrap.interpreter(),
            "-I",
            "-S",
            str(bubblewrap.FIRST_PROCESS),
            ascii(order),  # read without a parser that would have to be loaded
        ]
        if self.level is Level.BUBBLEWRAP:
            words = bubblewrap.argv(command, env, user_namespace=self.user_namespace) + inside
            end_tree = group.kill if group else _nothing  # its process namespace dies with bwrap
            env, mark = {"PATH": os.environ.get("PATH", SYSTEM_PATH)}, ""
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
            watch=self.watch(command.limits, group, mark),
        )

    def _refused(self, command: Command) -> bytes:
        if self.level is Level.PLAIN:
            return b""
        return filter_program(namespaces=command.namespaces or command.fork_stage is not None)

    def _places(self, stack: contextlib.ExitStack, command: Command) -> "_Places":
        if self.level is Level.BUBBLEWRAP:
            return _Places(
                scratch="/tmp",  # noqa: S108 - a private one
                home=bubblewrap.HOME,
                workspace=bubblewrap.WORKSPACE_ROOT,
                shared=bubblewrap.SHARED_ROOT,
                copies=bubblewrap.copies(command),
                links=[],
            )
        folder = Path(stack.enter_context(_private_folder()))
        scratch, home, workspace = (folder / name for name in ("tmp", "home", "w"))
        for each in (scratch, home, workspace):
            each.mkdir()
        return _Places(
            scratch=str(scratch),
            home=str(home),
            workspace=str(workspace),
            shared=str(command.shared),
            copies=plain.copies(command, workspace),
            links=plain.links(command, workspace),
        )

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
            unapplied=self.unapplied(group, ended.start_sign),
            held_by=self.held_by(group),
            notes=tuple(notes),
        )


class KilledFromOutside(SandboxFault):
    """A sandbox was ended by somebody else, or by the kernel."""


def refuse_killed(ended: process.Ended, group: cgroup.Group | None) -> None:
    """KilledFromOutside for a sandbox that was ended neither by us nor at its own memory limit:
    nothing inside can do that.
    """
    if ended.stopped_by is None and not (group is not None and group.memory_kills()):
        name = signal_name(-ended.return_code)
        raise KilledFromOutside(
            f"The sandbox was killed from outside ({name}): by somebody, or by the kernel for want "
            "of memory. Judge again, with fewer --workers if need be."
        )


def choose(wanted: str = "auto", cancellation: Cancellation | None = None) -> Sandbox:
    """The sandbox for `wanted`: a level, or "auto" for bubblewrap where it works, else plain."""
    if wanted not in {"auto", *Level}:
        raise InputError(
            f"Unknown sandbox {wanted[:80]!r}. Choose one of: auto, {', '.join(Level)}."
        )
    cancellation = cancellation or Cancellation()
    if wanted == Level.PLAIN:
        return Sandbox(Level.PLAIN, cancellation)
    probed = probe()
    if probed.works:
        return Sandbox(Level.BUBBLEWRAP, cancellation, probed.user_namespace)
    if wanted == Level.BUBBLEWRAP:
        raise MissingTool(
            f"bubblewrap does not work here: {probed.reason}. "
            "Install it (Debian: apt-get install bubblewrap), or pass --sandbox plain for code "
            "that you trust."
        )
    return Sandbox(Level.PLAIN, cancellation)


@functools.cache
def landlock_abi() -> int:
    """0 where the kernel has no Landlock."""
    if sys.platform != "linux":
        return 0
    library = ctypes.CDLL(None)
    version: int = library.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION)
    return max(0, version)


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
