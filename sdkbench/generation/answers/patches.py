"""Edits in an answer: unified diffs, SEARCH/REPLACE blocks, `*** Begin Patch`; and `apply`."""

import itertools
import re
from collections.abc import Iterator, Sequence

from sdkbench.generation.answers.paths import LONGEST_MARK, cleaned, is_path
from sdkbench.generation.answers.proposed_files import (
    Action,
    Change,
    FileEdit,
    Remove,
    Write,
    join_lines,
    split_lines,
)

HUNK = re.compile(r"^@@(?:\s*-(\d+)(?:,\d+)?\s+\+\d+(?:,\d+)?\s*@@.*|.*)$")
OLD_FILE, NEW_FILE = re.compile(r"^--- (\S+)"), re.compile(r"^\+\+\+ (\S+)")
SEARCH = re.compile(r"^<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)?\b.*$|^<{5,9}$")
DIVIDE, REPLACE = re.compile(r"^={5,9}\s*$"), re.compile(r"^>{5,9}.*$")
PATCH_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$")
PATCH_END = re.compile(r"^\*\*\* (?:End Patch|End of File|Begin Patch|Move to).*$")
NOWHERE = "/dev/null"


def is_diff(text: str) -> bool:
    lines = text.split("\n")
    headers = any(
        OLD_FILE.match(old) and NEW_FILE.match(new) for old, new in itertools.pairwise(lines)
    )
    return headers or (any(HUNK.match(line) for line in lines) and "\n+" in f"\n{text}")


def is_patch(text: str) -> bool:
    return any(PATCH_FILE.match(line) for line in text.split("\n"))


def has_search(text: str) -> bool:
    return next(_searches(text.split("\n")), None) is not None


def read_diff(text: str, path: str | None) -> Iterator[Action]:
    """The files of a unified diff; hunks without a header belong to `path`."""
    for name, removed, body in _diffed(text.split("\n"), path):
        if removed and name is not None:
            yield Remove(name)
        elif name is not None:
            changes = tuple(_hunks(body))
            if changes:
                yield FileEdit(name, changes)


def read_patch(text: str) -> Iterator[Action]:
    """The `*** Update File: x` format, whose hunks carry no line numbers."""
    kind, path, body = "", "", list[str]()
    for line in [*text.split("\n"), "*** Delete File: "]:
        header = PATCH_FILE.match(line) or re.match(r"^\*\*\* (Delete) File: ()$", line)
        if header is None:
            if not PATCH_END.match(line):
                body.append(line)
            continue
        if kind == "Add":
            yield Write(path, join_lines(line[1:] for line in body if line.startswith("+")))
        elif kind == "Delete":
            yield Remove(path)
        elif kind == "Update":
            yield FileEdit(path, tuple(_hunks(body)))
        kind, path, body = header[1], cleaned(header[2]), []


def read_search(text: str, path: str | None) -> Iterator[Action]:
    """SEARCH/REPLACE pairs; the path is on the line above, else it is `path`."""
    for above, old, new in _searches(text.split("\n")):
        name = cleaned(above.strip().lstrip("#/ "))
        path = name if is_path(name) else path
        if path is None:
            continue
        if any(line.strip() for line in old):
            yield FileEdit(path, (Change(tuple(old), tuple(new)),))
        else:
            yield Write(path, join_lines(new))


def _searches(lines: Sequence[str]) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each pair with the last line of words above it."""
    above, old, new = "", list[str](), list[str]()
    inside: list[str] | None = None
    for line in lines:
        if inside is None and SEARCH.match(line):
            old, new = [], []
            inside = old
        elif inside is old and DIVIDE.match(line):
            inside = new
        elif inside is new and REPLACE.match(line):
            yield above, old, new
            above, inside = "", None
        elif inside is not None:
            inside.append(line)
        elif line.strip() and not line.lstrip().startswith("```"):
            above = line[:LONGEST_MARK]


def apply(changes: Sequence[Change], text: str | None) -> str | None:
    """The text after all changes; None if one of them does not fit."""
    if text is None:
        if all(not any(change.old) for change in changes):
            return join_lines(line for change in changes for line in change.new)
        return None
    lines = split_lines(text)
    for change in changes:
        place = _place(lines, change)
        if place is not None:
            there = lines[place : place + len(change.old)]
            lines[place : place + len(change.old)] = _indented(change, there)
            continue
        # An editing tool's old text may begin and end within a line.
        whole, old = "\n".join(lines), "\n".join(change.old)
        if not old.strip() or old not in whole:
            return None
        lines = whole.replace(old, "\n".join(change.new), 1).split("\n")
    return join_lines(lines)


def _place(lines: Sequence[str], change: Change) -> int | None:
    """Where the old lines are: exactly, else without trailing spaces, else without indentation."""
    if not change.old:
        return min(len(lines) if change.line is None else change.line, len(lines))
    size = len(change.old)
    for shape in (str, str.rstrip, str.strip):
        old = [shape(line) for line in change.old]
        places = [
            at
            for at in range(len(lines) - size + 1)
            if [shape(line) for line in lines[at : at + size]] == old
        ]
        if places:
            hint = change.line or 0
            return min(places, key=lambda at: abs(at - hint))
    return None


def _indented(change: Change, there: Sequence[str]) -> Sequence[str]:
    """The new lines, indented as the old ones are in the file."""
    for old, line in zip(change.old, there, strict=True):
        if line.strip():
            lead, given = (text[: len(text) - len(text.lstrip())] for text in (line, old))
            return [_shifted(new, lead, given) for new in change.new]
    return change.new


def _shifted(line: str, lead: str, given: str) -> str:
    if lead == given:
        return line
    if not line.strip():
        return ""
    return lead + line[len(given) :] if line.startswith(given) else line


def _diffed(lines: Sequence[str], path: str | None) -> Iterator[tuple[str | None, bool, list[str]]]:
    """For each file of a diff: its path, whether it is removed, the lines of its hunks."""
    name, removed, body = path, False, list[str]()
    at = 0
    while at < len(lines):
        old = OLD_FILE.match(lines[at])
        new = NEW_FILE.match(lines[at + 1]) if old and at + 1 < len(lines) else None
        if old and new:
            yield name, removed, body
            removed = new[1] == NOWHERE
            name = re.sub(r"^[ab]/", "", cleaned(old[1] if removed else new[1]))
            body = []
            at += 2
            continue
        if not re.match(
            r"^(?:diff --git |index [0-9a-f]|new file mode|deleted file|similarity)", lines[at]
        ):
            body.append(lines[at])
        at += 1
    yield name, removed, body


def _hunks(body: Sequence[str]) -> Iterator[Change]:
    old: list[str] = []
    new: list[str] = []
    line: int | None = None
    while body and not body[-1].strip():
        body = body[:-1]
    for text in [*body, "@@"]:
        hunk = HUNK.match(text)
        if hunk:
            if old != new:
                yield Change(tuple(old), tuple(new), line)
            old, new = [], []
            line = max(0, int(hunk[1]) - 1) if hunk[1] else None
        elif text.startswith("+"):
            new.append(text[1:])
        elif text.startswith("-"):
            old.append(text[1:])
        elif not text.startswith("\\"):
            # Context; models forget the space before an empty line.
            old.append(text.removeprefix(" "))
            new.append(old[-1])
