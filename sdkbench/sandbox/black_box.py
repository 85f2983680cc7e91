"""Broker: runs the solution in a sandbox of its own each time the tests' sandbox asks for it.

It makes the sockets that join both sides and hands one end to each: what they say to each other
never passes through the harness. All it reads is one byte a request from the tests' side, and one
from the solution's side before any of the solution's code runs.
"""

import concurrent.futures
import contextlib
import json
import os
import selectors
import shlex
import socket
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.core.project import Placement
from sdkbench.errors import Cancelled, SampleError, SandboxFault
from sdkbench.sandbox.bubblewrap import interpreter
from sdkbench.sandbox.command import WORKSPACE, Command, Limits, Mount
from sdkbench.sandbox.levels import Sandbox
from sdkbench.sandbox.process import Cancellation

INSIDE = Path(__file__).parent.parent / "inside"
# What the launcher sends for a connection between both sandboxes: one into the solution's, and one
# that the solution's side may use when the program wants to reach the tests' server.
CONNECT, LEND = b"c", b"l"
NAME = "solution"  # the command's name beside the tests
USER = 1001  # nobody else's, where user namespaces can be had
FOLDER = f"{WORKSPACE}/work"  # the program's working folder; its files come from the caller's
MAX_CALLS = 2000  # of one session; more is a loop in the sample's tests
MAX_AT_ONCE = 16  # the next ones wait
TICK_SECONDS = 0.1
GRANTED = b"y"
HAND_OVER_SECONDS = 1.0  # how long a connection waits for a relay that does not take it


class Program(NamedTuple):
    """How to run the solution: words, and what stands around it."""

    command: tuple[str, ...]
    port: int | None = None  # where the program listens
    tests_port: int | None = None  # where the tests do
    placements: tuple[Placement, ...] = ()
    mounts: tuple[Mount, ...] = ()
    env: Mapping[str, str] = {}
    search_path: tuple[Path, ...] = ()
    bins: tuple[str, ...] = ()  # folders below the workspace that go before the search path
    scratch: tuple[str, ...] = ()


class Link(NamedTuple):
    """What the caller's sandbox must see so that the command `solution` works there."""

    mounts: tuple[Mount, ...] = ()
    search_path: tuple[Path, ...] = ()


class Counterpart(NamedTuple):
    """A program ready to be called from another sandbox."""

    sandbox: Sandbox
    program: Program
    limits: Limits  # of each call

    @contextlib.contextmanager
    def serving(self) -> Iterator[Link]:
        """Calls are answered inside the block; no process of the program's is left after it.

        Raises SandboxFault at its end if a call failed for a reason that is ours, SampleError if
        the caller asked for more than is reasonable.
        """
        with tempfile.TemporaryDirectory(prefix="sdkbench-box-") as folder:
            address = Path(folder) / "broker"
            launcher = _write_launcher(Path(folder) / "bin", address, self.program)
            broker = _Broker(self, address)
            try:
                yield Link((Mount(path=Path(folder)), Mount(path=INSIDE)), (launcher.parent,))
            finally:
                broker.stop()
        broker.raise_faults()


class _Call(NamedTuple):
    """One run of the program, as the broker keeps hold of it."""

    control: socket.socket  # to the relay beside the solution
    cancellation: Cancellation


class _Broker:
    def __init__(self, counterpart: Counterpart, address: Path) -> None:
        self._counterpart = counterpart
        self._calls: list[concurrent.futures.Future[None]] = []
        self._refusal: SampleError | None = None
        self._selector = selectors.DefaultSelector()
        self._stopping = Cancellation()
        self._listener = _listen(address)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._pool = concurrent.futures.ThreadPoolExecutor(MAX_AT_ONCE + 1)
        self._loop = self._pool.submit(self._serve)

    def stop(self) -> None:
        """The caller is dead: end every call and wait until nothing is left of it."""
        self._stopping.cancel()
        self._pool.shutdown(wait=True)

    def raise_faults(self) -> None:
        for done in (self._loop, *self._calls):
            done.result()
        if self._refusal is not None:
            raise self._refusal

    def _serve(self) -> None:
        try:
            while not self._stopping.requested:
                for key, _ in self._selector.select(TICK_SECONDS):
                    if key.data is None:
                        self._answer()
                    else:
                        self._attend(key.fileobj, key.data)  # type: ignore[arg-type]
        finally:
            for key in list(self._selector.get_map().values()):
                if key.data is not None:
                    self._hang_up(key.fileobj, key.data)  # type: ignore[arg-type]
            self._selector.close()
            self._listener.close()

    def _answer(self) -> None:
        caller, _ = self._listener.accept()
        if len(self._calls) >= MAX_CALLS:
            self._refusal = SampleError(f"The tests called the solution over {MAX_CALLS:,} times.")
            with caller, contextlib.suppress(OSError):
                caller.sendall(b"called too often")
            return
        theirs, ours = socket.socketpair()
        control, relay_control = socket.socketpair()
        control.settimeout(HAND_OVER_SECONDS)
        call = _Call(control, Cancellation())
        self._calls.append(self._pool.submit(self._run, call, theirs, relay_control))
        self._selector.register(caller, selectors.EVENT_READ, call)
        with ours, contextlib.suppress(OSError):  # a caller that is gone shows at the next read
            socket.send_fds(caller, [GRANTED], [ours.fileno()])

    def _attend(self, caller: socket.socket, call: _Call) -> None:
        try:
            request = caller.recv(1)
        except OSError:
            request = b""
        if request in {CONNECT, LEND}:
            self._connect(caller, call, request)
        else:
            self._hang_up(caller, call)

    def _connect(self, caller: socket.socket, call: _Call, request: bytes) -> None:
        one, other = socket.socketpair()
        with one, other, contextlib.suppress(OSError):
            try:
                socket.send_fds(call.control, [request], [other.fileno()])
            except OSError:  # ended, or it does not take what it is given
                caller.sendall(b"no connection")
            else:
                socket.send_fds(caller, [GRANTED], [one.fileno()])

    def _hang_up(self, caller: socket.socket, call: _Call) -> None:
        call.cancellation.cancel()
        self._selector.unregister(caller)
        caller.close()

    def _run(self, call: _Call, stream: socket.socket, control: socket.socket) -> None:
        """In a thread of its own, which lives as long as the sandbox does."""
        sandbox, program, limits = self._counterpart
        sandbox = sandbox._replace(cancellation=call.cancellation)
        with call.control, stream, control:
            try:
                done = sandbox.run(_command(program, limits, stream.fileno(), control.fileno()))
            except Cancelled:
                return
            if not _is_ready(call.control):
                raise SandboxFault(
                    f"The solution's sandbox ended before its program started: {done.ending()}. "
                    f"{done.output}"
                )


def _is_ready(control: socket.socket) -> bool:
    control.settimeout(0)
    try:
        return bool(control.recv(1))
    except BlockingIOError:
        return False


def _command(program: Program, limits: Limits, stream: int, control: int) -> Command:
    order = {
        "command": program.command,
        "folder": FOLDER,
        "bins": [f"{WORKSPACE}/{name}" for name in program.bins],
        "port": program.port,
        "tests_port": program.tests_port,
        "stream": stream,
        "control": control,
    }
    port = {} if program.port is None else {"PORT": str(program.port)}
    return Command(
        argv=(*_endpoint("relay"), json.dumps(order)),
        env={**program.env, **port},
        placements=program.placements,
        mounts=(*program.mounts, Mount(path=INSIDE)),
        search_path=program.search_path,
        scratch=program.scratch,
        limits=limits,
        lent=(stream, control),
        user=USER,
    )


def _endpoint(name: str) -> tuple[str, ...]:
    """The command line of one of the two endpoints."""
    return (interpreter(), "-I", "-S", "-B", str(INSIDE), f"black_box.{name}")


def _write_launcher(folder: Path, address: Path, program: Program) -> Path:
    """A shell script: a path in a `#!` line may be too long or hold a blank."""
    ports = ("" if port is None else str(port) for port in (program.port, program.tests_port))
    words = [*_endpoint("launcher"), str(address), *ports]
    folder.mkdir()
    path = folder / NAME
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    path.chmod(0o755)
    return path


def _listen(address: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind(os.fspath(address))
    except OSError as error:
        listener.close()
        raise SandboxFault(
            f"Cannot listen at {address}: {error}. Set TMPDIR to a folder with a short name."
        ) from error
    listener.listen(MAX_AT_ONCE)
    return listener
