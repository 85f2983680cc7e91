"""Blocks that have no path: which of the starter's files, or which new one, they must be."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath
from typing import NamedTuple

from sdkbench.generation.answers.languages import NOT_CODE, family_of_path
from sdkbench.generation.answers.locating import java_path
from sdkbench.generation.answers.proposal import Strength, Write
from sdkbench.generation.answers.wholeness import is_elided, is_whole, names_defined

NOT_OBVIOUS = ("config.", ".d.ts", "conftest.py", "setup.py", "go.mod", "go.sum", "__init__.py")


class Unnamed(NamedTuple):
    """A block that nothing gives a path to."""

    family: str | None
    text: str
    closed: bool


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
    found += _by_declaration(usable, {*taken, *(write.path for write in found)}, starter)
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


def _by_declaration(
    blocks: Sequence[Unnamed], taken: AbstractSet[str], starter: Mapping[str, str]
) -> list[Write]:
    """Java alone says in its text which file it is."""
    found: dict[str, Write] = {}
    for block in blocks:
        path = java_path(block.text, starter) if block.family == "java" else None
        if path is not None and path not in taken and path not in starter:
            found[path] = Write(path, block.text, Strength.GUESSED, block.closed)
    return list(found.values())


def _is_obvious(path: str, family: str | None) -> bool:
    name = PurePosixPath(path).name
    return family_of_path(path) == family and not any(part in name for part in NOT_OBVIOUS)
