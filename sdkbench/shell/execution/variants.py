"""Other trees made from one that a script has built: one alone makes different commands look equal.

Ages and permissions are kept.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from sdkbench.shell.execution.fixtures import grown_text

# Larger files are no text that anybody counts the lines of.
MAX_GROWN = 1 << 20


def variants(tree: Path) -> tuple[Path, ...]:
    """Beside `tree`: one with long texts, one with awkward neighbours, one with short ones."""
    made = []
    for change in (_grow, _crowd, _shorten):
        copy = tree.with_name(f"{tree.name}-{change.__name__.strip('_')}")
        shutil.copytree(tree, copy, symlinks=True)
        change(copy)
        made.append(copy)
    return tuple(made)


def _files(tree: Path) -> list[Path]:
    """Plain files, in a fixed order."""
    return sorted(p for p in tree.rglob("*") if p.is_file() and not p.is_symlink())


def _grow(tree: Path) -> None:
    for path in _files(tree):
        text = _text(path)
        if text:
            with _keeping_age(path):
                path.write_text(grown_text(text), encoding="utf-8", newline="")


def _text(path: Path) -> str:
    if path.stat().st_size > MAX_GROWN:
        return ""
    try:
        return path.read_bytes().decode("utf-8")
    except (UnicodeDecodeError, OSError):
        return ""


def _crowd(tree: Path) -> None:
    """Beside each file one whose name has a blank, and a folder that is named like it."""
    for path in _files(tree):
        shutil.copy2(path, path.with_name(f"another {path.name}"))
        folder = path.with_name(f"folder-{path.name}")
        folder.mkdir()
        (folder / "inner").write_text("inner\n")
        shutil.copystat(path, folder / "inner")


def _shorten(tree: Path) -> None:
    """Every third text ends in its first line, every fourth file is empty.

    No file goes: with a file that a command names, only its way to fail would be compared.
    """
    for number, path in enumerate(_files(tree)):
        cut = number % 3 == 2  # noqa: PLR2004 - the last of three
        empty = number % 4 == 3  # noqa: PLR2004 - the last of four
        if empty or cut:
            with _keeping_age(path):
                kept = b"" if empty else path.read_bytes().split(b"\n")[0]
                path.write_bytes(kept)


@contextlib.contextmanager
def _keeping_age(path: Path) -> Iterator[None]:
    """Permissions and age of a file are as before, whatever is written to it."""
    before = path.stat()
    path.chmod(before.st_mode | 0o600)
    yield
    path.chmod(before.st_mode)
    os.utime(path, (before.st_atime, before.st_mtime))
