"""Runs inside the sandbox: several runs of `boot`, each in a workspace of its own.

What all runs import anyway (the framework, the SDK) is imported once, here; then each run is a
forked child with a mount namespace of its own: fresh file systems, its own tests, nothing of
another run's. Judged code runs in the children only. This process cannot be read or traced by
them, and it alone holds the channel. One run at a time, and every process of it is dead before the
next one starts.
"""

import contextlib
import ctypes
import importlib
import os
import selectors
import shutil
import signal
import sys
import time
import warnings
from typing import Literal, TypedDict

from ..channel import Channel, given_order
from ..processes import (
    CHUNK,
    HeadAndTail,
    allow_looking_in,
    end_everything,
    exit_code,
    has_ended,
    protect,
)
from ..protocol import Begin, End
from . import boot

KEPT_OUTPUT = 1 << 19  # of the head and of the tail of each stream
NOT_STARTED = 125  # the exit code of a child whose workspace could not be made: our fault

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER = 0x00020000, 0x08000000, 0x10000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 32, 4096, 16384
MS_PRIVATE = 1 << 18
CAPABILITY_VERSION = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)
locked = ctypes.PyDLL(None, use_errno=True)  # calls that keep the interpreter's lock
python = ctypes.pythonapi


class PlacementOrder(TypedDict):
    source: str
    target: str
    read_only: bool


class RunOrder(TypedDict):
    """What is one run's own: its files, and whether it compiles the solution."""

    placements: list[PlacementOrder]
    compile: bool


class ForkedOrder(boot.PythonOrder):
    """Several runs, what they all import, and the limits of each."""

    runs: list[RunOrder]
    preload: list[str]
    stage: str
    scratch: list[str]
    disk_bytes: int
    wall_seconds: float
    output_stop_bytes: int
    channel_bytes: int


class RunRecord(TypedDict):
    """How one run ended, and its own records."""

    kind: Literal["run"]
    run_nonce: str
    exit_code: int | None
    signal: int | None
    stopped_by: str | None
    seconds: float
    records: str
    overflow: bool
    truncated: bool
    stdout: str
    stderr: str


def check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    words = [source.encode(), target.encode(), kind.encode() if kind else None]
    check(libc.mount(*words, ctypes.c_ulong(flags), data.encode()), f"mount {target}")


def enter_workspace(run: RunOrder, order: ForkedOrder, ids: tuple[int, int]) -> None:
    """In our mount namespace: fresh scratch file systems, and only this run's files in them."""
    uid, gid = ids
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"),
                       ("gid_map", f"{gid} {gid} 1")):  # fmt: skip
        with open(f"/proc/self/{name}", "w") as stream:
            stream.write(text)
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    for folder in order["scratch"]:
        mount(
            "tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, f"size={order['disk_bytes']},mode=755"
        )
    for placement in run["placements"]:
        place(placement["source"], placement["target"], read_only=placement["read_only"])
    # The other runs' tests are below it.
    mount("tmpfs", order["stage"], "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, "size=4k")
    drop_capabilities()
    os.chdir(order["workspace"])


def place(source: str, target: str, *, read_only: bool) -> None:
    if not read_only:
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
        for current, _, _ in os.walk(target):
            os.chmod(current, os.stat(current).st_mode | 0o700)
        return
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "x"):
            pass
    mount(source, target, None, MS_BIND | MS_REC)
    mount("none", target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)


def drop_capabilities() -> None:
    """Those that came with the user namespace: nothing of the above can be undone."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    check(libc.capset(header, nothing), "capset")


class Run:
    """One run: a child, what it writes, and how it ends."""

    def __init__(self, order: ForkedOrder, own: RunOrder, ids: tuple[int, int]) -> None:
        self._order = order
        self._own = own
        self._ids = ids
        self._nonce = os.urandom(16).hex()
        self._streams = {name: HeadAndTail(KEPT_OUTPUT) for name in ("stdout", "stderr")}
        self._records = bytearray()
        self._overflow = False

    def report(self) -> RunRecord:
        began = time.monotonic()
        pipes = {name: os.pipe() for name in ("records", "stdout", "stderr")}
        pid = fork_apart()
        if pid == 0:
            self._child(pipes)
        for _, writing in pipes.values():
            os.close(writing)
        stopped = self._watch(pid, {name: reading for name, (reading, _) in pipes.items()})
        end_everything()
        code = exit_code(pid)
        return RunRecord(
            kind="run",
            run_nonce=self._nonce,
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            stopped_by=stopped,
            seconds=time.monotonic() - began,
            records=self._records.decode("latin-1"),
            overflow=self._overflow,
            truncated=any(stream.truncated for stream in self._streams.values()),
            stdout=self._streams["stdout"].text(),
            stderr=self._streams["stderr"].text(),
        )

    def _child(self, pipes: dict[str, tuple[int, int]]) -> None:
        ready = False
        try:
            os.setsid()
            os.close(int(self._order["channel_fd"]))  # the parent's alone
            for reading, _ in pipes.values():
                os.close(reading)
            for number, name in ((1, "stdout"), (2, "stderr")):
                os.dup2(pipes[name][1], number)
                os.close(pipes[name][1])
            allow_looking_in()
            enter_workspace(self._own, self._order, self._ids)
            ready = True
        finally:
            if not ready:  # whatever it was: this child must not go on as its parent
                error = sys.exc_info()[1]
                os.write(2, f"{type(error).__name__}: {error}\n".encode())
                os._exit(NOT_STARTED)
        own = self._order.copy()
        own["nonce"], own["compile"] = self._nonce, self._own["compile"]
        boot.run(own, Channel(own, pipes["records"][1]))

    def _watch(self, pid: int, readers: dict[str, int]) -> str | None:
        """Read until the child ends or meets a limit; then take what is left."""
        deadline = time.monotonic() + self._order["wall_seconds"]
        with selectors.DefaultSelector() as selector:
            for name, fd in readers.items():
                os.set_blocking(fd, False)
                selector.register(fd, selectors.EVENT_READ, name)
            stopped = None
            while not has_ended(pid) and stopped is None:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    stopped = "wall time"
                elif sum(h.size for h in self._streams.values()) > self._order["output_stop_bytes"]:
                    stopped = "output"
                else:
                    self._read(selector, min(0.05, remaining))
            if stopped:
                os.kill(pid, signal.SIGKILL)
            while self._read(selector, 0):
                pass
        for fd in readers.values():
            os.close(fd)
        return stopped

    def _read(self, selector: selectors.BaseSelector, timeout: float) -> bool:
        got = False
        for key, _ in selector.select(timeout):
            with contextlib.suppress(BlockingIOError):
                chunk = os.read(key.fd, CHUNK)
                if not chunk:
                    selector.unregister(key.fd)
                    continue
                got = True
                self._take(key.data, chunk)
        return got

    def _take(self, name: str, chunk: bytes) -> None:
        if name != "records":
            self._streams[name].feed(chunk)
        elif len(self._records) + len(chunk) > self._order["channel_bytes"]:
            self._overflow = True
        else:
            self._records += chunk


def fork_apart() -> int:
    """A child in namespaces of its own.

    As os.fork, but for one call in between: a library may start threads again in a forked child,
    and only a process without threads may enter a user namespace. Nothing gives up the
    interpreter's lock between these calls, as nothing does in os.fork.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # libraries with threads warn of forks
        python.PyOS_BeforeFork()
        pid: int = locked.fork()
        if pid == 0:
            apart = locked.unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC)
            python.PyOS_AfterFork_Child()
            sys.setswitchinterval(interval)
            check(apart, "unshare")
            return 0
        python.PyOS_AfterFork_Parent()
    sys.setswitchinterval(interval)
    check(0 if pid > 0 else -1, "fork")
    return pid


def preload(modules: list[str]) -> None:
    """What the runs import anyway; a module that cannot be imported fails there, not here."""
    with warnings.catch_warnings(), open(os.devnull, "w") as nowhere:
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            for name in modules:
                with contextlib.suppress(Exception, SystemExit):
                    importlib.import_module(name)


def main() -> None:
    # Before anything else runs here: children of the same user could otherwise read this process.
    protect()
    order: ForkedOrder = given_order()
    ids = os.getuid(), os.getgid()  # a new user namespace has forgotten them
    channel = Channel(order)
    order["nonce"] = ""  # the children's memory begins as a copy of ours
    boot.forget_our_modules()
    preload(order["preload"])
    channel.send(Begin(kind="begin"))
    for own in order["runs"]:
        channel.send(Run(order, own, ids).report())
    channel.send(End(kind="end", status=0))
    os._exit(0)
