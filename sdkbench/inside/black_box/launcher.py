"""The command `solution` beside the tests: looks like the program, which runs elsewhere.

Its arguments, its input and, if it is called in a folder of its own below the temporary one, that
folder's files go to the solution's sandbox; output, exit code and the files come back. With a port
it listens there as soon as the solution does, and passes every connection on; with a port of the
tests' own server it lends the solution connections to that. When this process
ends, however it ends, the solution ends too.
"""

import contextlib
import json
import os
import socket
import sys
import threading

from . import frames
from .archive import FolderFiles, TransferError, Unpacking, lay, pack, send
from .frames import CHUNK, BrokenStream, Frame, Stream, splice

MAX_OUTPUT = 16 << 20  # of stdout and stderr together
LOST = 125  # the exit code where the solution's own could not be had
# What asks the broker for a connection between both sandboxes, see there.
CONNECT, LEND = b"c", b"l"
REPLY_BYTES = 1024


class Session:
    """One run of the solution, seen from the tests' side."""

    def __init__(self, control: socket.socket, port: int | None, tests_port: int | None) -> None:
        self._control = control
        self._asking = threading.Lock()
        self._port = port
        self._tests_port = tests_port
        self._stream = Stream(ask(control))
        self._folder = own_folder()
        self._sent = FolderFiles()
        self._unpacking = Unpacking()
        self._printed = 0
        self._listening = False

    def run(self, arguments: list[str]) -> int:
        """The solution's exit code. Raises BrokenStream or TransferError where it misbehaves."""
        order = {"arguments": arguments, "folder": self._folder is not None}
        self._stream.send(frames.ORDER, json.dumps(order).encode())
        if self._folder is not None:
            self._sent = pack(self._folder)
        send(self._stream, self._sent)
        threading.Thread(target=self._feed, daemon=True).start()
        if self._tests_port is not None:
            threading.Thread(target=self._lend, args=(self._tests_port,), daemon=True).start()
        while frame := self._stream.receive():
            if frame.kind != frames.EXIT:
                self._take(frame)
                continue
            if len(frame.payload) != 1:
                raise BrokenStream("an exit code of more than a byte")
            if self._folder is not None and self._unpacking.complete:
                lay(self._unpacking.archive, self._folder, self._sent)
            return frame.payload[0]
        raise BrokenStream("it ended without telling how")

    def _take(self, frame: Frame) -> None:
        if frame.kind in {frames.OUT, frames.ERR}:
            self._printed += len(frame.payload)
            if self._printed > MAX_OUTPUT:
                raise BrokenStream(f"it printed more than {MAX_OUTPUT >> 20} MiB")
            write_all(1 if frame.kind == frames.OUT else 2, frame.payload)
        elif frame.kind in frames.ARCHIVE and self._folder is not None:
            self._unpacking.take(frame)
        elif frame.kind == frames.LISTENING and self._port is not None and not self._listening:
            self._listening = True
            listener = socket.create_server(("127.0.0.1", self._port), backlog=128)
            threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        else:
            raise BrokenStream(f"a frame of kind {frame.kind!r} out of place")

    def _feed(self) -> None:
        """Pass our input on; a solution that no longer reads has no need of it."""
        with contextlib.suppress(OSError):
            try:
                while chunk := os.read(0, CHUNK):
                    self._stream.send(frames.INPUT, chunk)
            finally:
                self._stream.send(frames.INPUT)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            client, _ = listener.accept()
            try:
                splice(client, self._connection(CONNECT))
            except (OSError, BrokenStream):
                client.close()

    def _lend(self, port: int) -> None:
        """One connection ahead lies ready beside the solution, which says by a byte that it has
        taken it. Where the tests have no server, it is closed.
        """
        with contextlib.suppress(OSError, BrokenStream):
            while True:
                lent = self._connection(LEND)
                if not lent.recv(1):
                    return
                try:
                    splice(lent, socket.create_connection(("127.0.0.1", port)))
                except OSError:
                    lent.close()

    def _connection(self, kind: bytes) -> socket.socket:
        with self._asking:
            self._control.sendall(kind)
            return ask(self._control)


def ask(control: socket.socket) -> socket.socket:
    """The socket that the broker's next message brings; raises BrokenStream if there is none."""
    message, descriptors, _, _ = socket.recv_fds(control, REPLY_BYTES, 1)
    if not descriptors:
        raise BrokenStream(message.decode("utf-8", "replace") or "the broker is gone")
    return socket.socket(fileno=descriptors[0])


def own_folder() -> str | None:
    """The working folder, if its files may be sent: never one that could hold tests."""
    folder = os.path.realpath(os.getcwd())
    temporary = os.path.realpath(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108 - the usual one
    return folder if folder.startswith(f"{temporary}/") else None


def write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def main() -> None:
    address, port, tests_port, *arguments = sys.argv[1:]
    ports = [int(text) if text else None for text in (port, tests_port)]
    status = LOST
    try:
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(address)
            status = Session(control, *ports).run(arguments)
    except (OSError, BrokenStream, TransferError) as error:
        with contextlib.suppress(OSError):
            write_all(2, f"solution: {error}\n".encode("utf-8", "backslashreplace"))
    # Threads that wait for input or connections have no part in how this ends.
    os._exit(status)
