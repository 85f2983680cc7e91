"""go.mod and go.work as a stranger wrote them: modules and versions stay, the rest is refused."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import tree

MAX_BYTES = 1024 * 1024
MAX_LINE = 4096  # characters; no module's path is longer
MODULE_PATH = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._~/-]*$")
VERSION = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._+/-]*$")
GO_VERSION = re.compile(r"^1\.[0-9]{1,6}(?:\.[0-9]{1,6})?(?:(?:rc|beta)[0-9]{1,6})?$")
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|=>|[()]|[^\s()"`]+')
IGNORED = frozenset({"toolchain", "retract", "tool", "godebug", "ignore"})  # not for the one built
SEVERAL = 2  # words: a path and its version


class Replacement(NamedTuple):
    """`old` (at `old_version`, or any) is taken from `new`, a module at `new_version` or a path."""

    old: str
    old_version: str
    new: str
    new_version: str

    @property
    def is_local(self) -> bool:
        return not self.new_version

    def line(self) -> str:
        words = ("replace", self.old, self.old_version, "=>", self.new, self.new_version)
        return " ".join(word for word in words if word)


class GoMod(NamedTuple):
    """What matters of a go.mod. `refused` holds a sentence for each line we can't go by."""

    module: str = ""
    go: str = ""  # the language version, empty where none is named
    requires: tuple[tuple[str, str], ...] = ()
    replaces: tuple[Replacement, ...] = ()
    excludes: tuple[tuple[str, str], ...] = ()
    refused: tuple[str, ...] = ()


def read_go_mod(folder: Path) -> GoMod | None:
    """The go.mod in `folder`, or None where there is none."""
    text = _text(folder / "go.mod")
    return None if text is None else parse_go_mod(text)


def read_go_work(folder: Path) -> tuple[str, ...] | None:
    """The folders that go.work in `folder` uses, or None where there is no go.work."""
    text = _text(folder / "go.work")
    if text is None:
        return None
    return tuple(words[1] for _, words in _lines(text) if words[0] == "use" and len(words) > 1)


def parse_go_mod(text: str) -> GoMod:
    module, go = "", ""
    requires: list[tuple[str, str]] = []
    excludes: list[tuple[str, str]] = []
    replaces: list[Replacement] = []
    refused: list[str] = []
    for number, (verb, *rest) in _lines(text):
        if verb == "module" and len(rest) == 1 and MODULE_PATH.match(rest[0]):
            module = rest[0]
        elif verb == "go" and len(rest) == 1 and GO_VERSION.match(rest[0]):
            go = rest[0]
        elif verb in {"require", "exclude"} and _is_version(rest):
            (requires if verb == "require" else excludes).append((rest[0], rest[1]))
        elif verb == "replace" and (replacement := _replacement(rest)):
            replaces.append(replacement)
        elif verb not in IGNORED:
            refused.append(f"go.mod line {number}: {' '.join([verb, *rest])!r} is not understood")
    return GoMod(
        module, go, tuple(requires), tuple(replaces), tuple(excludes), tuple(refused)
    )  # fmt: skip


def _is_version(words: list[str]) -> bool:
    return (
        len(words) == SEVERAL
        and MODULE_PATH.match(words[0]) is not None
        and VERSION.match(words[1]) is not None
    )


def _replacement(words: list[str]) -> Replacement | None:
    if "=>" not in words:
        return None
    arrow = words.index("=>")
    old, new = words[:arrow], words[arrow + 1 :]
    if len(old) not in {1, SEVERAL} or len(new) not in {1, SEVERAL}:
        return None
    if not MODULE_PATH.match(old[0]) or (len(new) == SEVERAL and not _is_version(new)):
        return None
    return Replacement(
        old[0], old[1] if len(old) == SEVERAL else "",
        new[0], new[1] if len(new) == SEVERAL else "",
    )  # fmt: skip


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each directive with its line's number; those of a block carry the block's verb."""
    block = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw if len(raw) <= MAX_LINE else "a-line-too-long"
        words = [_unquoted(word) for word in TOKEN.findall(line.partition("//")[0])]
        if not words:
            continue
        if block:
            if words == [")"]:
                block = ""
            else:
                yield number, [block, *words]
        elif words[-1] == "(" and len(words) == SEVERAL:
            block = words[0]
        else:
            yield number, words


def _unquoted(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] in '"`' else word


def _text(path: Path) -> str | None:
    """The text; what can't be read reads as a line that is refused."""
    if not tree.is_file(path):
        return None
    try:
        if path.stat().st_size > MAX_BYTES:
            return "larger-than-1-MiB"
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return "not-readable-as-text"
