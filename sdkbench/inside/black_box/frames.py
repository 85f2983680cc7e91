"""Frames on a socket: one letter, a length, and so many bytes; and joining two sockets."""

import contextlib
import socket
import struct
import threading
from typing import NamedTuple

HEAD = struct.Struct(">cI")
MAX_PAYLOAD = 1 << 20
CHUNK = 1 << 16

# From the launcher to the relay.
ORDER = b"o"  # JSON: the arguments, and whether a folder comes along
INPUT = b"i"  # standard input; an empty one ends it
# Both ways.
FOLDER = b"d"
FILE = b"f"
BYTES = b"b"
COMPLETE = b"c"  # that was all of the folder
ARCHIVE = frozenset({FOLDER, FILE, BYTES, COMPLETE})
# From the relay to the launcher.
OUT = b"1"
ERR = b"2"
LISTENING = b"l"
EXIT = b"x"  # one byte: the exit code


class BrokenStream(Exception):
    """The other side does not keep to the form."""


class Frame(NamedTuple):
    kind: bytes
    payload: bytes


class Stream:
    """Sends from any thread, receives in one."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._reader = connection.makefile("rb")
        self._sending = threading.Lock()

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        with self._sending:
            self._connection.sendall(HEAD.pack(kind, len(payload)) + payload)

    def receive(self) -> Frame | None:
        """The next frame, None at the end. Raises BrokenStream where it is cut off or too long."""
        head = self._read(HEAD.size)
        if not head:
            return None
        kind, length = HEAD.unpack(head)
        if length > MAX_PAYLOAD:
            raise BrokenStream(f"a frame of {length:,} bytes")
        payload = self._read(length)
        if len(payload) < length:
            raise BrokenStream("a frame was cut off")
        return Frame(kind, payload)

    def _read(self, count: int) -> bytes:
        """So many bytes; none at the end of the stream."""
        try:
            data = self._reader.read(count)
        except ConnectionResetError:  # the other side died with our words unread
            return b""
        if data and len(data) < count:
            raise BrokenStream("a frame was cut off")
        return data


def splice(client: socket.socket, server: socket.socket) -> None:
    """Returns at once; threads of its own do the work and close both sockets at the end.

    `client` is the socket on the side that asked for the connection.
    """
    threading.Thread(target=_both_ways, args=(client, server), daemon=True).start()


def _both_ways(client: socket.socket, server: socket.socket) -> None:
    with client, server:
        asking = threading.Thread(target=_ask, args=(client, server), daemon=True)
        asking.start()
        _answer(server, client)
        asking.join()


def _ask(client: socket.socket, server: socket.socket) -> None:
    """A server may answer and go before it has read all. Closing on unread data would make the
    client lose that answer, so the rest is read and dropped.
    """
    with contextlib.suppress(OSError):
        while chunk := client.recv(CHUNK):
            with contextlib.suppress(OSError):
                server.sendall(chunk)
    with contextlib.suppress(OSError):
        server.shutdown(socket.SHUT_WR)


def _answer(server: socket.socket, client: socket.socket) -> None:
    """A client that is gone ends both directions: a server that never stops must notice."""
    try:
        while chunk := _received(server):
            client.sendall(chunk)
        client.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (server, client):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def _received(server: socket.socket) -> bytes:
    """What the server sends; nothing once it ended, whether it closed or broke off."""
    try:
        return server.recv(CHUNK)
    except OSError:
        return b""
