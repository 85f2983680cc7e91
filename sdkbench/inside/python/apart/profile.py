"""What a reference gave its tests, by the way in which they reached for it.

Proxies alone can be beaten: an object that answers comparisons as they come, where the reference
gives a number. So each way (`expected.app.Store().get()`) has a list of what came back there, and
what of an object's protocol the tests used. Plain data may always come: it is compared by the tests
themselves. Anything live that the reference did not give there is a departure.
"""

import datetime as dt
import decimal
import enum
import json
import pathlib
import re
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

MAX_PATH = 300
MOST_WAYS = 16  # by which one thing is known to come
MAX_DEPARTURES = 20
DATA = frozenset(
    {type(None), bool, int, float, complex, str, bytes, bytearray, slice, range, type(Ellipsis),
     dt.datetime, dt.date, dt.time, dt.timedelta, dt.timezone,
     decimal.Decimal, uuid.UUID, pathlib.PosixPath}
)  # fmt: skip
DATA_PACKAGES = ("numpy", "pyarrow", "pandas")
WHOLE = "whole:"
STAND_IN = "_apart_stand_in"  # an attribute of classes that stand in for the solution's
# Where tests never reached on the reference: it has no such name, say. No plain data is known there
# in whose place a live one could answer, and whatever is made of it is looked at in its turn.
UNSEEN = frozenset({"an object", "a class", "builtins.function", "named tuple", "enum"})
ITERATORS = frozenset({"builtins.generator", "builtins.async_generator"})
BASES = ("str", "int", "float", "bool", "bytes", "list", "tuple", "set", "frozenset", "dict")


def ways(path: str) -> list[str]:
    """One thing may come by several ways. They stand before what they lead to, line by line."""
    *fronts, rest = path.split("\n")
    return [f"{front}{rest}"[:MAX_PATH] for front in fronts] or [path[:MAX_PATH]]


def joined(path: str, other: str) -> str:
    """The path of what came by the one, and comes by the other now."""
    known = ways(path)
    more = [way for way in ways(other) if way not in known]
    if not more or len(known) + len(more) > MOST_WAYS:
        return path
    return "".join(f"{way}\n" for way in (*known, *more))


def in_words(sentence: str) -> str:
    """A path in it by the first of its ways."""
    return re.sub(r"(\S+)\n(?:\S+\n)*", r"\1", sentence)


class Profile:
    """Recording where no text is given, holding a solution to it otherwise."""

    def __init__(self, text: str | None) -> None:
        kept = json.loads(text) if text is not None else {}
        self.recording = text is None
        self._gave: dict[str, set[str]] = _sets(kept.get("gave", {}))
        self._protocol: dict[str, set[str]] = _sets(kept.get("protocol", {}))
        self._changed: set[str] = set(kept.get("changed", ()))
        self._values: dict[str, Any] = kept.get("values", {})
        self.copies: bool = kept.get("copies", False)  # tests keep their own of what they share
        self.changes: list[str] = []
        self.departures: list[str] = []

    def text(self) -> str:
        parts = {
            "gave": {path: sorted(kinds) for path, kinds in sorted(self._gave.items())},
            "protocol": {path: sorted(names) for path, names in sorted(self._protocol.items())},
            "changed": sorted(self._changed),
            "values": self._values,
        }
        return json.dumps(parts)

    def depart(self, sentence: str) -> None:
        sentence = in_words(sentence)
        if sentence not in self.departures and len(self.departures) < MAX_DEPARTURES:
            self.departures.append(sentence)

    def unknown(self, path: str, kinds: Iterable[str]) -> list[str]:
        """The live kinds among these that the reference did not give here."""
        if self.recording:
            for way in ways(path):
                self._gave.setdefault(way, set()).update(kinds)
            return []
        live = {kind for kind in kinds if not kind.startswith(WHOLE)}
        seen = [way for way in ways(path) if way in self._gave]
        if not seen:
            return sorted(live - UNSEEN)
        # By whatever way it came: what is allowed on one must not be allowed on another.
        return sorted({kind for way in seen for kind in live - self._known(way)})

    def _known(self, way: str) -> set[str]:
        known = self._gave[way]
        if known & ITERATORS:  # a list of the same is looked at no otherwise
            return known | self._gave.get(f"{way}[]"[:MAX_PATH], set())
        return known

    def base(self, path: str) -> str | None:
        """The one kind of plain data that the reference gave here."""
        known = self._at(path) - {f"{WHOLE}NoneType"}
        outermost = [kind.removeprefix(WHOLE) for kind in known if kind.startswith(WHOLE)]
        return outermost[0] if len(outermost) == 1 and outermost[0] in BASES else None

    def gave_only(self, path: str, kind: str) -> bool:
        return self._at(path) == {kind}

    def gave_data(self, path: str) -> bool:
        known = self._at(path)
        return bool(known) and all(kind.startswith(WHOLE) for kind in known)

    def _at(self, path: str) -> set[str]:
        return set().union(*(self._gave.get(way, ()) for way in ways(path)))

    def may_use(self, path: str, name: str) -> bool:
        """Whether the tests use this part of an object's protocol on the reference, too."""
        if self.recording:
            for way in ways(path):
                self._protocol.setdefault(way, set()).add(name)
            return True
        return any(name in self._protocol.get(way, ()) for way in ways(path))

    def kept(self, name: str, value: Any) -> Any:
        """A value of the reference's: this one, if it is being recorded. None if there is none."""
        if self.recording and value is not None:
            return self._values.setdefault(name, value)
        return self._values.get(name)

    def may_change(self, path: str, origin: str) -> bool:
        """Whether the reference, too, changes here what came or was handed over at `origin`."""
        changed = {f"{way} changes {ways(origin)[0]}" for way in ways(path)}
        if self.recording:
            self._changed |= changed
            return True
        return bool(changed & self._changed)

    def changed_unasked(self, path: str) -> None:
        sentence = in_words(f"{path} changes what it was given, which the reference does not")
        if sentence not in self.changes and len(self.changes) < MAX_DEPARTURES:
            self.changes.append(sentence)


def _sets(kept: dict[str, list[str]]) -> dict[str, set[str]]:
    return {path: set(kinds) for path, kinds in kept.items()}


def kinds_of(value: object) -> set[str]:
    """What a value consists of; plain data is named by its outermost kind."""
    return (
        {*_kinds(value), f"{WHOLE}{type(value).__name__}"} if is_data(value) else {*_kinds(value)}
    )


def _kinds(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind in DATA:
            continue
        if kind is dict or (isinstance(each, dict) and kind.__module__ == "collections"):
            waiting += each.keys()
            waiting += each.values()
        elif isinstance(each, list | tuple | set | frozenset) or kind.__name__ == "deque":
            if kind.__module__ != "builtins" and hasattr(kind, "_fields"):
                yield "named tuple"
            waiting += each
        elif isinstance(each, enum.Enum):
            yield "enum"
        elif kind.__module__.partition(".")[0] not in DATA_PACKAGES:
            yield live_kind(each)


def live_kind(value: object) -> str:
    kind = getattr(type(value), "_apart_kind_", None)
    if isinstance(kind, str):
        return kind
    if isinstance(value, type):
        if STAND_IN in vars(value):
            return "a class"  # not by its name: honest solutions define it elsewhere
        return f"class {value.__module__}.{value.__qualname__}"
    if isinstance(value, BaseException):
        return "exception"
    return f"{type(value).__module__}.{type(value).__name__}"


def is_data(value: object) -> bool:
    return next(_kinds(value), None) is None
