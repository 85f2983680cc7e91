"""Containers that crossed and are kept alike on both sides until the test ends."""

import json
import marshal
from collections.abc import Callable
from typing import Any

from .wire import CONTAINERS, Encoder, Node

MAX_NODES = 4000  # of all of them together; the oldest are let go first


class Entry:
    def __init__(self, value: Any, ref: int, node: Node, size: int, origin: str) -> None:
        self.value = value
        self.origin = origin  # the way by which it came, or was handed over
        self.ref = ref
        self.size = size
        self.be_alike(node)

    def be_alike(self, node: Node) -> None:
        """Both sides have it as `node` says."""
        self.of_solution = self.value
        self.node = node
        self._mark = _mark(self.value)

    def differs(self, new: Any, node: Node) -> None:
        """The solution goes on with `new`, and this side keeps what it has."""
        self.be_alike(node)
        self.of_solution = new

    @property
    def is_unchanged(self) -> bool:
        """Surely; it may be unchanged all the same where this cannot tell."""
        return self._mark is not None and _mark(self.value) == self._mark


class Shared:
    """Each side numbers its own: the tests' are even, the solution's odd."""

    def __init__(self, first: int) -> None:
        self._next = first
        self._by_id: dict[int, Entry] = {}
        self._by_ref: dict[int, Entry] = {}
        self._size = 0

    def known(self, value: object) -> Entry | None:
        entry = self._by_id.get(id(value))
        return entry if entry is not None and entry.value is value else None

    def by_ref(self, ref: int) -> Entry | None:
        return self._by_ref.get(ref)

    def node_of(self, value: object, encoder: Encoder, origin: str = "") -> Node:
        """One argument or result: a container is shared from now on, anything else is not."""
        if type(value) not in CONTAINERS:
            return encoder.encode(value)
        known = self.known(value)
        if known is not None:
            return ["R", known.ref]
        blobs, nodes = len(encoder.blobs), encoder.nodes
        node = encoder.encode(value)
        if len(encoder.blobs) > blobs:
            return node  # too large to be looked at with every call
        return ["R", self.add_own(value, node, encoder.nodes - nodes + 1, origin), node]

    def add_own(self, value: object, node: Node, size: int, origin: str) -> int:
        ref = self._next
        self._next += 2
        self.add(value, ref, node, size, origin)
        return ref

    def add(self, value: object, ref: int, node: Node, size: int, origin: str = "") -> None:
        self.drop(ref)
        entry = Entry(value, ref, node, size, origin)
        self._by_id[id(value)] = self._by_ref[ref] = entry
        self._size += size
        while self._size > MAX_NODES and len(self._by_ref) > 1:
            self.drop(next(iter(self._by_ref)))

    def drop(self, ref: int) -> None:
        entry = self._by_ref.pop(ref, None)
        if entry is not None:
            self._by_id.pop(id(entry.value), None)
            self._size -= entry.size

    def clear(self) -> None:
        self._by_id.clear()
        self._by_ref.clear()
        self._size = 0

    def changes(self, encode: Callable[[object], Node]) -> list[Node]:
        """What changed on this side since both were alike: a reference and the new form each."""
        changed = []
        for entry in list(self._by_ref.values()):
            if entry.is_unchanged:
                continue
            now = encode(entry.value)
            if json.dumps(now) != json.dumps(entry.node):  # as values, 1, 1.0 and True are equal
                entry.be_alike(now)
                changed.append([entry.ref, now])
        return changed


def _mark(value: Any) -> bytes | None:
    """Bytes that differ where the value does; None where it holds more than the plainest data.

    Version 2 of the format says nothing of which parts are one and the same object.
    """
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        return None


def make_alike(old: Any, new: Any) -> Any:
    """`old` with the contents of `new`, in place; nested containers of one type stay the same."""
    if type(old) is list:
        kept = [_alike(a, b) for a, b in zip(old, new, strict=False)]
        old[:] = kept + new[len(old) :]
    elif type(old) is dict:
        fresh = {
            key: _alike(old[key], value) if key in old else value for key, value in new.items()
        }
        old.clear()
        old.update(fresh)
    elif type(old) is set:
        old.clear()
        old.update(new)
    else:
        old[:] = new
    return old


def _alike(old: Any, new: Any) -> Any:
    return make_alike(old, new) if type(old) is type(new) and type(old) in CONTAINERS else new
