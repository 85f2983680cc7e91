"""Runs inside the sandbox: compiles a Java project, runs its test classes, or hands it to Maven.

Started as `python -E -s -S java_boot.py MESSAGE_FD`. The order comes from the message descriptor
and names the task, which is a module beside this one; results go out as numbered JSON lines on the
channel descriptor that carry the run's nonce. Judged code never runs in this process.
"""

import importlib
import os
import sys

from ..channel import Channel, given_order
from ..processes import adopt_orphans, end_children, exit_code, protect, spawn
from ..protocol import Begin
from .hiding import hide_proc


class Session(Channel):
    """The channel, and the processes that a task starts."""

    def start(
        self, argv: list[str], env: dict[str, str], stdin: int | None = None, output: str = ""
    ) -> int:
        """A child's process id. It inherits nothing but its standard streams."""
        descriptors = {} if stdin is None else {0: stdin}
        if output:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
            descriptors |= dict.fromkeys((1, 2), file := os.open(output, flags, 0o600))
        pid = spawn(argv, {**os.environ, **env}, descriptors)
        if output:
            os.close(file)
        return pid

    def run(self, argv: list[str], env: dict[str, str], output: str = "") -> int:
        """The exit code; what a signal ended counts as 128 and its number, as in a shell."""
        return self.wait(self.start(argv, env, output=output))

    def wait(self, pid: int) -> int:
        code = exit_code(pid)
        return code if code >= 0 else 128 - code

    def hide_proc(self) -> None:
        """From here on neither we nor any child can look into processes, our own included."""
        if sys.platform == "linux":
            hide_proc()

    def end_children(self) -> None:
        end_children()


def main() -> None:
    protect()
    adopt_orphans()
    order = given_order()
    session = Session(order)
    task = importlib.import_module(f".{order['task']}", __package__)
    session.send(Begin(kind="begin"))
    sys.exit(task.run(order, session))
