"""memory_folder: a temporary folder in memory, for files that live for seconds.

Databases write many small files, and a disk's file system takes longer for each than the database
does. What judged code writes there counts as its memory, as in every other scratch folder of it.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - looked at before it is used
LOCK = ".in-use"
# Free, for the folder to be in memory: four solutions may write as much as any may.
LEAST_BYTES = 4 << 30


@contextlib.contextmanager
def memory_folder(prefix: str) -> Iterator[Path]:
    """Gone when the block is left. On the disk where memory has no room, or $TMPDIR is set: then
    somebody has chosen a place for temporary files.
    """
    root = IN_MEMORY if _has_room() else None
    if root is not None:
        _sweep(root, prefix)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=root) as name, _held(Path(name)):
        (inner := Path(name, "folders")).mkdir()
        yield inner


def _has_room() -> bool:
    if os.environ.get("TMPDIR") or not os.access(IN_MEMORY, os.W_OK | os.X_OK):
        return False
    try:
        space = os.statvfs(IN_MEMORY)
    except OSError:
        return False
    return os.path.ismount(IN_MEMORY) and space.f_bavail * space.f_frsize >= LEAST_BYTES


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    with (folder / LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _sweep(root: Path, prefix: str) -> None:
    """Remove what a process left that was killed: memory must not be lost to it."""
    for folder in root.glob(f"{prefix}*"):
        # Without a lock yet, it is being made, or not ours to look at.
        with contextlib.suppress(OSError), (folder / LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
