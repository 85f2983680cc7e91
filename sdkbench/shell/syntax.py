"""`parse`: any text becomes a tree or a problem with its place; nothing is ever raised.

The tree is read by our own reader (`sdkbench.shell.reader`). Where a dataset is validated,
`sdkbench.shell.validation` sets it against shfmt.
Time and memory are bounded: a text longer than `MAX_LENGTH` characters is a problem of its own, and
so is one nested deeper than the cursor's `MAX_DEPTH`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import lru_cache
from typing import Any, cast, get_args

from sdkbench.core.values import small_value
from sdkbench.shell.reader.cursor import Cursor, Stuck
from sdkbench.shell.reader.grammar import read_script
from sdkbench.shell.reader.tree import Literal, Node, Quoting, Script, Span, Word

# Far past any command a person or model writes; the worst text of this length found so far takes
# seconds, not minutes, so a judge can't be stalled by one answer.
MAX_LENGTH = 64 * 1024
# Trees of longer texts are not worth their memory.
REMEMBERED_LENGTH = 2_000
# By kind of node its fields that hold other nodes, the last first.
_LEAVES = (Span, Quoting, str, bool, str | None)
_INNER = {
    kind: [field.name for field in reversed(fields(kind)) if field.type not in _LEAVES]
    for kind in get_args(Node)
}


class ProblemKind(StrEnum):
    SYNTAX = "syntax"
    TOO_DEEP = "too_deep"
    TOO_LONG = "too_long"
    NUL = "nul"  # no process argument and no shell variable can hold one


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    kind: ProblemKind
    message: str
    position: int  # in characters
    line: int  # from 1
    column: int  # from 1


@small_value
class ParsedCommand:
    """Exactly one of `script` and `problem` is there. Blank text is an empty script."""

    text: str
    script: Script | None
    problem: SyntaxProblem | None


def parse(text: str) -> ParsedCommand:
    return _remembered(text) if len(text) <= REMEMBERED_LENGTH else _read(text)


@lru_cache(maxsize=64)
def _remembered(text: str) -> ParsedCommand:
    """Each judge reads the same answer for itself, one right after the other."""
    return _read(text)


def _read(text: str) -> ParsedCommand:
    if len(text) > MAX_LENGTH:
        message = f"longer than {MAX_LENGTH} characters"
        return _failed(text, ProblemKind.TOO_LONG, message, MAX_LENGTH)
    nul = text.find("\0")
    if nul >= 0:
        return _failed(text, ProblemKind.NUL, "holds a NUL character", nul)
    cursor = Cursor(text, read_script)
    try:
        script = read_script(cursor, frozenset())
        if cursor.position < len(text):
            raise cursor.stuck(f"unexpected {cursor.peek()}")
    except Stuck as stuck:
        deep = "deep" in stuck.message
        kind = ProblemKind.TOO_DEEP if deep else ProblemKind.SYNTAX
        return _failed(text, kind, stuck.message, stuck.position)
    return ParsedCommand(text, script, None)


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in source order, substitutions included."""
    waiting: list[object] = [node]
    while waiting:
        current = waiting.pop()
        inner = _INNER.get(type(current))
        if inner is not None:
            yield cast("Node", current)
            for name in inner:
                waiting.append(getattr(current, name))  # noqa: PERF401 - a list more is slower
        elif isinstance(current, tuple):
            waiting.extend(reversed(current))


def walk_commands(script: Script) -> Iterator[Node]:
    """As `walk`, but words that are one literal are left out with all they hold."""
    waiting: list[Any] = [script]
    while waiting:
        current = waiting.pop()
        kind = type(current)
        if kind is tuple:
            waiting += current[::-1]
            continue
        if kind is Word and len(current.parts) == 1 and type(current.parts[0]) is Literal:
            continue
        inner = _INNER.get(kind)
        if inner is not None:
            yield current
            waiting += [value for name in inner if (value := getattr(current, name))]


def _failed(text: str, kind: ProblemKind, message: str, position: int) -> ParsedCommand:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return ParsedCommand(text, None, SyntaxProblem(kind, message, position, line, column))
