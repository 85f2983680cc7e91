"""Packages of the project's own folder that it takes from there, as `[tool.uv.sources]` and
`[tool.uv.workspace]` say. The index may have others by the same names, which are not meant.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from sdkbench.core import tree
from sdkbench.test_harness.python import manifest
from sdkbench.test_harness.python.manifest import table_or_empty

MAX_SIBLINGS = 200


class Siblings(NamedTuple):
    folders: Mapping[str, Path]  # by their names
    are_all_wanted: bool  # the folder is nothing but a workspace

    def expanded(self, lines: Iterable[str]) -> tuple[str, ...]:
        """`lines` with what siblings need in the place of the siblings."""
        kept: dict[str, None] = {}
        seen: set[str] = set()
        waiting = [*lines]
        while waiting:
            line = waiting.pop(0)
            name = _name(line)
            if name not in self.folders:
                kept[line] = None
            elif name not in seen:
                seen.add(name)
                waiting += manifest.declared_requirements(self.folders[name]).requirements
        return tuple(kept)

    def places(self, root: Path) -> tuple[str, ...]:
        """Where their modules are, below `root`."""
        inner = (
            folder / "src" if tree.is_folder(folder / "src") else folder
            for folder in self.folders.values()
        )
        return tuple(place.relative_to(root).as_posix() for place in inner)


def read(root: Path) -> Siblings:
    data = _toml(root)
    uv = table_or_empty(table_or_empty(data, "tool"), "uv")
    patterns = _texts(table_or_empty(uv, "workspace").get("members"))
    excluded = _texts(table_or_empty(uv, "workspace").get("exclude"))
    named = [
        source["path"]
        for source in table_or_empty(uv, "sources").values()
        if isinstance(source, dict) and isinstance(source.get("path"), str)
    ]
    left_out = {folder for _, found in tree.matching(root, excluded) for folder in found or ()}
    folders = {
        name: folder
        for _, found in tree.matching(root, [*patterns, *named])
        for folder in (found or ())[:MAX_SIBLINGS]
        if folder not in left_out and folder != root and (name := _project_name(folder))
    }
    return Siblings(folders, are_all_wanted="project" not in data)


def _project_name(folder: Path) -> str:
    name = table_or_empty(_toml(folder), "project").get("name")
    return canonicalize_name(name) if isinstance(name, str) else ""


def _toml(folder: Path) -> Mapping[str, Any]:
    try:
        path = folder / "pyproject.toml"
        return manifest.toml_of(path) if tree.is_file(path) else {}
    except manifest.Problem:
        return {}


def _texts(value: object) -> list[str]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, str)]


def _name(line: str) -> str:
    try:
        return canonicalize_name(Requirement(line).name)
    except InvalidRequirement:
        return ""
