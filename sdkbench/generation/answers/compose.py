"""Actions in their order → one text for each path: the last whole one wins, edits are applied.

A manifest given in part is joined with the starter's: what an answer says of some dependencies
leaves the others alone.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from sdkbench.generation.answers import edits
from sdkbench.generation.answers.languages import (
    family_of_path,
    has_code,
    is_elided,
    is_whole,
    names_defined,
)
from sdkbench.generation.answers.proposed_files import (
    Action,
    Change,
    FileEdit,
    LeftOut,
    ProposedFiles,
    Remove,
    Strength,
    Write,
)

# What a package.json may be given in; anything else is a choice that the whole file makes.
PACKAGE_PARTS = frozenset(
    {"dependencies", "devDependencies", "peerDependencies", "scripts", "type"}
)
# No such file does without this; a text that lacks it shows some lines of one.
NEEDED = {
    "Cargo.toml": re.compile(r"^\[(?:package|workspace)\b", re.MULTILINE),
    "pom.xml": re.compile(r"<project\b"),
    "go.mod": re.compile(r"^module\s", re.MULTILINE),
}
REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][\w.\-]*)", re.MULTILINE)


class Composition:
    """Takes actions one by one; `proposed_files` is the result over the starter."""

    def __init__(self, starter: Mapping[str, str], *, truncated: bool) -> None:
        self.files: dict[str, str | None] = {}
        self.cut_off = False
        self._starter = starter
        self._truncated = truncated
        self._strengths: dict[str, Strength] = {}
        self._left_out: list[LeftOut] = []

    def take_all(self, actions: Iterable[Action]) -> None:
        for action in actions:
            match action:
                case Write():
                    self._write(action)
                case FileEdit(path, changes):
                    self._edit(path, changes)
                case Remove(path):
                    self._set(path, None)

    def leave_out(self, path: str, reason: str) -> None:
        self._left_out.append(LeftOut(path, reason))

    def proposed_files(self) -> ProposedFiles:
        return ProposedFiles(dict(self.files), tuple(self._left_out), self.cut_off)

    def _set(self, path: str, text: str | None, strength: Strength = Strength.NAMED) -> None:
        self.files[path] = text
        self._strengths[path] = strength

    def _write(self, write: Write) -> None:
        path, family = write.path, family_of_path(write.path)
        if not write.closed and (self._truncated or not is_whole(family, write.text)):
            self.cut_off = True
            self.leave_out(path, "the answer ends in the middle of this file")
            return
        before = self.files.get(path)
        if before is not None and write.continued:
            self.files[path] = before + write.text
            return
        if before is not None:
            weaker = write.strength < self._strengths[path]
            if weaker or _is_part(write.text, before, family) or self._loses(write, before):
                self.leave_out(path, "the answer repeats a part of it; the whole text is kept")
                return
        elif self._is_fragment(write, family):
            self.leave_out(path, "the answer shows only a part of the file, and not where it goes")
            return
        merged = with_starter_manifest(path, write.text, self._starter.get(path))
        self._set(path, write.text if merged is None else merged, write.strength)

    def _is_fragment(self, write: Write, family: str | None) -> bool:
        """Whether the text can't be the file, whatever its author calls it."""
        if family == "json" and not write.text.lstrip().startswith(("{", "[", "/")):
            return True  # `"dependencies": {…}` is balanced, and no file
        known = self._starter.get(write.path)
        whole = is_whole(family, write.text)
        if known is None:
            # Only of these it is certain that they aren't whole.
            return write.strength < Strength.NAMED and not whole and family in {"python", "json"}
        if write.strength < Strength.NAMED:
            return _is_part(write.text, known, family)
        if not has_code(family, write.text) and has_code(family, known):
            return True  # `// no changes`
        needed = NEEDED.get(PurePosixPath(write.path).name)
        if needed and needed.search(known) and not needed.search(write.text):
            return True
        if not is_elided(family, write.text):
            return False  # wrong as it may be, it is what the model wrote
        return not whole or not _covers(write.text, known, family)

    def _loses(self, write: Write, before: str) -> bool:
        """Whether a much shorter text lacks what the starter asks for and the one before has."""
        family = family_of_path(write.path)
        wanted = names_defined(family, self._starter.get(write.path, ""))
        return (
            len(write.text) < len(before) / 2
            and wanted <= names_defined(family, before)
            and not wanted <= names_defined(family, write.text)
        )

    def _edit(self, path: str, changes: tuple[Change, ...]) -> None:
        before = self.files[path] if path in self.files else self._starter.get(path)
        after = edits.apply(changes, before)
        if after is None:
            self.leave_out(path, "the edit does not fit the text of the file")
        else:
            self._set(path, after)


def with_starter_manifest(path: str, text: str, starter: str | None) -> str | None:
    """The starter's manifest with the parts that `text` gives; None where it is no such part.

    A package.json without the name that the starter's has, and a requirements.txt without any of
    the starter's packages, show what is new. Taken as they are, they would drop what the project
    needs to run.
    """
    name = PurePosixPath(path).name
    if starter is None:
        return None
    if name == "package.json":
        return _merged_package(text, starter)
    given, known = _packages(text), _packages(starter)
    if name == "requirements.txt" and given and known and not given & known:
        return f"{starter.rstrip()}\n{text}"
    return None


def _merged_package(text: str, starter: str) -> str | None:
    part, whole = _json_object(text), _json_object(starter)
    if not part or not whole or "name" not in whole or not part.keys() <= PACKAGE_PARTS:
        return None
    merged = dict(whole)
    for key, given in part.items():
        known = whole.get(key)
        merged[key] = (
            {**known, **given} if isinstance(known, dict) and isinstance(given, dict) else given
        )
    return json.dumps(merged, indent=2, ensure_ascii=False) + "\n"


def _packages(text: str) -> frozenset[str]:
    return frozenset(name.lower().replace("_", "-") for name in REQUIREMENT.findall(text))


def _json_object(text: str) -> dict[str, object] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _is_part(text: str, whole: str, family: str | None) -> bool:
    """Whether `text` repeats some of `whole` rather than replacing it."""
    if is_elided(family, text) or not has_code(family, text) or _is_excerpt(text, whole):
        return True
    if _covers(text, whole, family):
        return False
    if family == "json" and not _share_keys(text, whole):
        return True  # what a server answers, say
    if not is_whole(family, text) and is_whole(family, whole):
        return True
    defined = names_defined(family, whole)
    return bool(defined) and not defined & names_defined(family, text)


def _share_keys(text: str, other: str) -> bool:
    """Whether two JSON objects have a key in common; True where one of them is none."""
    first, second = _json_object(text), _json_object(other)
    return first is None or second is None or bool(first.keys() & second.keys())


def _is_excerpt(text: str, whole: str) -> bool:
    """Whether `text` is some lines of `whole`, however they are indented; but not all of them."""
    part, lines = (
        "\n".join(line.strip() for line in each.split("\n") if line.strip())
        for each in (text, whole)
    )
    return len(part) < len(lines) and f"\n{part}\n" in f"\n{lines}\n"


def _covers(text: str, whole: str, family: str | None) -> bool:
    """Whether all that `whole` defines is in `text`; False where it defines nothing."""
    defined = names_defined(family, whole)
    return bool(defined) and defined <= names_defined(family, text)
