"""An answer's actions and nameless blocks over the starter → one text for each path.

The last whole text wins, edits are applied. A manifest given in part is joined with the starter's:
what an answer says of some dependencies leaves the others alone.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath

from sdkbench.generation.answers import edits
from sdkbench.generation.answers.fences import Block
from sdkbench.generation.answers.languages import (
    NOT_CODE,
    family_of_path,
    has_code,
    is_elided,
    is_whole,
    names_defined,
)
from sdkbench.generation.answers.proposed_files import (
    Action,
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
                    before = self.files[path] if path in self.files else self._starter.get(path)
                    after = edits.apply(changes, before)
                    if after is None:
                        self.leave_out(path, "the edit does not fit the text of the file")
                    else:
                        self._set(path, after)
                case Remove(path):
                    self._set(path, None)
                case LeftOut():
                    self._left_out.append(action)

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


def with_starter_manifest(path: str, text: str, starter: str | None) -> str | None:
    """The starter's manifest with the parts that `text` gives; None where it is no such part.

    A package.json without the name that the starter's has, and a requirements.txt without any of
    the starter's packages, show what is new. Taken as they are, they would drop what the project
    needs to run.
    """
    name = PurePosixPath(path).name
    if starter is None or name not in {"package.json", "requirements.txt"}:
        return None
    if name == "requirements.txt":
        given, known = (
            {package.lower().replace("_", "-") for package in REQUIREMENT.findall(each)}
            for each in (text, starter)
        )
        is_part = given and known and not given & known
        return f"{starter.rstrip()}\n{text}" if is_part else None
    part, merged = _json_object(text), _json_object(starter)
    if not part or not merged or "name" not in merged or not part.keys() <= PACKAGE_PARTS:
        return None
    for key, new in part.items():
        old = merged.get(key)
        merged[key] = {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new
    return json.dumps(merged, indent=2, ensure_ascii=False) + "\n"


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
    if family == "json":
        part, known = _json_object(text), _json_object(whole)
        if part is not None and known is not None and not part.keys() & known.keys():
            return True  # what a server answers, say
    if not is_whole(family, text) and is_whole(family, whole):
        return True
    defined = names_defined(family, whole)
    return bool(defined) and not defined & names_defined(family, text)


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
    # The folder that holds all of these, if one of them is then a file of the starter.
    roots = (
        path[: slash.end()]
        for path in absolute
        for slash in re.finditer("/", path)
        if path[slash.end() :] in starter
    )
    root = next(roots, None)
    if root and all(path.startswith(root) for path in absolute):
        return root
    first, slash, _ = paths[0].partition("/") if paths else ("", "", "")
    wrapper = f"{first}/"
    if not slash or first in SOURCE_FOLDERS or not all(path.startswith(wrapper) for path in paths):
        return ""
    inside = any(known.startswith(wrapper) for known in starter)
    known = any(path.removeprefix(wrapper) in starter for path in paths)
    return wrapper if known and not inside else ""


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
        obvious = [
            path
            for path in starter
            if family_of_path(path) == family
            and not any(part in PurePosixPath(path).name for part in NOT_OBVIOUS)
        ]
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
    """Java alone says in its text which file it is: by a package and a public type."""
    writes: dict[str, Write] = {}
    for block in blocks:
        kind = JAVA_TYPE.search(block.text) if block.family == "java" else None
        folder = _java_folder(block.text, starter)
        path = f"{folder}/{kind[1]}.java" if kind and folder is not None else None
        if path is not None and path not in taken and path not in starter:
            writes[path] = Write(path, block.text, Strength.GUESSED, block.closed)
    return list(writes.values())
