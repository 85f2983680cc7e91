"""Proposed files → a solution folder, with the starter underneath; what is refused is on record.

A model may write below its folder, and nothing that judges it.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sdkbench.core import tree
from sdkbench.core.solution import Solution
from sdkbench.core.tree import snapshot
from sdkbench.errors import InputError
from sdkbench.generation.solution import GeneratedSolution, Refusal

MOST_FILES = 2000  # of one answer; more than any project that a model writes out
LONGEST_NAME = 255  # bytes; what file systems take
LONGEST_PATH = 1024
TEST_FOLDERS = frozenset({"tests", "test", "__tests__"})  # at the top; `__tests__` anywhere
TEST_NAMES = re.compile(
    r"(?:test_.*\.py|.*_test\.py|conftest\.py|.*\.(?:test|spec)\.[cm]?[jt]sx?|.*_test\.go|"
    r".*(?:Test|Tests|IT)\.java)"
)
DRIVE = re.compile(r"[A-Za-z]:")


class File(NamedTuple):
    data: bytes
    executable: bool = False


def starter_texts(starter: Path) -> dict[str, str]:
    """Path → text of what the model starts from; nothing where there is no such folder."""
    if not starter.is_dir() or next(tree.files(starter), None) is None:
        return {}
    return Solution(starter).files


def write_solution(
    starter: Path | None, files: Mapping[str, File | None], solution: GeneratedSolution
) -> GeneratedSolution:
    """Write `files` over a copy of `starter` in the solution's new folder; None removes one.

    The solution comes back with what was written, removed and refused. Raises InputError where the
    folder holds anything already.
    """
    into = solution.folder
    make_new_folder(into)
    if starter is not None and starter.is_dir():
        snapshot(starter, into)
    written, removed, refusals = [], [], []
    for number, (path, file) in enumerate(files.items()):
        reason = why_refused(path) or ("too many files" if number >= MOST_FILES else None)
        name = path if reason else normal_path(path)
        reason = reason or _in_the_way(into, name)
        if reason is not None:
            encodable = path.encode("utf-8", "replace").decode()
            refusals.append(Refusal(path=encodable, reason=reason))
        elif file is None:
            if (into / name).is_file():
                (into / name).unlink()
                removed.append(name)
        elif _write(into / name, file):
            written.append(name)
    return solution.model_copy(
        update={
            "written": tuple(written),
            "removed": tuple(removed),
            "refusals": (*refusals, *solution.refusals),
        }
    )


def make_new_folder(into: Path) -> None:
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


def why_refused(path: str) -> str | None:
    """The reason why nothing is written to `path`; None where it may be."""
    return why_misplaced(path) or _subject(PurePosixPath(path))


def why_misplaced(path: str) -> str | None:
    """The reason why `path` is no place below a folder; None where it is one."""
    return _shape(path) or _place(path)


def normal_path(path: str) -> str:
    """The one spelling of a path that is not refused."""
    return str(PurePosixPath(path))


def _shape(path: str) -> str | None:
    if not path.strip() or path.endswith("/") or path in {".", "./"}:
        return "not a file's path"
    if any(ord(character) < 32 or ord(character) == 127 for character in path):  # noqa: PLR2004
        return "holds control characters"
    try:
        encoded = path.encode()
    except UnicodeEncodeError:
        return "holds characters that no path can have"
    too_long = any(len(part.encode()) > LONGEST_NAME for part in path.split("/"))
    return "too long" if too_long or len(encoded) > LONGEST_PATH else None


def _place(path: str) -> str | None:
    if path.startswith(("/", "~", "\\")) or DRIVE.match(path):
        return "an absolute path"
    if ".." in re.split(r"[/\\]", path):
        return "leads out of the folder"
    return "holds a backslash" if "\\" in path else None


def _subject(path: PurePosixPath) -> str | None:
    parts = path.parts
    if path.as_posix().lower() == "metadata.json":
        return "the sample's metadata"
    folders = parts[:-1]
    if (folders and folders[0].lower() in TEST_FOLDERS) or "__tests__" in folders:
        return "a test: the sample brings its own"
    if "/".join(folders).startswith("src/test") and folders[:2] == ("src", "test"):
        return "a test: the sample brings its own"
    if TEST_NAMES.fullmatch(path.name):
        return "a test: the sample brings its own"
    if any(part in tree.VENDORED for part in parts):
        return "in a folder that is never judged"
    return None
