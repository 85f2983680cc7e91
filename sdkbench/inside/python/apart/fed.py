"""Programs that tests feed to an interpreter's standard input: text that runs, like any other."""

import functools
import hashlib
import os
import stat
import subprocess
from collections.abc import Callable
from typing import IO, Any, Self

MAX_READ = 16 * 1024 * 1024
QUIET = (None, subprocess.DEVNULL)


class Fed:
    """What goes into one interpreter, told before it goes."""

    def __init__(self, stream: IO[Any], told: Callable[[object], None]) -> None:
        self._stream = stream
        self._told = told

    def write(self, text: Any) -> int:
        self._told(text)
        return self._stream.write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


def listen(
    reads_program: Callable[[Any, Any], bool],
    told: Callable[[str], None],
    refused: Callable[[], Exception],
) -> None:
    """From now on `told` hears of such text, by its hash.

    `refused` makes the error for a way of feeding that can't be followed.
    """
    begin, communicate = subprocess.Popen.__init__, subprocess.Popen.communicate

    def tell(text: object) -> None:
        data = text if isinstance(text, bytes | bytearray | memoryview) else str(text).encode()
        told(hashlib.sha256(data).hexdigest()[:32])

    @functools.wraps(begin)
    def fed_begin(self: Any, args: Any, *more: Any, **named: Any) -> None:
        stdin = named.get("stdin", more[2] if len(more) > 2 else None)  # noqa: PLR2004 - its place
        program = named.get("executable", more[1] if len(more) > 1 else None)
        is_fed = stdin not in QUIET and reads_program(program, args)
        if is_fed and stdin != subprocess.PIPE:
            tell(_content(stdin, refused))
        begin(self, args, *more, **named)
        if is_fed and self.stdin is not None:
            self.stdin = Fed(self.stdin, tell)

    @functools.wraps(communicate)
    def fed_communicate(self: Any, input: Any = None, timeout: Any = None) -> Any:  # noqa: A002
        if input and isinstance(self.stdin, Fed):
            tell(input)
        return communicate(self, input, timeout)

    subprocess.Popen.__init__ = fed_begin  # type: ignore[method-assign]
    subprocess.Popen.communicate = fed_communicate  # type: ignore[method-assign]


def _content(stdin: Any, refused: Callable[[], Exception]) -> bytes:
    """What is left to be read of a file."""
    descriptor = stdin if isinstance(stdin, int) else stdin.fileno()
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise refused()
    return os.pread(descriptor, MAX_READ, os.lseek(descriptor, 0, os.SEEK_CUR))
