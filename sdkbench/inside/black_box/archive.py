"""A folder's files as a value that can be sent: regular files and folders, nothing else, bounded.

Links are left out when packing and cannot be written when laying down: every part of a path is
opened without following, so nothing outside of the folder is read or written.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from .frames import BYTES, CHUNK, COMPLETE, FILE, FOLDER, BrokenStream, Frame, Stream

MAX_BYTES = 32 << 20
MAX_ENTRIES = 4096
MAX_NAME = 1024
MAX_DEPTH = 32
INTO = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class TransferError(Exception):
    """A folder that is too big, or can't be read or written as it should."""


class Content(NamedTuple):
    data: bytes
    executable: bool


class FolderFiles:
    """What a folder holds, by names relative to it. Refuses what would exceed the bounds."""

    def __init__(self) -> None:
        self.folders: set[bytes] = set()
        self.files: dict[bytes, Content] = {}
        self.size = 0

    def add_folder(self, name: bytes) -> None:
        self._check(name)
        self.folders.add(name)

    def add_file(self, name: bytes, content: Content) -> None:
        self._check(name)
        self.grow(len(content.data))
        self.files[name] = content

    def grow(self, count: int) -> None:
        self.size += count
        if self.size > MAX_BYTES:
            raise TransferError(f"the folder holds more than {MAX_BYTES >> 20} MiB")

    def _check(self, name: bytes) -> None:
        parts = name.split(b"/")
        if len(name) > MAX_NAME or len(parts) > MAX_DEPTH or b"\0" in name:
            raise TransferError(f"a path is too long or has a zero byte: {name[:80]!r}")
        if any(part in {b"", b".", b".."} for part in parts):
            raise TransferError(f"a path leads out of the folder: {name!r}")
        if name in self.files or name in self.folders:
            raise TransferError(f"a path comes twice: {name!r}")
        if len(self.files) + len(self.folders) >= MAX_ENTRIES:
            raise TransferError(f"the folder holds more than {MAX_ENTRIES:,} files and folders")


def pack(root: str) -> FolderFiles:
    """Raises TransferError where a file can't be read or there is too much."""
    archive = FolderFiles()
    top = os.fsencode(root)
    try:
        for current, folders, names in os.walk(top, onerror=_raise):
            folders[:] = sorted(f for f in folders if not os.path.islink(os.path.join(current, f)))
            for name in folders:
                archive.add_folder(os.path.relpath(os.path.join(current, name), top))
            for name in sorted(names):
                path = os.path.join(current, name)
                content = _read(path, MAX_BYTES - archive.size)
                if content is not None:
                    archive.add_file(os.path.relpath(path, top), content)
    except OSError as error:
        raise TransferError(f"a file can't be read: {error}") from error
    return archive


def _raise(error: OSError) -> None:
    raise error


def _read(path: bytes, room: int) -> Content | None:
    """The file's content, one byte more than `room` at most; None if it isn't a regular file."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return None
    # It may have become something else meanwhile: not followed, and never waited for.
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as stream:
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            return None
        return Content(stream.read(room + 1), bool(mode & stat.S_IXUSR))


def send(stream: Stream, archive: FolderFiles) -> None:
    for name in sorted(archive.folders):
        stream.send(FOLDER, name)
    for name, content in sorted(archive.files.items()):
        stream.send(FILE, (b"x" if content.executable else b"-") + name)
        for start in range(0, len(content.data), CHUNK):
            stream.send(BYTES, content.data[start : start + CHUNK])
    stream.send(COMPLETE)


class Unpacking:
    """Puts an archive together from its frames, within the bounds of an archive."""

    def __init__(self) -> None:
        self.archive = FolderFiles()
        self.complete = False
        self._name: bytes | None = None
        self._executable = False
        self._data = bytearray()

    def take(self, frame: Frame) -> None:
        """Raises TransferError or BrokenStream at the first frame that has no place here."""
        if self.complete:
            raise BrokenStream("files after the end of the files")
        if frame.kind == BYTES:
            if self._name is None or self.archive.size + len(self._data) > MAX_BYTES:
                raise TransferError("bytes of no file, or of too big a file")
            self._data += frame.payload
            return
        if self._name is not None:
            self.archive.add_file(self._name, Content(bytes(self._data), self._executable))
        self._name = None
        self._data.clear()
        if frame.kind == FOLDER:
            self.archive.add_folder(frame.payload)
        elif frame.kind == FILE:
            self._executable = frame.payload[:1] == b"x"
            self._name = frame.payload[1:]
        elif frame.kind == COMPLETE:
            self.complete = True
        else:
            raise BrokenStream(f"a frame of kind {frame.kind!r} among files")


def lay(archive: FolderFiles, root: str, before: FolderFiles) -> None:
    """Make `root`, which held `before`, hold `archive`. Raises TransferError where it can't."""
    try:
        for name in before.files.keys() - archive.files.keys():
            with _parent(root, name) as (fd, last), contextlib.suppress(FileNotFoundError):
                os.unlink(last, dir_fd=fd)
        for name in sorted(before.folders - archive.folders, reverse=True):
            # One that holds a link, which never travelled, stays.
            with _parent(root, name) as (fd, last), contextlib.suppress(OSError):
                os.rmdir(last, dir_fd=fd)
        for name in sorted(archive.folders):
            with _parent(root, name) as (fd, last), contextlib.suppress(FileExistsError):
                os.mkdir(last, dir_fd=fd)
        for name, content in archive.files.items():
            if before.files.get(name) != content:
                _write(root, name, content)
    except OSError as error:
        raise TransferError(f"a file can't be written: {error}") from error


def _write(root: str, name: bytes, content: Content) -> None:
    mode = 0o755 if content.executable else 0o644
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with _parent(root, name) as (parent, last):
        fd = os.open(last, flags, mode, dir_fd=parent)
        with os.fdopen(fd, "wb") as stream:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise TransferError(f"not a regular file: {name!r}")
            os.fchmod(fd, mode)
            stream.write(content.data)


@contextlib.contextmanager
def _parent(root: str, name: bytes) -> Iterator[tuple[int, bytes]]:
    """The folder that `name` stands in, opened step by step, and its last part."""
    *folders, last = name.split(b"/")
    fd = os.open(root, INTO)
    try:
        for folder in folders:
            deeper = os.open(folder, INTO, dir_fd=fd)
            os.close(fd)
            fd = deeper
        yield fd, last
    finally:
        os.close(fd)
