"""Archives that strangers send → files. Nothing is written, and nothing unpacks beyond the limits.

A tar file is decompressed in pieces into bounded memory before it is read: its own headers may be
as large as they say.
"""

import bz2
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from sdkbench.client.wire import InvalidPart
from sdkbench.core import tree
from sdkbench.generation.files import File, normal_path, why_misplaced
from sdkbench.serve.judging.limits import MIB, ServiceLimits
from sdkbench.serve.judging.problems import RequestProblem, bad, too_large

CHUNK = 1 << 16
BLOCKS = 1 << 20  # what tar adds to its files: headers and padding, some blocks each
ENTRY = b"PK\x01\x02"  # begins an entry of a zip file's directory
# An entry is some hundred bytes in memory, and its folders are entries too.
ENTRIES_PER_FILE = 4
LZMA_MEMORY = 128 * MIB


class Decompressor(Protocol):
    """As `bz2` and `lzma` have it."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """zlib's own, with the face of the others."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(zlib.MAX_WBITS | 16)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max(max_length, 0))


COMPRESSED: dict[bytes, Callable[[], Decompressor]] = {
    b"\x1f\x8b": _Gzip,
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\x00": lambda: lzma.LZMADecompressor(memlimit=LZMA_MEMORY),
}


class _Entry(NamedTuple):
    name: str
    executable: bool
    read: Callable[[], bytes]


def read_archive(data: bytes, limits: ServiceLimits) -> dict[str, File]:
    """By relative path. RequestProblem where anything in it is no plain file in its own place, or
    all of it is too much; folders that are never judged are left out.
    """
    try:
        entries = _zip(data, limits) if data.startswith(b"PK") else _tar(data, limits)
        return _files(entries, limits)
    except (zipfile.BadZipFile, tarfile.TarError, NotImplementedError, RuntimeError) as error:
        raise _unreadable(str(error) or type(error).__name__) from error
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, MemoryError) as error:
        raise _unreadable(str(error) or type(error).__name__) from error


def _files(entries: Iterator[_Entry], limits: ServiceLimits) -> dict[str, File]:
    files: dict[str, File] = {}
    total = 0
    for entry in entries:
        reason = why_misplaced(entry.name)
        if reason is not None:
            raise _refused(entry.name, reason)
        name = normal_path(entry.name)
        if tree.VENDORED.intersection(name.split("/")):
            continue
        if name in files:
            raise _refused(name, "is in the archive twice")
        if len(files) >= limits.files:
            raise too_large(f"The archive holds more than {limits.files:,} files.")
        content = entry.read()
        total += len(content)
        if total > limits.unpacked_bytes:
            raise _too_much(limits)
        files[name] = File(content, entry.executable)
    for name in files:
        parts = name.split("/")
        if any("/".join(parts[:depth]) in files for depth in range(1, len(parts))):
            raise _refused(name, "lies in what is a file")
    if not files:
        raise bad("empty", "The archive holds no file that could be judged.")
    return files


def _zip(data: bytes, limits: ServiceLimits) -> Iterator[_Entry]:
    if data.count(ENTRY) > ENTRIES_PER_FILE * limits.files:
        raise too_large(f"The archive holds more than {limits.files:,} files.")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            kind = stat.S_IFMT(mode)
            if info.is_dir() or kind == stat.S_IFDIR:
                continue
            if kind not in {0, stat.S_IFREG}:
                raise _refused(info.filename, "is a link or a device; send plain files")
            if info.flag_bits & 1:
                raise _refused(info.filename, "is encrypted; send it without a password")
            executable = bool(mode & stat.S_IXUSR)

            def read(info: zipfile.ZipInfo = info) -> bytes:
                with archive.open(info) as stream:
                    return _at_most(stream.read, limits)

            yield _Entry(info.filename, executable, read)


def _at_most(read: Callable[[int], bytes], limits: ServiceLimits) -> bytes:
    """Whatever the entry says of its size."""
    content = read(limits.unpacked_bytes + 1)
    if len(content) > limits.unpacked_bytes:
        raise _too_much(limits)
    return content


def _tar(data: bytes, limits: ServiceLimits) -> Iterator[_Entry]:
    plain = _decompressed(data, limits)
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        for number, member in enumerate(archive):
            if number >= ENTRIES_PER_FILE * limits.files:
                raise too_large(f"The archive holds more than {limits.files:,} files.")
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                raise _refused(member.name, "is a link, a device or sparse; send plain files")
            if member.size > limits.unpacked_bytes:
                raise _too_much(limits)

            def read(member: tarfile.TarInfo = member) -> bytes:
                stream = archive.extractfile(member)
                content = stream.read() if stream else b""
                if len(content) < member.size:
                    raise _unreadable("it ends in the middle of a file")
                return content

            yield _Entry(member.name, bool(member.mode & stat.S_IXUSR), read)


def _decompressed(data: bytes, limits: ServiceLimits) -> bytes:
    make = next((make for magic, make in COMPRESSED.items() if data.startswith(magic)), None)
    if make is None:
        return data
    most = limits.unpacked_bytes + BLOCKS + 1024 * limits.files
    inner = make()
    plain = bytearray()
    place = 0
    while not inner.eof:
        piece = data[place : place + CHUNK] if inner.needs_input else b""
        place += len(piece)
        more = inner.decompress(piece, CHUNK)
        if not piece and not more and inner.needs_input and not inner.eof:
            raise _unreadable("it ends too early")
        plain += more
        if len(plain) > most:
            raise _too_much(limits)
    return bytes(plain)


def _too_much(limits: ServiceLimits) -> RequestProblem:
    mib = limits.unpacked_bytes // MIB
    return too_large(f"The archive unpacks to more than {mib} MiB. Leave out what is not judged.")


def _refused(name: str, reason: str) -> RequestProblem:
    shown = tree.shown(name)[:200]
    part = InvalidPart(pointer="/archive", detail=f"{shown!r}: {reason}")
    return bad("archive-entry", "The archive holds something that is not taken.", part)


def _unreadable(reason: str) -> RequestProblem:
    return bad(
        "archive",
        f"The archive can't be read: {reason[:200]}. Send a zip file, or a tar file, plain or "
        "compressed with gzip, bzip2 or xz.",
    )
