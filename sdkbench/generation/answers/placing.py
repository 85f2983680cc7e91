"""Which file is meant: a path as given against the starter's paths; blocks that have no path."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from sdkbench.generation.answers.languages import NOT_CODE, family_of_path
from sdkbench.generation.answers.proposal import Strength, Write
from sdkbench.generation.answers.wholeness import is_elided, is_whole, names_defined

# Files that every folder may have one of: such a name alone means the one at the top.
EVERYWHERE = frozenset({"__init__.py", "package.json", "README.md", "tsconfig.json", "Dockerfile"})
# Moving the sources there is a choice of the model's, not a name for the project.
SOURCE_FOLDERS = frozenset({"src", "app", "lib", "pkg", "pages", "components", "server", "backend"})
NOT_OBVIOUS = ("config.", ".d.ts", "conftest.py", "setup.py")


class Unnamed(NamedTuple):
    """A block that nothing gives a path to."""

    family: str | None
    text: str
    closed: bool


def wrapper_of(paths: Sequence[str], starter: Mapping[str, str]) -> str | None:
    """A folder that the model put around the whole project, such as `my-app/`."""
    first, slash, _ = paths[0].partition("/") if paths else ("", "", "")
    wrapper = f"{first}/"
    if not slash or first in SOURCE_FOLDERS or not all(path.startswith(wrapper) for path in paths):
        return None
    inside = any(known.startswith(wrapper) for known in starter)
    known = any(path.removeprefix(wrapper) in starter for path in paths)
    return wrapper if known and not inside else None


def placed(path: str, wrapper: str | None, starter: Mapping[str, str]) -> str:
    """The path below the solution's folder that `path` means."""
    if wrapper is not None:
        path = path.removeprefix(wrapper)
    if path in starter or "/" in path or path in EVERYWHERE:
        return path
    same_name = [known for known in starter if PurePosixPath(known).name == path]
    return same_name[0] if len(same_name) == 1 else path


def place_unnamed(
    blocks: Sequence[Unnamed], taken: Mapping[str, object], starter: Mapping[str, str]
) -> list[Write]:
    """The starter's files that blocks without a path must mean; no more than one block for each."""
    usable = [
        block
        for block in blocks
        if block.family is not None
        and block.family not in {*NOT_CODE, "json"}
        and not is_elided(block.family, block.text)
    ]
    free = [path for path in starter if path not in taken]
    found = [write for path in free if (write := _by_names(path, starter[path], usable))]
    if found:
        return found
    families = {family_of_path(path) for path in taken}
    for family in {block.family for block in usable} - families:
        own = [block for block in usable if block.family == family]
        obvious = [path for path in starter if _is_obvious(path, family)]
        whole = [block for block in own if is_whole(family, block.text)] or own
        if len(obvious) == 1:
            best = max(whole, key=lambda block: len(block.text))
            found.append(Write(obvious[0], best.text, Strength.GUESSED, best.closed))
    return found


def _by_names(path: str, text: str, blocks: Sequence[Unnamed]) -> Write | None:
    """The last block that defines most of what the starter's file defines."""
    family = family_of_path(path)
    wanted = names_defined(family, text)
    best: Unnamed | None = None
    most = len(wanted) / 2
    for block in blocks:
        shared = len(wanted & names_defined(family, block.text)) if block.family == family else 0
        if shared and shared >= most:
            best, most = block, shared
    return None if best is None else Write(path, best.text, Strength.GUESSED, best.closed)


def _is_obvious(path: str, family: str | None) -> bool:
    name = PurePosixPath(path).name
    return family_of_path(path) == family and not any(part in name for part in NOT_OBVIOUS)
