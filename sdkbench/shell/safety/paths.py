"""A path to its place: normalised, and followed as far as the text allows."""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from sdkbench.shell.safety.values import ANY, SOME, STAR, UNKNOWN

# Components that match every name in a folder: `*`, `.*`, `?*`, `.[!.]*`, `..?*`.
EVERYTHING = re.compile(rf"^\.?\.?{ANY}*{STAR}+$|^\.{{0,2}}{ANY}*{STAR}+{ANY}*$")


@dataclass(frozen=True, slots=True)
class Place:
    """`parts` are the names from the root (or, if not absolute, from the working folder).

    `contents`: the path ended in a wildcard for everything in there. `filtered`: in one for some
    of it. `emptied`: this is the place that is meant if an unset variable expands to nothing.
    """

    absolute: bool
    parts: tuple[str, ...]
    contents: bool = False
    filtered: bool = False
    emptied: bool = False

    @property
    def path(self) -> str:
        joined = "/".join(self.parts)
        return f"/{joined}" if self.absolute else joined or "."

    def below(self, *folders: str) -> tuple[str, ...] | None:
        """What follows the folders if the place is there or deeper, else None.

        A wildcard in the place stands for any name it can match.
        """
        if not self.absolute or len(self.parts) < len(folders):
            return None
        if all(same(mine, theirs) for mine, theirs in zip(self.parts, folders, strict=False)):
            return self.parts[len(folders) :]
        return None


def same(pattern: str, name: str) -> bool:
    """Whether a component, which may hold wildcards, can be this name."""
    if pattern == name:
        return True
    if STAR not in pattern and ANY not in pattern:
        return False
    if pattern.startswith((STAR, ANY)) and name.startswith("."):
        return False
    return fnmatchcase(name, pattern.replace(STAR, "*").replace(ANY, "?"))


def places(value: str, cwd: str) -> list[Place]:
    """Where the value may lead: one place, or two if a variable in it may be empty."""
    if UNKNOWN not in value:
        return [_place(value, cwd)]
    found = [_place(value.replace(UNKNOWN, SOME), cwd)]
    emptied = value.replace(UNKNOWN, "")
    if emptied and emptied != value:
        place = _place(emptied, cwd)
        found.append(
            Place(place.absolute, place.parts, place.contents, place.filtered, emptied=True)
        )
    return found


def _place(value: str, cwd: str) -> Place:
    if not value.startswith("/") and cwd:
        value = f"{cwd}/{value}"
    absolute = value.startswith("/")
    parts: list[str] = []
    for name in value.split("/"):
        if name in {"", "."}:
            continue
        if name == "..":
            if parts and parts[-1] != "..":
                parts.pop()
            elif not absolute:
                parts.append(name)
        else:
            parts.append(name)
    contents = filtered = False
    while parts and EVERYTHING.match(parts[-1]):
        contents = True
        parts.pop()
    if parts and not contents and (STAR in parts[-1] or ANY in parts[-1]):
        filtered = True
    return Place(absolute, tuple(parts), contents, filtered)
