"""Runs inside a sandbox and stays there: forks a process for each run that it is asked for.

It has loaded what the runs import anyway (the framework, the SDK), and holds nothing else. Every
run is a forked process in namespaces of its own, with its own files, limits and descriptors, and
judged code runs there only. The harness gives the descriptors and attends to the run itself, as it
does to a process that it started.
"""

import contextlib
import gc
import importlib
import json
import os
import resource
import site
import socket
import sys
import threading
import types
from typing import Any, Literal, NotRequired, TypedDict

from ..channel import Channel, given_order
from ..processes import allow_looking_in, high, protect
from ..sandbox import namespaces
from ..sandbox.first_process import lower
from . import boot, solution
from .apart.solution_side import SolutionOrder
from .stowed_modules import Stow

REQUEST_BYTES = 1 << 16
ALWAYS_LOADED = ("faulthandler", "pdb", "readline")  # by pytest, when it starts


class ZygoteOrder(TypedDict):
    control_fd: str


class Load(TypedDict):
    """Asks for modules to be loaded."""

    kind: Literal["load"]
    modules: list[str]


class PythonRun(TypedDict):
    environment: str  # this zygote's
    own_environment: str  # the solution's: the same packages, and maybe more
    order: boot.PythonOrder | SolutionOrder
    is_solution: bool  # apart from its tests


class ForkOrder(TypedDict):
    """One run: what it sees, what it may use, and what it does."""

    files: namespaces.FileSystemOrder
    rlimits: dict[str, int]
    program: PythonRun


class Descriptors(TypedDict):
    """What a run is given, in the order in which it is sent."""

    message: int
    stdout: int
    stderr: int
    channel: int
    started: int
    status: int
    go: int
    peer: NotRequired[int]  # of a pair: the socket to the other side


TESTS_SIDE = f"{__package__}.apart.tests_side"  # has pytest; loaded for all, imported by few
OURS: dict[str, types.ModuleType] = {}  # what was forgotten
NAMES = tuple(Descriptors.__annotations__)  # in the order in which they are sent


def main() -> None:
    # Before anything else runs here: children of the same user could otherwise read this process.
    protect()
    order: ZygoteOrder = given_order()
    control = socket.socket(fileno=high(int(order["control_fd"])))
    control.set_inheritable(False)
    load_framework()
    be_silent()
    stow = Stow()
    sys.meta_path.insert(0, stow)
    stow.load([TESTS_SIDE])
    OURS.update({name: module for name, module in sys.modules.items() if is_ours(name)})
    boot.forget_our_modules()
    answer(control, {"ready": True})
    while True:
        request, fds, _, _ = socket.recv_fds(
            control, REQUEST_BYTES, len(Descriptors.__annotations__)
        )
        if not request:
            os._exit(0)
        if fds:
            fork_run(control, dict(zip(NAMES, fds, strict=False)))
        else:
            load(control, stow, json.loads(request))


def load_framework() -> None:
    """Pytest, of the project's environment, with all that it loads for any run."""
    from _pytest.config import default_plugins  # noqa: PLC0415

    for name in ("pytest", *(f"_pytest.{plugin}" for plugin in default_plugins), *ALWAYS_LOADED):
        importlib.import_module(name)
    freeze()


def be_silent() -> None:
    """Nobody reads what we print: a library that warns of each fork would fill the pipe, and a
    full pipe would stop us.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def freeze() -> None:
    """A collection in a child would look at everything here, and so copy every page of it."""
    gc.collect()
    gc.freeze()


def answer(control: socket.socket, text: dict[str, Any]) -> None:
    control.send(json.dumps(text).encode())


def load(control: socket.socket, stow: Stow, request: Load) -> None:
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        failed = stow.load(request["modules"])
    freeze()
    answer(control, {"failed": failed, "threads": threading.active_count()})


def fork_run(control: socket.socket, fds: Any) -> None:
    """Fork three times: into new namespaces, as their first process, and as the run itself."""
    error = None
    try:
        pid = namespaces.fork_apart()
    except OSError as problem:
        error = f"{type(problem).__name__}: {problem}"
    else:
        if pid == 0:
            become_first_process(control, fds)
        os.waitpid(pid, 0)
    for fd in fds.values():
        os.close(fd)
    if error:
        answer(control, {"error": error})


def become_first_process(control: socket.socket, fds: Descriptors) -> None:
    try:
        if os.fork() == 0:
            attend(control, fds)
    except OSError as problem:
        with contextlib.suppress(OSError):
            answer(control, {"error": f"{type(problem).__name__}: {problem}"})
    finally:
        os._exit(0)  # whatever happened: this process must not go on as the zygote


def attend(control: socket.socket, fds: Descriptors) -> None:
    """The first process of the namespaces: it holds no judged code, and all ends with it."""
    handle = os.pidfd_open(os.getpid())
    socket.send_fds(control, [b'{"forked": true}'], [handle])
    os.close(handle)
    control.close()
    try:
        if os.read(fds["go"], 1) != b"g":  # the harness puts us under limits first
            os._exit(0)
        os.close(fds["go"])
        with open(fds["message"], "rb") as message:
            run: ForkOrder = json.load(message)
        sign = namespaces.enter(run["files"])
        pid = os.fork()
        if pid == 0:
            os.close(fds["status"])
            become_run(run, fds, sign)
        for name in {"stdout", "stderr", "channel", "started", "peer"} & fds.keys():
            os.close(fds[name])  # type: ignore[literal-required] # a descriptor's name
        os.write(fds["status"], str(wait_for(pid)).encode())
    except (OSError, ValueError) as problem:
        with contextlib.suppress(OSError):
            os.write(fds["stderr"], f"{type(problem).__name__}: {problem}\n".encode())
    finally:
        os._exit(0)


def wait_for(pid: int) -> int:
    """Its exit code, or minus its signal; orphans are reaped on the way."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == pid:
            return os.waitstatus_to_exitcode(status)


def become_run(run: ForkOrder, fds: Descriptors, sign: bytes) -> None:
    started = False
    try:
        os.setsid()
        for number, fd in ((1, fds["stdout"]), (2, fds["stderr"])):
            os.dup2(fd, number)
            os.close(fd)
        program = run["program"]
        move_environment(program["environment"], program["own_environment"])
        order: Any = program["order"]
        os.chdir(order["workspace"])
        for name, value in run["rlimits"].items():
            lower(getattr(resource, name), value)
        allow_looking_in()
        os.write(fds["started"], sign)
        os.close(fds["started"])
        started = True
    finally:
        if not started:  # whatever it was: this process must not go on as its parent
            error = sys.exc_info()[1]
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(125)
    if program["is_solution"]:
        os.close(fds["channel"])
        solution.run(order, fds["peer"])
    channel = Channel(order, fds["channel"])
    boot.run(order, channel, apart_from(order["apart"], fds["peer"]) if order["apart"] else None)


def apart_from(order: Any, peer: int) -> Any:
    """The link to a solution in another process."""
    sys.modules.update(OURS)
    tests_side = importlib.import_module(TESTS_SIDE)
    boot.forget_our_modules()
    return tests_side.Apart(order, peer)


def is_ours(name: str) -> bool:
    return name.partition(".")[0] == __name__.partition(".")[0]


def move_environment(shared: str, own: str) -> None:
    """The same interpreter with the packages of another environment, which has all of ours."""
    if shared == own:
        return
    for name in ("executable", "prefix", "exec_prefix"):
        setattr(sys, name, getattr(sys, name).replace(shared, own))
    os.environ["PATH"] = os.environ["PATH"].replace(shared, own)
    places = [path for path in sys.path if path.startswith(shared)]
    at = sys.path.index(places[0]) if places else len(sys.path)
    rest = [path for path in sys.path if path not in places]
    sys.path[:] = []
    for path in places:
        site.addsitedir(path.replace(shared, own))
    sys.path[:] = [*rest[:at], *sys.path, *rest[at:]]
    sys.path_importer_cache.clear()
