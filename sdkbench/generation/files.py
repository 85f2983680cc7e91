"""Proposed files → a solution folder, with the starter underneath; what is refused is on record."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import tree
from sdkbench.core.solution import Solution
from sdkbench.core.tree import snapshot
from sdkbench.errors import InputError
from sdkbench.generation.generated import Refusal
from sdkbench.generation.path_rules import normal, why_refused

MOST_FILES = 2000  # of one answer; more than any project that a model writes out


class File(NamedTuple):
    data: bytes
    executable: bool = False


class Laid(NamedTuple):
    written: tuple[str, ...]  # new, or other than the starter's
    removed: tuple[str, ...]  # of the starter's
    refusals: tuple[Refusal, ...]


def starter_texts(starter: Path) -> dict[str, str]:
    """Path → text of what the model starts from; nothing where there is no such folder."""
    if not starter.is_dir() or next(tree.files(starter), None) is None:
        return {}
    return Solution(starter).files


def lay_over(starter: Path | None, files: Mapping[str, File | None], into: Path) -> Laid:
    """Write `files` over a copy of `starter` in the new folder `into`; None removes one.

    Raises InputError where `into` holds anything already.
    """
    fresh(into)
    if starter is not None and starter.is_dir():
        snapshot(starter, into)
    written, removed, refusals = [], [], []
    for number, (path, file) in enumerate(files.items()):
        reason = why_refused(path) or ("too many files" if number >= MOST_FILES else None)
        name = path if reason else normal(path)
        reason = reason or _in_the_way(into, name)
        if reason is not None:
            shown = path.encode("utf-8", "replace").decode()
            refusals.append(Refusal(path=shown, reason=reason))
        elif file is None:
            if (into / name).is_file():
                (into / name).unlink()
                removed.append(name)
        elif _write(into / name, file):
            written.append(name)
    return Laid(tuple(written), tuple(removed), tuple(refusals))


def fresh(into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    if next(into.iterdir(), None) is not None:
        raise InputError(f"{into} is not empty. Generated solutions go into a new folder.")


def _in_the_way(into: Path, path: str) -> str | None:
    """Nothing below `into` is a link, as a snapshot holds none: so a path is where it says."""
    if (into / path).is_dir():
        return "a folder has this name"
    above = (into / path).parent
    while above != into:
        if above.is_file():
            return f"{above.name} is a file, not a folder"
        above = above.parent
    return None


def _write(target: Path, file: File) -> bool:
    if target.is_file() and target.read_bytes() == file.data:
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(file.data)
    if file.executable:
        os.chmod(target, 0o755)  # noqa: PTH101, S103 - as its author left it
    return True
