"""A generated file against the starter's, line by line, with the words of its language coloured."""

import difflib
import functools
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from pygments.util import ClassNotFound

from sdkbench.core import Value
from sdkbench.report.pages.visible import decoded, visible

CONTEXT_LINES = 3
# Lexers and differs are quick on code as people write it. Judged code may be anything.
MAX_COMPARED_BYTES = 400_000
MAX_COMPARED_LINES = 4_000
MAX_PAIRS = 20_000  # of equal lines: what the differ goes through again and again
POPULAR_FROM = 200  # lines: from here on difflib leaves out those that are more than a hundredth
MAX_COLOURED_BYTES = 100_000
MAX_COLOURED_LINE = 2_000
MAX_LINE = 1_000  # characters shown
COLOURING_SECONDS = 1.0
DIFFS_KEPT = 256
COLOURED_KEPT = 128  # a sample's starter is one side of every attempt at it
# The first that fits: one letter for each colour of the page.
COLOURS: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "c"),
    (String, "s"),
    (Number, "m"),
    (Keyword.Type, "t"),
    (Keyword, "k"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Decorator, "f"),
    (Name.Builtin, "b"),
    (Name.Tag, "k"),
    (Name.Attribute, "b"),
)

Opcode = tuple[str, int, int, int, int]
Tokens = tuple[str, ...]  # colour, text, colour, text, …


class FileChange(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    SAME = "same"
    WHOLE = "whole"  # nothing to compare with


class DiffLine(NamedTuple):
    """`mark` is "+", "-", " " or "…" where lines are left out, which the tokens then say."""

    mark: str
    old: int | None
    new: int | None
    tokens: Tokens


class FileDiff(Value):
    name: str
    change: FileChange
    added: int = 0
    removed: int = 0
    note: str = ""
    lines: tuple[DiffLine, ...] = ()


@functools.lru_cache(DIFFS_KEPT)
def file_diff(
    name: str, before: bytes | None, after: bytes | None, most_lines: int, *, has_starter: bool
) -> FileDiff:
    """`before` is None where the starter has no such file, `after` where the solution has none."""
    shown = visible(name)
    change = _change(before, after, has_starter=has_starter)
    if change is FileChange.SAME:
        return FileDiff(name=shown, change=change)
    old_text, new_text = decoded(before or b""), decoded(after or b"")
    size = len(before or b"") + len(after or b"")
    if old_text is None or new_text is None:
        return FileDiff(name=shown, change=change, note=f"binary, {size:,} bytes")
    old, new = visible(old_text).splitlines(), visible(new_text).splitlines()
    if size > MAX_COMPARED_BYTES or len(old) + len(new) > MAX_COMPARED_LINES:
        return FileDiff(
            name=shown, change=change, note=f"too large to show: {size:,} bytes, {len(new):,} lines"
        )
    lines = list(_lines(name, tuple(old), tuple(new)))
    return FileDiff(
        name=shown,
        change=change,
        added=sum(line.mark == "+" for line in lines),
        removed=sum(line.mark == "-" for line in lines),
        lines=tuple(_bounded(lines, most_lines)),
    )


def _change(before: bytes | None, after: bytes | None, *, has_starter: bool) -> FileChange:
    if not has_starter:
        return FileChange.WHOLE
    if before is None:
        return FileChange.ADDED
    if after is None:
        return FileChange.REMOVED
    return FileChange.SAME if before == after else FileChange.CHANGED


def _bounded(lines: Sequence[DiffLine], most: int) -> Sequence[DiffLine]:
    if len(lines) <= most:
        return lines
    return [*lines[:most], _gap(f"{len(lines) - most:,} more lines left out here")]


def _gap(words: str) -> DiffLine:
    return DiffLine(mark="…", old=None, new=None, tokens=("", words))


def _lines(name: str, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[DiffLine]:
    old_tokens, new_tokens = _coloured(name, old), _coloured(name, new)
    end = 0
    for group in _groups(old, new):
        begin = group[0][3]
        if begin > end:
            yield _gap(f"{begin - end:,} lines as in the starter")
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                for i, j in zip(range(old_from, old_to), range(new_from, new_to), strict=True):
                    yield DiffLine(mark=" ", old=i + 1, new=j + 1, tokens=new_tokens[j])
                continue
            for i in range(old_from, old_to):
                yield DiffLine(mark="-", old=i + 1, new=None, tokens=old_tokens[i])
            for j in range(new_from, new_to):
                yield DiffLine(mark="+", old=None, new=j + 1, tokens=new_tokens[j])
        end = group[-1][4]
    if 0 < end < len(new):
        yield _gap(f"{len(new) - end:,} lines as in the starter")


def _groups(old: Sequence[str], new: Sequence[str]) -> Iterable[list[Opcode]]:
    """What differs, with its context; all of it where comparing could take minutes."""
    repeated = Counter(new)
    popular = len(new) // 100 + 1 if len(new) >= POPULAR_FROM else len(new)
    pairs = sum(repeated[line] for line in old if repeated[line] <= popular)
    if pairs > MAX_PAIRS:
        return [[("replace", 0, len(old), 0, len(new))]]
    return difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT_LINES)


@functools.lru_cache(COLOURED_KEPT)
def _coloured(name: str, lines: tuple[str, ...]) -> list[Tokens]:
    """One for each line; without colours where there is no lexer, or it would take long."""
    plain = [("", line[:MAX_LINE] + ("…" if len(line) > MAX_LINE else "")) for line in lines]
    lexer = _lexer(name)
    too_much = sum(map(len, lines)) > MAX_COLOURED_BYTES
    if lexer is None or too_much or max(map(len, lines), default=0) > MAX_COLOURED_LINE:
        return list(plain)
    deadline = time.monotonic() + COLOURING_SECONDS
    coloured: list[list[str]] = [[]]
    for kind, text in lexer.get_tokens("\n".join(lines)):
        if time.monotonic() > deadline:
            return list(plain)
        colour = _colour(kind)
        for number, part in enumerate(text.split("\n")):
            if number:
                coloured.append([])
            if part:
                _append(coloured[-1], colour, part)
    # A lexer that drops or adds a line has no say on what stands in which.
    shown = coloured[: len(lines)]
    same = len(shown) == len(lines) and all(
        "".join(tokens[1::2]) == line for tokens, line in zip(shown, lines, strict=True)
    )
    return [tuple(tokens) for tokens in shown] if same else list(plain)


def _append(tokens: list[str], colour: str, text: str) -> None:
    if tokens and tokens[-2] == colour:
        tokens[-1] += text
    else:
        tokens += [colour, text]


@functools.lru_cache(64)
def _lexer(name: str) -> Lexer | None:
    try:
        return get_lexer_for_filename(name.rpartition("/")[2], stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@functools.cache
def _colour(kind: _TokenType) -> str:
    parents = set(kind.split())
    return next((colour for parent, colour in COLOURS if parent in parents), "")
