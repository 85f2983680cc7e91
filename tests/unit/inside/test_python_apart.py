"""The tests' end of the crossing: values come through as they are, and nothing else does."""

import collections
import contextlib
import datetime as dt
import decimal
import json
import math
import os
import pathlib
import pickle
import random
import socket
import struct
import subprocess
import threading
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.inside.python.apart import wire
from sdkbench.inside.python.apart.code_run import CodeRun
from sdkbench.inside.python.apart.exceptions import Broken, Undecidable
from sdkbench.inside.python.apart.link import Link
from sdkbench.inside.python.apart.profile import Profile, is_data, joined, kinds_of, ways
from sdkbench.inside.python.apart.shared import Shared, make_alike
from sdkbench.inside.python.apart.standins import Standins

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary(max_size=50)
    | st.decimals(allow_nan=False)
    | st.uuids()
    | st.datetimes()
    | st.dates()
    | st.timedeltas()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=20,
)
JSON_NODES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=20,
)
TAGS = [
    *[
        "i",
        "f",
        "L",
        "T",
        "S",
        "F",
        "D",
        "OD",
        "CO",
        "DQ",
        "b",
        "ba",
        "c",
        "dt",
        "dz",
        "da",
        "ti",
        "td",
        "tz",
        "de",
        "u",
        "p",
        "sl",
        "rg",
        "el",
        "ns",
        "np",
        "as",
        "ad",
        "af",
        "at",
    ],
    *[
        "ab",
        "aa",
        "ac",
        "ax",
        "pd",
        "ps",
        "cb",
        "te",
        "fn",
        "B",
        "X",
        "C",
        "ob",
        "m",
        "it",
        "ai",
        "aw",
        "en",
        "nt",
        "ex",
        "R",
        "h",
        "zz",
    ],
]


def refuse(*_: object) -> Any:
    raise wire.WireError("live")


def crossed(value: object) -> Any:
    encoder = wire.Encoder(refuse)
    node = json.loads(json.dumps(encoder.encode(value), allow_nan=False))
    return wire.Decoder(encoder.blobs, refuse).decode(node)


@given(VALUES)
def test_plain_data_comes_through_as_it_is(value: object) -> None:
    back = crossed(value)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        math.inf, -math.inf, 10**400, -(1 << 70), 1 + 2j, {1, 2}, frozenset({"a"}), bytearray(b"x"),
        collections.OrderedDict(a=1), collections.Counter("aab"), collections.deque([1], maxlen=3),
        pathlib.Path("/a/b"), range(1, 9, 2), slice(1, None), ..., b"x" * 10_000, uuid.UUID(int=7),
        decimal.Decimal("1E+5"),
        dt.datetime(2024, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=2))), dt.time(1, 2, 3),
    ],
    ids=repr,
)  # fmt: skip
def test_values_of_every_kind_come_through(value: object) -> None:
    assert crossed(value) == value
    assert type(crossed(value)) is type(value)


def test_not_a_number_comes_through() -> None:
    assert math.isnan(crossed(math.nan))


@pytest.mark.parametrize(
    "make", [lambda: [[]] * 5, lambda: "x", dict], ids=["list", "text", "dict"]
)
def test_what_is_too_deep_is_refused_with_its_measure(make: Callable[[], object]) -> None:
    value = make()
    for _ in range(wire.MAX_DEPTH + 2):
        value = [value]
    with pytest.raises(wire.TooLarge, match="60 deep"):
        wire.Encoder(refuse).encode(value)


def test_a_number_of_too_many_digits_is_refused() -> None:
    with pytest.raises(wire.TooLarge, match="digits"):
        wire.Encoder(refuse).encode(1 << (5 * wire.MAX_DIGITS))


@settings(max_examples=500)
@given(st.sampled_from(TAGS), st.lists(JSON_NODES, max_size=6))
def test_no_node_makes_the_decoder_raise_anything_else(tag: str, rest: list[Any]) -> None:
    with contextlib.suppress(wire.WireError):
        wire.Decoder([b"", b"1234"], refuse).decode([tag, *rest])


@pytest.mark.parametrize(
    "frame",
    [
        struct.pack("<II", 1 << 31, 0),
        struct.pack("<II", 2, 5000),
        struct.pack("<IIQ", 2, 1, 1 << 60),
        struct.pack("<II", 2, 0) + b"{}",
        struct.pack("<II", 3, 0) + b"NaN",
        struct.pack("<II", 100_000, 0) + b"[" * 100_000,
        struct.pack("<II", 5001, 0) + b"1" * 5001,
        struct.pack("<II", 2, 0) + b"\xff\xff",
    ],
    ids=["long", "blobs", "blob", "object", "constant", "deep", "digits", "bytes"],
)
def test_frames_that_are_not_of_our_writing_are_refused(frame: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sender = threading.Thread(target=theirs.sendall, args=(frame,))
        sender.start()
        with pytest.raises(wire.WireError):
            wire.Socket(ours).receive()
        sender.join()


class Hostile:
    """A solution's side that answers with what it is given."""

    def __init__(self, answers: list[Any], profile: str | None = None) -> None:
        self._ours, self._theirs = socket.socketpair()
        self._answers = answers
        self._thread = threading.Thread(target=self._serve, daemon=True)
        standins = Standins()
        self.link = standins.link = Link(self._ours, Profile(profile), standins)

    def __enter__(self) -> Link:
        self._ours.settimeout(5)
        self._thread.start()
        self.link.hello()
        self.link.begin("a test")
        return self.link

    def __exit__(self, *_: object) -> None:
        self._ours.close()
        self._theirs.close()
        self._thread.join()

    def _serve(self) -> None:
        stream = wire.Socket(self._theirs)
        with contextlib.suppress(OSError, EOFError, wire.WireError, ValueError):
            stream.send(["hello", wire.VERSION, []], [])
            for answer in self._answers:
                stream.receive()
                if isinstance(answer, bytes):
                    self._theirs.sendall(answer)
                else:
                    stream.send(answer, [])
        with contextlib.suppress(OSError):
            self._theirs.shutdown(socket.SHUT_RDWR)


def returned(node: Any, changes: Any = ()) -> list[Any]:
    return ["returned", node, list(changes), ["", ""], [], []]


def data_only() -> str:
    """What a reference gave that only ever gave a list there."""
    profile = Profile(None)
    profile.unknown("expected.app.f()", kinds_of([1]))
    return profile.text()


DATA_ONLY = data_only()


def asked(link: Link) -> Any:
    return link.ask("call", [["h", 1]], ([1, 2],), {}, "expected.app.f()")


def test_an_answer_comes_through() -> None:
    with Hostile([returned(["L", 1, "a"])]) as link:
        assert asked(link) == [1, "a"]


FORGED = {
    "a framework's exception": ["X", "_pytest.outcomes", "Skipped", 3],
    "an interruption": ["B", "KeyboardInterrupt", 3],
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_exceptions_that_decide_on_tests_are_plain_ones_here(name: str) -> None:
    place = ["L", "expected.app", "Skipped"]
    description = ["T", "Skipped", "exception", ["L"], ["L"], ["L"], None, None, False, place]
    error = ["ex", FORGED[name], [], "", [], None, "", ["L"], None]
    answers = [["raised", error, [], ["", ""], [], []], returned(description)]
    with Hostile(answers) as link:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - the kind is what is looked at
            asked(link)
        assert not isinstance(caught.value, KeyboardInterrupt | pytest.skip.Exception)


@pytest.mark.parametrize(
    "answer",
    [
        returned(["zz"]),
        returned(["cb", 99]),
        returned(["R", 2, ["L"]]),
        returned(["R", 77]),
        returned(["en", 1, "RED"]),
        ["returned"],
        "text",
        None,
        ["unknown", 1, [], ["", ""], [], []],
        ["raised", 3, [], ["", ""], [], []],
        ["call", ["call", 5, [], []], [], ["", ""], [], []],
        ["returned", 1, [["x", 1]], ["", ""], [], []],
        ["returned", 1, [], [3, 4], [], []],
        ["returned", 1, [], ["", ""], [["a"]], []],
        b"\0" * 40,
    ],
    ids=repr,
)
def test_a_side_that_breaks_the_protocol_is_not_asked_again(answer: Any) -> None:
    with Hostile([answer]) as link:
        with pytest.raises(Broken):
            asked(link)
        assert link.gone
        with pytest.raises(Broken):
            asked(link)


def test_a_side_that_is_gone_ends_every_test() -> None:
    with Hostile([]) as link, pytest.raises(Broken, match="has ended"):
        asked(link)


OBJECT = returned(["ob", 5, ["C", 6]])
AGREES = returned(
    [
        "T",
        "Any",
        "class",
        ["L"],
        ["L"],
        ["L", "__eq__", "__len__", "__bool__"],
        None,
        None,
        True,
        ["L", "expected.app", "Any"],
    ]
)


@pytest.mark.parametrize(
    "use",
    [lambda x: x == 1, lambda x: x != 1, lambda x: x < 1, lambda x: x in [1, 2], hash, bool, len],
    ids=["==", "!=", "<", "in", "hash", "bool", "len"],
)
def test_a_handle_never_decides(use: Callable[[Any], object]) -> None:
    profile = Profile(None)
    profile.unknown("expected.app.f()", ["an object"])
    with Hostile([OBJECT, AGREES, returned(1)], profile.text()) as link:
        value = asked(link)
        with pytest.raises(Undecidable):
            use(value)
        assert link.profile.departures


def test_an_object_where_the_reference_gave_data_is_a_departure() -> None:
    with Hostile([OBJECT, AGREES, OBJECT, OBJECT], DATA_ONLY) as link:
        with pytest.raises(Undecidable, match="which the reference does not give"):
            asked(link)
        assert link.profile.departures


def test_a_changed_argument_is_told_unless_the_reference_changes_it() -> None:
    values = [1, 2]
    for profile in (None, DATA_ONLY):
        values[:] = [1, 2]
        with Hostile([returned(None, [[2, ["L"]]])], profile) as link:
            link.ask("call", [["h", 1]], (values,), {}, "expected.app.f()")
        assert values == []
        assert bool(link.profile.changes) is (profile is not None)


def test_tests_may_hold_copies_of_what_is_changed() -> None:
    values = [1, 2]
    copies = json.dumps(json.loads(DATA_ONLY) | {"copies": True})
    with Hostile([returned(None, [[2, ["L"]]]), returned(["R", 2])], copies) as link:
        link.ask("call", [["h", 1]], (values,), {}, "expected.app.f()")
        assert values == [1, 2]
        # What the solution gives back is what it has made of it.
        assert link.ask("call", [["h", 1]], (), {}, "expected.app.f()") == []


def test_a_stop_iteration_is_an_error_like_any_other() -> None:
    error = ["ex", ["B", "StopIteration", 9], [], "", [], None, "", ["L"], None]
    stop = ["raised", error, [], ["", ""], [], []]
    with Hostile([stop], DATA_ONLY) as link, pytest.raises(RuntimeError, match="StopIteration"):
        asked(link)


def hostile_node(chance: random.Random, depth: int = 0) -> Any:
    if depth > 4 or chance.random() < 0.35:
        return chance.choice(
            [None, True, 0, 1, -1, 1.5, "", "a", "__eq__", "x" * 99, "<i8", "json"]
        )
    rest = [hostile_node(chance, depth + 1) for _ in range(chance.randrange(5))]
    return [chance.choice(TAGS), *rest]


@pytest.mark.parametrize("seed", range(60))
def test_whatever_comes_a_test_only_ever_sees_what_it_can_handle(seed: int) -> None:
    chance = random.Random(seed)
    answers = [
        [chance.choice(["returned", "raised", "call", "x"]), hostile_node(chance),
         chance.choice([[], [[2, ["L"]]], "x"]), ["", ""], [], []]
        for _ in range(10)
    ]  # fmt: skip
    with Hostile(answers, chance.choice([None, DATA_ONLY])) as link:
        for _ in range(5):
            try:
                value = asked(link)
                is_data(value)
                repr(value)
            except (Broken, Undecidable):
                pass
            except Exception as error:  # noqa: BLE001 - raised in the solution's name
                assert type(error).__module__ in {"builtins", "json.decoder"}  # noqa: PT017


def test_the_profile_tells_live_kinds_from_data() -> None:
    profile = Profile(None)
    assert profile.unknown("a()", kinds_of([1, {"x": (2,)}])) == []
    assert profile.may_use("a()", "__len__")
    held = Profile(profile.text())
    assert held.unknown("a()", kinds_of("text")) == []
    assert held.unknown("a()", kinds_of(threading.Lock())) != []
    assert held.base("a()") == "list"
    assert held.may_use("a()", "__len__")
    assert not held.may_use("a()", "__eq__")
    assert not held.may_change("a()", "a()(0)")


@given(VALUES, VALUES)
def test_containers_are_made_alike_in_place(one: object, other: object) -> None:
    old, new = [one], [other]
    kept = old
    assert make_alike(old, new) == new
    assert old is kept


def test_changes_of_shared_containers_are_seen() -> None:
    shared, value = Shared(2), {"a": [1]}

    def encode(each: object) -> Any:
        return wire.Encoder(refuse).encode(each)

    shared.add_own(value, encode(value), 3, "a()")
    assert shared.changes(encode) == []
    value["a"].append(True)
    assert shared.changes(encode) == [[2, ["D", "a", ["L", 1, True]]]]
    value["a"][0] = 1.0  # type: ignore[call-overload]
    assert len(shared.changes(encode)) == 1
    assert shared.changes(encode) == []


def test_a_thing_that_came_by_two_ways_is_held_to_both() -> None:
    profile = Profile(None)
    profile.unknown("Query()", {"an object"})
    both = joined("Query()", "Query().where()")
    assert ways(f"{both}.text()") == ["Query().text()", "Query().where().text()"]
    assert joined(both, "Query()") == both
    profile.unknown(f"{both}.text()", {"whole:str"})
    profile.unknown("Other().text()", {"an object"})
    held = Profile(profile.text())
    for path in ("Query().where().text()", f"{joined('Other()', 'Query()')}.text()"):
        assert held.unknown(path, {"an object"}) == ["an object"]
        assert held.unknown(path, {"whole:int"}) == []
    assert held.unknown("Other().text()", {"an object"}) == []
    held.depart(f"{both}.text() gives an object")
    assert held.departures == ["Query().text() gives an object"]


def started(*words: str) -> None:
    subprocess.run(["true", *words], check=True)  # noqa: S607 - wherever it is


@pytest.mark.parametrize(
    ("run", "other"),
    [
        (lambda: eval("1 + 2"), lambda: eval("1 + 3")),  # noqa: S307
        (lambda: pickle.loads(b"cos\nsep\n."), lambda: pickle.loads(b"cos\nname\n.")),  # noqa: S301
        (lambda: started("1"), lambda: started("2")),
    ],
)
def test_what_tests_run_is_what_they_run_on_the_reference(
    run: Callable[[], object], other: Callable[[], object], tmp_path: Path
) -> None:
    def heard(profile: Profile, work: Callable[[], object]) -> list[str]:
        """In a process of its own: a hook stays for good."""
        reading, writing = os.pipe()
        if os.fork() == 0:
            link = Link(socket.socketpair()[0], profile, Standins())
            CodeRun(link, str(tmp_path)).listen()
            with contextlib.suppress(Undecidable):
                work()
            os.write(writing, json.dumps([profile.text(), link.profile.departures]).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as stream:
            text, departures = json.load(stream)
        profiles.append(text)
        return [str(each) for each in departures]

    profiles: list[str] = []
    assert heard(Profile(None), run) == []
    assert heard(Profile(profiles[0]), run) == []
    (departure,) = heard(Profile(profiles[0]), other)
    assert "which it does not on the reference" in departure
