"""What programs inside send fits the channel, whatever judged code makes them say."""

import json
import os
import tempfile
from collections.abc import Callable, Iterator

import pytest

from sdkbench.inside import channel
from sdkbench.inside.channel import Channel
from sdkbench.inside.protocol import Order
from sdkbench.sandbox import Limits
from sdkbench.test_harness.session import Built, Case, Records, read_records

Send = Callable[[dict[str, object]], None]


@pytest.fixture
def sent() -> Iterator[tuple[Send, Callable[[], bytes]]]:
    """A channel into a file: how to write to it, and what it holds."""
    with tempfile.TemporaryFile() as stream:
        order = Order(workspace="/w", channel_fd=str(os.dup(stream.fileno())), nonce="n")
        writer = Channel(order)

        def data() -> bytes:
            stream.seek(0)
            return stream.read()

        yield writer.send, data
        os.close(int(order["channel_fd"]))


def case(number: int, text: str) -> dict[str, object]:
    told = dict.fromkeys(("message", "trace", "output", "reason", "path"), text)
    ended = {"kind": "case", "status": "failed", "expected_failure": False, "seconds": 0.1}
    return {**ended, "id": f"t{number}", **told}


def read(data: bytes) -> Records:
    assert len(data) < Limits().channel_bytes
    records = read_records(data, "n")
    assert records.faults == ()
    return records


@pytest.mark.parametrize("text", ["long " * 1_200_000, "\0" * 6_000_000, "\ud800" * 1_000_000])
def test_a_message_of_megabytes_is_cut(sent: tuple[Send, Callable[[], bytes]], text: str) -> None:
    send, data = sent
    send(case(0, text))
    [told] = read(data()).of(Case)
    assert len(told.message) == channel.MAX_TEXT


def test_a_thousand_tests_that_fail_with_long_stories_fit(
    sent: tuple[Send, Callable[[], bytes]],
) -> None:
    send, data = sent
    for number in range(1000):
        send(case(number, "a story " * 100_000))
    assert len(list(read(data()).of(Case))) == 1000


def test_a_build_with_more_errors_than_anybody_reads_fits(
    sent: tuple[Send, Callable[[], bytes]],
) -> None:
    send, data = sent
    send({"kind": "built", "errors": ["x" * 1_000_000] * 20_000})
    [built] = read(data()).of(Built)
    assert len(built.errors) == channel.MAX_ERRORS


def test_short_texts_and_jars_stay_as_they_are(sent: tuple[Send, Callable[[], bytes]]) -> None:
    send, data = sent
    record: dict[str, object] = {
        "kind": "classes",
        "names": ["a"],
        "solution": "x" * 200_000,
        "tests": "",
    }
    send(record)
    assert json.loads(data()) == {**record, "nonce": "n", "number": 0}
