"""Joining two sockets: what comes out of one goes into the other, both ways, until both ended."""

import contextlib
import socket
import threading

from .frames import CHUNK


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
