"""What an answer names, and the blocks it leaves nameless → files below the solution's folder.

Both are matched with the starter's files.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath

from sdkbench.generation.answers.fences import Block
from sdkbench.generation.answers.languages import (
    NOT_CODE,
    family_of_path,
    is_elided,
    is_whole,
    names_defined,
)
from sdkbench.generation.answers.proposed_files import Action, Strength, Write

# Every folder may have one of these: the name alone means the one at the top.
EVERYWHERE = frozenset({"__init__.py", "package.json", "README.md", "tsconfig.json", "Dockerfile"})
# A model that puts its sources there has chosen a layout, not named the project.
SOURCE_FOLDERS = frozenset({"src", "app", "lib", "pkg", "pages", "components", "server", "backend"})
JAVA_PACKAGE = re.compile(r"^package\s+([\w.]+)\s*;", re.MULTILINE)
JAVA_TYPE = re.compile(
    r"^public\s+(?:\w+\s+)*?(?:class|interface|enum|record|@interface)\s+(\w+)", re.MULTILINE
)
JAVA_SOURCES = "src/main/java"
NOT_OBVIOUS = ("config.", ".d.ts", "conftest.py", "setup.py", "go.mod", "go.sum", "__init__.py")


def resolve_paths(actions: Sequence[Action], starter: Mapping[str, str]) -> Iterator[Action]:
    """The actions with the paths that the model means, given all of them and the starter."""
    paths = [action.path for action in actions]
    around = _around(paths, starter)
    inside = [path.removeprefix(around) for path in paths]
    homes = _homes(inside, starter)
    for action, path in zip(actions, inside, strict=True):
        text = action.text if isinstance(action, Write) else ""
        yield action._replace(path=_resolved(path, text, homes, starter))


def _around(paths: Sequence[str], starter: Mapping[str, str]) -> str:
    """The folder that the model put around the whole project: `my-app/`, `/workspace/app/`."""
    absolute = [path for path in paths if path.startswith(("/", "~/"))]
    if absolute and (root := _root(absolute, starter)):
        return root
    first, slash, _ = paths[0].partition("/") if paths else ("", "", "")
    wrapper = f"{first}/"
    if not slash or first in SOURCE_FOLDERS or not all(path.startswith(wrapper) for path in paths):
        return ""
    inside = any(known.startswith(wrapper) for known in starter)
    known = any(path.removeprefix(wrapper) in starter for path in paths)
    return wrapper if known and not inside else ""


def _root(absolute: Sequence[str], starter: Mapping[str, str]) -> str | None:
    """The folder that holds all of these, if one of them is then a file of the starter."""
    for path in absolute:
        for slash in re.finditer("/", path):
            root = path[: slash.end()]
            if path[slash.end() :] in starter:
                return root if all(other.startswith(root) for other in absolute) else None
    return None


def _homes(paths: Sequence[str], starter: Mapping[str, str]) -> dict[str, str]:
    """Extension → the one folder of the starter's files with it, if the model leaves that out."""
    homes = {}
    for path in paths:
        if path in starter or "/" in path:
            continue
        suffix = PurePosixPath(path).suffix
        folders = {str(PurePosixPath(k).parent) for k in starter if k.endswith(suffix)}
        if len(folders) == 1 and f"{min(folders)}/{path}" in starter:
            homes[suffix] = min(folders)
    return homes


def _resolved(path: str, text: str, homes: Mapping[str, str], starter: Mapping[str, str]) -> str:
    if path in starter or "/" in path or path in EVERYWHERE:
        return path
    same_name = [known for known in starter if PurePosixPath(known).name == path]
    if same_name:
        return same_name[0] if len(same_name) == 1 else path
    if path.endswith(".java") and (folder := _java_folder(text, starter)):
        return f"{folder}/{path}"
    home = homes.get(PurePosixPath(path).suffix)
    return path if home is None else f"{home}/{path}"


def _java_folder(text: str, starter: Mapping[str, str]) -> str | None:
    package = JAVA_PACKAGE.search(text)
    if package is None:
        return None
    sources = JAVA_SOURCES
    for known, content in starter.items():
        other = JAVA_PACKAGE.search(content) if known.endswith(".java") else None
        below = "/" + other[1].replace(".", "/") if other else ""
        folder = str(PurePosixPath(known).parent)
        if below and f"/{folder}".endswith(below):
            sources = f"/{folder}"[: -len(below)].strip("/")
            break
    return "/".join(filter(None, [sources, package[1].replace(".", "/")]))


def _java_path(text: str, starter: Mapping[str, str]) -> str | None:
    """Where a public type belongs; None for a text without one, or without a package."""
    kind = JAVA_TYPE.search(text)
    folder = _java_folder(text, starter)
    return None if kind is None or folder is None else f"{folder}/{kind[1]}.java"


def match_unnamed(
    blocks: Sequence[Block], taken: Mapping[str, object], starter: Mapping[str, str]
) -> list[Write]:
    """Writes for blocks without a path, where only one of the starter's files can be meant."""
    usable = [
        block
        for block in blocks
        if block.family is not None
        and block.family not in {*NOT_CODE, "json"}
        and not is_elided(block.family, block.text)
    ]
    free = [path for path in starter if path not in taken]
    writes = [write for path in free if (write := _by_names(path, starter[path], usable))]
    writes += _by_declaration(usable, {*taken, *(write.path for write in writes)}, starter)
    if writes:
        return writes
    families = {family_of_path(path) for path in taken}
    for family in dict.fromkeys(block.family for block in usable if block.family not in families):
        own = [block for block in usable if block.family == family]
        obvious = [path for path in starter if _is_obvious(path, family)]
        whole = [block for block in own if is_whole(family, block.text)] or own
        if len(obvious) == 1:
            best = max(whole, key=lambda block: len(block.text))
            writes.append(Write(obvious[0], best.text, Strength.GUESSED, best.closed))
    return writes


def _by_names(path: str, text: str, blocks: Sequence[Block]) -> Write | None:
    """The last block that defines most of what the starter's file defines."""
    family = family_of_path(path)
    wanted = names_defined(family, text)
    best: Block | None = None
    most = len(wanted) / 2
    for block in blocks:
        shared = len(wanted & names_defined(family, block.text)) if block.family == family else 0
        if shared and shared >= most:
            best, most = block, shared
    return None if best is None else Write(path, best.text, Strength.GUESSED, best.closed)


def _by_declaration(
    blocks: Sequence[Block], taken: AbstractSet[str], starter: Mapping[str, str]
) -> list[Write]:
    """Java alone says in its text which file it is."""
    writes: dict[str, Write] = {}
    for block in blocks:
        path = _java_path(block.text, starter) if block.family == "java" else None
        if path is not None and path not in taken and path not in starter:
            writes[path] = Write(path, block.text, Strength.GUESSED, block.closed)
    return list(writes.values())


def _is_obvious(path: str, family: str | None) -> bool:
    name = PurePosixPath(path).name
    return family_of_path(path) == family and not any(part in name for part in NOT_OBVIOUS)
