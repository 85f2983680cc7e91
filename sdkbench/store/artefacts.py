"""Bytes that belong to attempts: packed by content, and a solution folder as artefacts and back."""

import hashlib
import shutil
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import tree
from sdkbench.errors import InputError, StoreFault
from sdkbench.store.values import Artefact

RAW = "raw"
ZLIB = "zlib"
LEVEL = 6  # on this package's source, 9 takes over twice as long for 1 % less


class Blob(NamedTuple):
    digest: str  # SHA-256 of the bytes as they were
    codec: str
    size: int  # of the bytes as they were
    data: bytes


def pack(data: bytes) -> Blob:
    digest = hashlib.sha256(data).hexdigest()
    pressed = zlib.compress(data, LEVEL)
    if len(pressed) < len(data):
        return Blob(digest, ZLIB, len(data), pressed)
    return Blob(digest, RAW, len(data), data)


def unpack(blob: Blob) -> bytes:
    """The bytes that were packed; StoreFault if they are not those any more."""
    try:
        data = zlib.decompress(blob.data) if blob.codec == ZLIB else blob.data
    except zlib.error as error:
        raise _damaged(blob) from error
    if hashlib.sha256(data).hexdigest() != blob.digest:
        raise _damaged(blob)
    return data


def _damaged(blob: Blob) -> StoreFault:
    return StoreFault(
        f"The store is damaged: what is kept as {blob.digest[:12]} is not what was put there. "
        "Take it from a backup, or run the attempt again."
    )


SOLUTION = "solution"


def read_folder(path: Path) -> dict[str, bytes]:
    """By relative POSIX path, without vendored folders; InputError where that is too much."""
    files = list(tree.files(path))
    if sum(each.stat().st_size for each in files) > tree.MAX_BYTES:
        raise InputError(f"{path} is larger than {tree.MAX_BYTES // 2**20} MiB.")
    return {each.relative_to(path).as_posix(): each.read_bytes() for each in files}


def solution_artefacts(path: Path) -> list[Artefact]:
    """Everything of a solution that is judged, for `Store.save_attempt`.

    ValidationError where a name can't be stored: one that is not UTF-8, or has a backslash.
    """
    return [
        Artefact(kind=SOLUTION, name=name, data=data) for name, data in read_folder(path).items()
    ]


def write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """A new folder, which appears whole or not at all; InputError where it can't be written."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=".making-", dir=target.parent))
        try:
            for name, data in files.items():
                path = unfinished / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            unfinished.chmod(0o755)
            unfinished.rename(target)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)  # where it has not got its name
    except OSError as error:
        raise InputError(
            f"{target} can't be written: {error.strerror}. Name another folder."
        ) from error
