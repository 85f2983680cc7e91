"""The first process beside the solution: lays its files down, starts it, passes everything on.

The order is the only argument, as JSON. One byte on the control socket tells the harness that our
part was done before the solution's program was started: what goes wrong later is the solution's.
"""

import contextlib
import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from typing import IO, TypedDict

from .archive import FolderFiles, TransferError, Unpacking, lay, pack, send
from .frames import CHUNK, ERR, EXIT, INPUT, LISTENING, ORDER, OUT, BrokenStream, Stream, splice

READY = b"\1"
TAKEN = b"\1"  # a lent connection is in use
LEND = b"l"  # what comes with one
LEFT = b"\2"  # the caller went away before it had said what to run
NOT_FOUND = 127
TOO_MUCH = 125
SIGNALLED = 128
POLL_SECONDS = 0.02
DRAIN_SECONDS = 1.0  # for output that children of an ended program still hold open
LISTEN_STATE = "0A"
TABLES = ("/proc/net/tcp", "/proc/net/tcp6")


class RelayOrder(TypedDict):
    command: list[str]
    folder: str
    bins: list[str]
    port: int | None  # of the program
    tests_port: int | None  # of a server beside the tests
    stream: int  # descriptors that it inherits
    control: int


def main() -> None:
    order: RelayOrder = json.loads(sys.argv[1])
    stream = Stream(socket.socket(fileno=order["stream"]))
    control = socket.socket(fileno=order["control"])
    try:
        arguments, returns_folder = receive(stream, order["folder"])
    except BrokenStream:
        control.sendall(LEFT)
        os._exit(0)
    lent: queue.SimpleQueue[socket.socket] = queue.SimpleQueue()
    if order["tests_port"]:
        listener = socket.create_server(("127.0.0.1", order["tests_port"]), backlog=128)
        threading.Thread(target=borrow, args=(listener, lent), daemon=True).start()
    control.sendall(READY)
    if order["port"] or order["tests_port"]:
        threading.Thread(target=connect, args=(control, order["port"], lent), daemon=True).start()
    try:
        process = start(order, arguments)
    except OSError as error:
        stream.send(ERR, f"{order['command'][0]}: {error.strerror}\n".encode())
        stream.send(EXIT, bytes([NOT_FOUND]))
        os._exit(0)
    if order["port"]:
        threading.Thread(target=announce, args=(stream, order["port"]), daemon=True).start()
    status = attend(stream, process)
    try:
        if returns_folder:
            send(stream, pack(order["folder"]))
    except TransferError as error:
        stream.send(ERR, f"solution: {error}\n".encode("utf-8", "backslashreplace"))
        status = TOO_MUCH
    stream.send(EXIT, bytes([status]))
    os._exit(0)


def receive(stream: Stream, folder: str) -> tuple[list[str], bool]:
    """The arguments, and whether the files, which are laid down now, are wanted back."""
    first = stream.receive()
    if first is None or first.kind != ORDER:
        raise BrokenStream("no order came")
    order = json.loads(first.payload)
    unpacking = Unpacking()
    while not unpacking.complete:
        frame = stream.receive()
        if frame is None:
            raise BrokenStream("the files are not complete")
        unpacking.take(frame)
    os.makedirs(folder, exist_ok=True)
    lay(unpacking.archive, folder, FolderFiles())
    return order["arguments"], order["folder"]


def start(order: RelayOrder, arguments: list[str]) -> "subprocess.Popen[bytes]":
    os.environ["PATH"] = os.pathsep.join([*order["bins"], os.environ["PATH"]])
    return subprocess.Popen(
        [*order["command"], *arguments],
        cwd=order["folder"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        close_fds=True,  # neither of our two sockets
        start_new_session=True,  # a program that signals its own group does not mean us
    )


def attend(stream: Stream, process: "subprocess.Popen[bytes]") -> int:
    """Pass input and output on until the program ends; its exit code, as a shell would tell it."""
    threading.Thread(target=feed, args=(stream, process.stdin), daemon=True).start()
    outputs = [
        threading.Thread(target=drain, args=(stream, kind, pipe), daemon=True)
        for kind, pipe in ((OUT, process.stdout), (ERR, process.stderr))
    ]
    for output in outputs:
        output.start()
    code = process.wait()
    deadline = time.monotonic() + DRAIN_SECONDS
    for output in outputs:
        output.join(max(0.0, deadline - time.monotonic()))
    return code if code >= 0 else SIGNALLED - code


def feed(stream: Stream, pipe: IO[bytes]) -> None:
    """Input from the tests' side; when that side is gone there is nothing left to do here."""
    with contextlib.suppress(OSError, BrokenStream):
        while frame := stream.receive():
            if frame.kind != INPUT:
                break
            # A program that has closed its input goes on without.
            with contextlib.suppress(OSError, ValueError):
                pipe.write(frame.payload)
                pipe.flush()
                if not frame.payload:
                    pipe.close()
    os._exit(1)


def drain(stream: Stream, kind: bytes, pipe: IO[bytes]) -> None:
    with contextlib.suppress(OSError):
        while chunk := os.read(pipe.fileno(), CHUNK):
            stream.send(kind, chunk)


def announce(stream: Stream, port: int) -> None:
    """Tell when something listens, read from the kernel's table: no connection is spent on it."""
    while not is_listening(port):
        time.sleep(POLL_SECONDS)
    with contextlib.suppress(OSError):
        stream.send(LISTENING)


def is_listening(port: int) -> bool:
    wanted = f":{port:04X}"
    for table in TABLES:
        with contextlib.suppress(OSError), open(table, encoding="ascii") as lines:
            for line in lines:
                fields = line.split()
                if fields[1].endswith(wanted) and fields[3] == LISTEN_STATE:
                    return True
    return False


def borrow(listener: socket.socket, lent: "queue.SimpleQueue[socket.socket]") -> None:
    """Join each connection that the program makes to one that leads to the tests' server."""
    while True:
        client, _ = listener.accept()
        theirs = lent.get()
        try:
            theirs.sendall(TAKEN)
            splice(client, theirs)
        except OSError:
            client.close()


def connect(
    control: socket.socket, port: int | None, lent: "queue.SimpleQueue[socket.socket]"
) -> None:
    """Join each socket that the harness hands over to a connection of our own, or keep it."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        for fd in descriptors:
            theirs = socket.socket(fileno=fd)
            if message == LEND or port is None:
                lent.put(theirs)
                continue
            try:
                splice(theirs, reach(port))
            except OSError:
                theirs.close()


def reach(port: int) -> socket.socket:
    try:
        return socket.create_connection(("127.0.0.1", port))
    except ConnectionRefusedError:
        return socket.create_connection(("::1", port))
