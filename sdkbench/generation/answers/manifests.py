"""Manifests given in part: what an answer says of some dependencies leaves the others alone."""

import json
import re
from pathlib import PurePosixPath

# What a package.json may be given in; anything else is a choice that the whole file makes.
PARTS = frozenset({"dependencies", "devDependencies", "peerDependencies", "scripts", "type"})
# Without this the file is none; a text that lacks it shows some lines of one.
NEEDED = {
    "Cargo.toml": re.compile(r"^\[(?:package|workspace)\b", re.MULTILINE),
    "pom.xml": re.compile(r"<project\b"),
    "go.mod": re.compile(r"^module\s", re.MULTILINE),
}
REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][\w.\-]*)", re.MULTILINE)


def with_the_rest(path: str, text: str, starter: str | None) -> str | None:
    """The starter's manifest with the parts that `text` gives; None where it is no such part.

    A package.json without the name that the starter's has, and a requirements.txt without any of
    the starter's packages, show what is new. Taken as they are, they would drop what the project
    needs to run.
    """
    name = PurePosixPath(path).name
    if starter is None:
        return None
    if name == "package.json":
        return _package(text, starter)
    if name == "requirements.txt" and not _packages(text) & _packages(starter):
        return f"{starter.rstrip()}\n{text}" if _packages(text) and _packages(starter) else None
    return None


def is_part(path: str, text: str, starter: str) -> bool:
    """Whether the text lacks what the starter's file has, and no such file can do without."""
    needed = NEEDED.get(PurePosixPath(path).name)
    return needed is not None and bool(needed.search(starter)) and not needed.search(text)


def shares_keys(text: str, other: str) -> bool:
    """Whether two JSON objects have a key in common; True where one of them is none."""
    first, second = _object(text), _object(other)
    return first is None or second is None or bool(first.keys() & second.keys())


def _package(text: str, starter: str) -> str | None:
    part, whole = _object(text), _object(starter)
    if not part or not whole or "name" in part or "name" not in whole:
        return None
    if not part.keys() <= PARTS:
        return None
    merged = {**whole, **{key: _joined(whole.get(key), value) for key, value in part.items()}}
    return json.dumps(merged, indent=2, ensure_ascii=False) + "\n"


def _joined(known: object, given: object) -> object:
    return {**known, **given} if isinstance(known, dict) and isinstance(given, dict) else given


def _packages(text: str) -> frozenset[str]:
    return frozenset(name.lower().replace("_", "-") for name in REQUIREMENT.findall(text))


def _object(text: str) -> dict[str, object] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
