"""What the tasks of boot.py share: the channel, and the processes that they start."""

import os

from ..channel import Channel
from ..processes import exit_code, spawn


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
        return as_shell(exit_code(self.start(argv, env, output=output)))


def as_shell(code: int) -> int:
    """The exit code; what a signal ended counts as 128 and its number, as in a shell."""
    return code if code >= 0 else 128 - code
