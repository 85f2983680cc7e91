"""Runs inside the sandbox: ShellCheck and shfmt kept at the ready, one answer a request.

Requests and answers are lines of JSON on the descriptor named first. Standard library
only. Nothing that is checked is ever run.

ShellCheck takes its files in turn, so one process serves many requests: each file is a pipe that
has no content until a request comes. Names of the pipes can't be guessed; no command can make
ShellCheck read another one's text by `. file`. It writes to a terminal, because there its output
comes line by line. shfmt takes one text from its input; the next process waits before it is needed.
"""

import contextlib
import json
import os
import pty
import secrets
import socket
import subprocess
import sys
import tempfile
import tty
from typing import NamedTuple, TypedDict

END = b"</file>\n"  # of what is said about one file; inside of it every `<` is escaped
WARM_UP = b"ls | [[ a ]]\n"  # the first file of a process takes ten times as long as the others
# As for a batch: ShellCheck keeps what it has read from pipes. The last ones are served while the
# next process starts.
MAX_FILES = 200
MAX_BYTES = 200_000
SPARE_FROM = 180
CHUNK = 1 << 16
MAX_OUTPUT = 4 << 20


class ToolsOrder(TypedDict):
    shellcheck: list[str]  # without its files
    shfmt: str


class ToolRequest(TypedDict):
    tool: str  # "shellcheck", or shfmt's dialect
    text: str


class ToolAnswer(TypedDict):
    """`lost` tells why there is no output; the next request is served all the same."""

    output: str
    lost: str


class Lost(Exception):
    """A tool gave no answer that can be used."""


class PipeEnds(NamedTuple):
    reading: int
    writing: int


class ShellCheck:
    """One process and its pipes.

    The pipe after the one in use is open for writing: without a writer it would look empty.
    """

    def __init__(self, argv: list[str]) -> None:
        self._folder = tempfile.mkdtemp()
        stem = secrets.token_hex(16)
        self._names = [f"{self._folder}/{stem}{n}" for n in range(MAX_FILES + 1)]
        for name in self._names:
            os.mkfifo(name)
        self._used = 0
        self._bytes = 0
        self._unanswered: list[int] = []  # held open, so that no text is lost before it is read
        self._ends = _open(self._names[0])
        self._terminal, theirs = pty.openpty()
        tty.setraw(theirs)
        self._process = subprocess.Popen(
            [*argv, *self._names],
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs)
        self._send(WARM_UP)

    @property
    def aging(self) -> bool:
        return self._used > SPARE_FROM or self._bytes > MAX_BYTES // 2

    @property
    def spent(self) -> bool:
        return self._used >= MAX_FILES or self._bytes > MAX_BYTES

    def check(self, text: bytes) -> str:
        self._send(text)
        output = b""
        while output.count(END) < len(self._unanswered):
            try:
                chunk = os.read(self._terminal, CHUNK)
            except OSError:  # a terminal that nobody writes to any more
                chunk = b""
            if not chunk:
                raise Lost(f"shellcheck ended with exit code {self._process.wait()}")
            output += chunk
            if len(output) > MAX_OUTPUT:
                raise Lost("shellcheck said too much")
        while self._unanswered:
            os.close(self._unanswered.pop())
        return output.split(END)[-2].decode()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for fd in (*self._ends, *self._unanswered, self._terminal):
            os.close(fd)
        for name in self._names:
            os.unlink(name)
        os.rmdir(self._folder)

    def _send(self, text: bytes) -> None:
        ends = self._ends
        self._used += 1
        self._bytes += len(text)
        self._ends = _open(self._names[self._used])
        self._unanswered.append(ends.reading)
        with open(ends.writing, "wb") as stream:
            stream.write(text)


def _open(name: str) -> PipeEnds:
    reading = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
    return PipeEnds(reading, os.open(name, os.O_WRONLY))


class Shfmt:
    """A process that waits for its text."""

    def __init__(self, program: str, dialect: str) -> None:
        self._process = subprocess.Popen(
            [program, f"--language-dialect={dialect}", "--filename=0.sh"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def check(self, text: bytes) -> str:
        _, stderr = self._process.communicate(text)
        code = self._process.returncode
        if code not in {0, 1}:
            raise Lost(f"shfmt ended with exit code {code}")
        if len(stderr) > MAX_OUTPUT:
            raise Lost("shfmt said too much")
        return stderr.decode()


class Tools:
    def __init__(self, order: ToolsOrder) -> None:
        self._shellcheck_argv = order["shellcheck"]
        self._shfmt_program = order["shfmt"]
        self._shellcheck: ShellCheck | None = None
        self._spare: ShellCheck | None = None
        self._shfmt: Shfmt | None = None

    def prepare(self) -> None:
        """Start what the next request needs; called when nobody waits."""
        if self._shfmt is None:
            self._shfmt = Shfmt(self._shfmt_program, "posix")
        if self._shellcheck is not None and self._shellcheck.spent:
            self._drop_shellcheck()
        if self._shellcheck is None:
            self._shellcheck = self._spare or ShellCheck(self._shellcheck_argv)
            self._spare = None
        if self._shellcheck.aging and self._spare is None:
            self._spare = ShellCheck(self._shellcheck_argv)

    def answer(self, request: ToolRequest) -> ToolAnswer:
        # Lone surrogates can't be written as UTF-8; any replacement is as foreign to the shell.
        text = request["text"].encode("utf-8", "replace") + b"\n"
        try:
            if request["tool"] == "shellcheck":
                return {"output": self._check(text), "lost": ""}
            return {"output": self._format(text, request["tool"]), "lost": ""}
        except (Lost, OSError, UnicodeDecodeError) as error:
            return {"output": "", "lost": str(error)}

    def _check(self, text: bytes) -> str:
        if self._shellcheck is None:
            raise Lost("shellcheck is not there")
        with contextlib.ExitStack() as stack:
            stack.callback(self._drop_shellcheck)
            output = self._shellcheck.check(text)
            stack.pop_all()
        return output

    def _format(self, text: bytes, dialect: str) -> str:
        if dialect != "posix" or self._shfmt is None:
            return Shfmt(self._shfmt_program, dialect).check(text)
        shfmt, self._shfmt = self._shfmt, None
        return shfmt.check(text)

    def _drop_shellcheck(self) -> None:
        if self._shellcheck is not None:
            self._shellcheck.end()
        self._shellcheck = None


def main() -> None:
    order: ToolsOrder = json.loads(sys.argv[2])
    tools = Tools(order)
    with socket.socket(fileno=int(sys.argv[1])) as control, control.makefile("rwb") as stream:
        tools.prepare()
        stream.write(stream.readline())  # an empty line: is anybody there?
        stream.flush()
        for line in stream:
            stream.write(json.dumps(tools.answer(json.loads(line))).encode() + b"\n")
            stream.flush()
            tools.prepare()


if __name__ == "__main__":
    main()
