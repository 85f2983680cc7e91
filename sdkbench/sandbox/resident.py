"""Resident: a program of ours in a sandbox that stays up, and a socket to talk to it."""

import contextlib
import os
import signal
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor

from sdkbench.errors import SandboxFault
from sdkbench.sandbox import process
from sdkbench.sandbox.command import Command
from sdkbench.sandbox.levels import Prepared, Sandbox
from sdkbench.sandbox.process import KILL_WAIT_SECONDS

CONTROL = "{control}"  # in its argv or message: the descriptor of its end of the socket


class Resident:
    """Started at once; `stop` must be called. It ends with this process in any case.

    Raises SandboxFault where the sandbox can't be started.
    """

    def __init__(self, sandbox: Sandbox, command: Command, kind: socket.SocketKind) -> None:
        with contextlib.ExitStack() as stack:
            self.socket, theirs = socket.socketpair(socket.AF_UNIX, kind)
            stack.callback(self.socket.close)
            # The kernel ends the program with the thread that started it: that thread must stay.
            starter = ThreadPoolExecutor(1, thread_name_prefix="resident")
            stack.callback(starter.shutdown)
            with theirs:
                prepared = stack.enter_context(sandbox.prepared(_lent(command, theirs.fileno())))
                self._process = starter.submit(process.start, prepared.launch).result()
            stack.callback(self._end, prepared)
            self._stack = stack.pop_all()

    @property
    def pid(self) -> int:
        """Of the process that leads its session."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """End it without waiting: nothing that it would still say is wanted."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Kill the whole tree and reap it; twice does no harm."""
        self._stack.close()

    def _end(self, prepared: Prepared) -> None:
        self.kill()
        prepared.launch.end_tree()
        try:
            self._process.wait(KILL_WAIT_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise SandboxFault(f"Process {self.pid} did not end after SIGKILL.") from error
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()


def _lent(command: Command, fd: int) -> Command:
    number = str(fd)
    message = command.message
    return command.model_copy(
        update={
            "argv": tuple(word.replace(CONTROL, number) for word in command.argv),
            "message": message and message.replace(CONTROL.encode(), number.encode()),
            "lent": (fd,),
        }
    )
