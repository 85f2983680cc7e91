"""Runs inside the sandbox: compiles a Java project, runs its test classes, or hands it to Maven.

Started as `python -E -s -S java_boot.py MESSAGE_FD`. The order comes from the message descriptor
and names the task, which is a module beside this one; results go out as numbered JSON lines on the
channel descriptor that carry the run's nonce. Judged code never runs in this process.
"""

import contextlib
import ctypes
import importlib
import os
import signal
import sys
from typing import Any

from ..channel import Channel, given_order
from .hiding import hide_proc

SET_DUMPABLE = 4
SET_CHILD_SUBREAPER = 36


class Session(Channel):
    """The channel, and the processes that a task starts."""

    def start(
        self, argv: list[str], env: dict[str, str], stdin: int | None = None, output: str = ""
    ) -> int:
        """A child's process id. It inherits nothing but its standard streams."""
        actions: list[Any] = []
        if stdin is None:
            actions.append((os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0))
        else:
            actions.append((os.POSIX_SPAWN_DUP2, stdin, 0))
        if output:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            actions.append((os.POSIX_SPAWN_OPEN, 1, output, flags, 0o600))
            actions.append((os.POSIX_SPAWN_DUP2, 1, 2))
        return os.posix_spawn(argv[0], argv, {**os.environ, **env}, file_actions=actions)

    def run(self, argv: list[str], env: dict[str, str], output: str = "") -> int:
        """The exit code; what a signal ended counts as 128 and its number, as in a shell."""
        return self.wait(self.start(argv, env, output=output))

    def wait(self, pid: int) -> int:
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return code if code >= 0 else 128 - code

    def hide_proc(self) -> None:
        """From here on neither we nor any child can look into processes, our own included."""
        if sys.platform == "linux":
            hide_proc()

    def end_children(self) -> None:
        """Kill whatever judged code left running: orphans become ours, and are found as ours."""
        for _ in range(1000):
            children = _children()
            if not children:
                return
            for pid in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as stream:
            return [int(word) for word in stream.read().split()]
    except OSError:
        return []


def main() -> None:
    order = given_order()
    if sys.platform == "linux":
        control = ctypes.CDLL(None).prctl
        # Neither our memory nor our descriptors are for children to look into.
        control(SET_DUMPABLE, 0, 0, 0, 0)
        control(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    session = Session(int(order["channel_fd"]), order["nonce"])
    task = importlib.import_module(f".{order['task']}", __package__)
    session.send("begin")
    sys.exit(task.run(order, session))
