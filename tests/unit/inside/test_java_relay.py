"""What the parent of the Java launcher passes on, and what it does not believe."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from sdkbench.inside.channel import Channel
from sdkbench.inside.java.tests import _Relay

NONCE = "n"


class Heard(Channel):
    """Stands where the channel is: keeps what was said in its own hand and what was not."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        self.unsigned: list[bytes] = []

    def send(self, record: Mapping[str, object]) -> None:
        self.said.append(dict(record))

    def send_unsigned(self, line: bytes) -> None:
        self.unsigned.append(line)


def line(number: int, kind: str = "start", nonce: str = NONCE, **fields: object) -> bytes:
    record = {"nonce": nonce, "number": number, "kind": kind, **fields}
    return json.dumps(record).encode() + b"\n"


def relay(*data: bytes) -> tuple[_Relay, Heard]:
    heard = Heard()
    found = _Relay({"a.T": "tests/a/T.java"}, heard, NONCE)
    for part in data:
        found.take(part)
    return found, heard


def test_records_are_said_again_without_the_launchers_nonce() -> None:
    case = line(1, "case", id="a.T::x", **{"class": "a.T$Inner"})
    found, heard = relay(line(0, id="a.T::x"), case[:20], case[20:], line(2, "end", status=1))
    assert heard.said == [
        {"kind": "start", "id": "a.T::x"},
        {"kind": "case", "id": "a.T::x", "path": "tests/a/T.java"},
    ]
    assert (found.status, found.broken, heard.unsigned) == (1, False, [])


def test_a_failure_is_placed_in_the_deepest_frame_that_is_known() -> None:
    frames = ["java.lang.Integer:652", "a.T$Inner:7", "a.T:3"]
    case = line(0, "case", id="a.T::x", frames=frames, **{"class": "a.T"})
    _, heard = relay(case)
    assert heard.said == [{"kind": "case", "id": "a.T::x", "path": "tests/a/T.java", "line": 7}]


@pytest.mark.parametrize(
    "forged",
    [
        line(1, nonce="guessed"),
        line(0),
        line(7),
        b"not json\n",
        b"[]\n",
        b'{"number": 1}\n',
        line(1, "end", status=0) + line(2),
        line(1, "end", status=0) + b"\n",
    ],
)
def test_anything_else_is_passed_on_unsigned_and_ends_belief(forged: bytes) -> None:
    found, heard = relay(line(0), forged, line(1), line(2))
    assert found.broken
    assert len(heard.unsigned) == 1
    assert [record["kind"] for record in heard.said] == ["start"]


def test_half_a_line_is_no_record() -> None:
    found, heard = relay(line(0), line(1)[:-1])
    assert (len(heard.said), found.broken, found.status) == (1, False, None)
