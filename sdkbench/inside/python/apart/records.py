"""Objects that are no more than their fields: dataclasses and the like, and when two are equal.

Both sides of a comparison may come from the solution. So one of them must be an object that the
test itself made: what it was made from is known here, and is compared with the fields of the other.
"""

import contextlib
import copy
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from . import wire
from .link import Link
from .live import ATTRIBUTE, state_of
from .profile import Profile, is_data, ways
from .shared import make_alike

Maker = Callable[[], Any]
DEFAULTS = "defaults of"


def fields_of(names: list[str]) -> dict[str, Any]:
    """What makes a class one of the standard library's dataclasses, for `asdict` and `fields`."""
    made: Any = dataclasses.make_dataclass("Fields", [(name, object) for name in names])
    kept: dict[str, Any] = made.__dataclass_fields__
    return kept


class Unsent(dict[str, Any]):
    """The state of an object that the test has made, and of which the solution knows nothing yet.

    What it is made from may be just what the test expects of another one. So the solution is told
    when it is asked for something; at the latest when the test ends.
    """

    target: Any  # whose state it is

    def __init__(self, link: Link, path: str, given: dict[str, Any], make: Maker) -> None:
        super().__init__(_apart_link=link, _apart_path=path, _apart_given=given)
        self["_apart_changed"] = set()
        self["_apart_then"] = _copied(given)  # a list may be changed before it is sent
        self._make = make

    @property
    def is_untouched(self) -> bool:
        """Whether its containers hold what they held when the test made it."""
        then: dict[str, Any] = self["_apart_then"]
        return all(self["_apart_given"][name] == value for name, value in then.items())

    def __missing__(self, name: str) -> Any:
        if name != "_apart_number":
            raise KeyError(name)
        link = self["_apart_link"]
        with _as_it_was(self["_apart_given"], self["_apart_then"]):
            made = self._make()
        if type(made) is not type(self.target):
            raise link.undecidable(f"{self['_apart_path']} gives something of another class")
        known = self["_apart_number"] = state_of(made)["_apart_number"]
        self["_apart_kept"] = made  # the solution may forget it together with us
        link.standins.stands_for(self.target, known)
        return known


def made(kind: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """An object of the solution's class that the test makes."""
    __tracebackhide__ = True
    link, number, class_path = kind._apart_class  # noqa: SLF001 - of ours
    path, profile = f"{class_path}()", link.profile

    def make() -> Any:
        return link.ask("call", [["h", number]], arguments, named, path)

    given = _given(kind, arguments, named)
    whole = _with_defaults(given, path, profile) if given is not None else None
    odd = path, "is not what it is given"
    if whole is not None and not profile.recording and not profile.may_use(*odd):
        target = object.__new__(kind)
        state = Unsent(link, path, whole, make)
        state.target = target
        object.__setattr__(target, ATTRIBUTE, state)
        link.unsent.append(target)
        return target
    try:
        target = make()
    except BaseException:
        profile.may_use(*odd)
        raise
    if type(target) is not kind or given is None or not _remembered(target, given, path):
        profile.may_use(*odd)
    return target


@contextlib.contextmanager
def _as_it_was(given: dict[str, Any], then: dict[str, Any]) -> Iterator[None]:
    """An object that is told of late is made from what its containers held when the test made it.
    What has changed in them since is told afterwards, as of all that both sides have.
    """
    now = _copied(given)
    try:
        _fill(given, then)
        yield
    finally:
        _fill(given, now)


def _copied(given: dict[str, Any]) -> dict[str, Any]:
    """Those that can change."""
    return {k: copy.deepcopy(v) for k, v in given.items() if type(v) in wire.CONTAINERS}


def _fill(given: dict[str, Any], contents: dict[str, Any]) -> None:
    for name, content in contents.items():
        if given[name] != content:
            make_alike(given[name], copy.deepcopy(content))


def _given(kind: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any] | None:
    """What is given, by its field, where that is plain data for fields."""
    names: tuple[str, ...] = kind._apart_fields  # noqa: SLF001
    given = {**dict(zip(names, arguments, strict=False)), **named}
    if len(arguments) > len(names) or not given.keys() <= set(names) or not is_data(given):
        return None
    return given


def _with_defaults(given: dict[str, Any], path: str, profile: Profile) -> dict[str, Any] | None:
    """With the reference's defaults, where they are known."""
    kept = _kept(path, given, profile, None)
    if kept is None or any(_holds_more(value) for value in given.values()):
        return None
    made: dict[str, Any] = wire.Decoder([], _refuse).decode(kept)
    return {**given, **made}


def _holds_more(value: Any) -> bool:
    """A container of what does not say whether it equals another, such as an array."""
    if type(value) not in wire.CONTAINERS:
        return False
    try:
        return not value == copy.deepcopy(value)  # noqa: SIM201 - it may say neither
    except Exception:  # noqa: BLE001 - or refuse to say
        return True


def _kept(path: str, given: dict[str, Any], profile: Profile, node: Any) -> Any:
    """By whatever way the class came."""
    found = [profile.kept(_way(way, given), node) for way in ways(path)]
    return next((each for each in found if each is not None), None)


def _way(path: str, given: dict[str, Any]) -> str:
    return f"{DEFAULTS} {path} beside {', '.join(sorted(given))}"


def _remembered(target: Any, given: dict[str, Any], path: str) -> bool:
    """Keep what the test made an object from; False where the class makes something else of it."""
    state = state_of(target)
    link: Link = state["_apart_link"]
    now = _fields(target)
    if now is None or any(now[name] != value for name, value in given.items()):
        return False
    defaults = {name: value for name, value in now.items() if name not in given}
    kept = _kept(path, given, link.profile, _node(defaults))
    if kept is None:
        return False
    state["_apart_given"] = {**given, **wire.Decoder([], _refuse).decode(kept)}
    return True


def are_equal(one: Any, other: Any) -> bool:
    """Of two objects of one class. Raises Undecidable where the test made neither of them."""
    link: Link = state_of(one)["_apart_link"]
    values = [_fields(one), _fields(other)]
    for index, target in enumerate((one, other)):
        state = state_of(target)
        given = state.get("_apart_given")
        # A class may keep a list of the test's as it is, or as it was.
        for kept in (given, given and {**given, **state.get("_apart_then", {})}):
            if kept is not None and kept == values[index]:
                return values[1 - index] is not None and kept == values[1 - index]
    raise link.undecidable(
        f"== on objects of the solution's ({state_of(one)['_apart_path']}), none of which the test "
        "made itself: compare their attributes"
    )


def _fields(target: Any) -> dict[str, Any] | None:
    """By the solution's word; None where they are not all plain data."""
    state = state_of(target)
    if isinstance(state, Unsent) and "_apart_number" not in state and state.is_untouched:
        return dict(state["_apart_given"])
    names = type(target)._apart_fields  # noqa: SLF001
    words = [["h", state["_apart_number"]], ["L", *names]]
    values = state["_apart_link"].ask("fields", words, None, None, None)
    if type(values) is not tuple or len(values) != len(names) or not is_data(values):
        return None
    return dict(zip(names, values, strict=True))


def _node(values: dict[str, Any]) -> Any:
    encoder = wire.Encoder(_refuse)
    node = encoder.encode(values)
    return None if encoder.blobs else node


def _refuse(*_: object) -> Any:
    raise wire.WireError("plain data was expected")
