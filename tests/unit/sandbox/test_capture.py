import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.sandbox.process import Capture, Exact

GAP = re.compile(r"\n\[… ([\d,]+) bytes left out …\]\n")
# One byte a character, so that lengths of text are lengths of bytes.
CHUNKS = st.lists(st.binary(max_size=30).map(lambda data: bytes(97 + b % 20 for b in data)))


@given(limit=st.integers(1, 64), chunks=CHUNKS)
def test_a_stream_within_the_limit_is_kept_whole(limit: int, chunks: list[bytes]) -> None:
    whole = b"".join(chunks)[:limit]
    capture = Capture(limit)
    for start in range(0, len(whole), 7):
        capture.feed(whole[start : start + 7])
    assert capture.text() == whole.decode()
    assert not capture.truncated
    assert capture.total == len(whole)


@given(limit=st.integers(1, 64), chunks=CHUNKS)
def test_head_and_tail_are_kept_and_never_more_than_the_limit(
    limit: int, chunks: list[bytes]
) -> None:
    whole = b"".join(chunks)
    capture = Capture(limit)
    for chunk in chunks:
        capture.feed(chunk)
    assert capture.total == len(whole)
    assert capture.truncated == (len(whole) > limit)
    parts = GAP.split(capture.text())
    if not capture.truncated:
        assert parts == [whole.decode()]
        return
    head, left_out, tail = parts
    assert len(head) + len(tail) == limit
    assert int(left_out) == len(whole) - limit
    assert whole.startswith(head.encode())
    assert whole.endswith(tail.encode())


@given(limit=st.integers(1, 64), chunks=CHUNKS)
def test_memory_stays_within_the_limit_and_one_chunk(limit: int, chunks: list[bytes]) -> None:
    capture = Capture(limit)
    longest = max(map(len, chunks), default=0)
    for chunk in chunks:
        capture.feed(chunk)
        assert len(capture._head) + sum(map(len, capture._tail)) <= limit + longest


def test_a_single_chunk_far_past_the_limit_is_cut() -> None:
    capture = Capture(10)
    capture.feed(b"a" * 5 + b"b" * 1_000_000 + b"c" * 5)
    assert capture.text() == "aaaaa\n[… 1,000,000 bytes left out …]\nccccc"


def test_bytes_that_are_not_text_are_replaced() -> None:
    capture = Capture(100)
    capture.feed(b"caf\xe9\n")
    assert capture.text() == "caf\ufffd\n"


def test_a_character_split_between_two_chunks_is_whole() -> None:
    capture = Capture(100)
    for byte in "é€".encode():
        capture.feed(bytes([byte]))
    assert capture.text() == "é€"


@given(limit=st.integers(0, 64), chunks=CHUNKS)
def test_an_exact_capture_keeps_the_beginning_and_says_when_it_dropped(
    limit: int, chunks: list[bytes]
) -> None:
    whole = b"".join(chunks)
    exact = Exact(limit)
    for chunk in chunks:
        exact.feed(chunk)
    assert exact.data() == whole[:limit]
    assert exact.truncated == (len(whole) > limit)


@pytest.mark.parametrize("size", [9, 10, 11])
def test_the_limit_itself_still_fits(size: int) -> None:
    exact, capture = Exact(10), Capture(10)
    exact.feed(b"x" * size)
    capture.feed(b"x" * size)
    assert exact.truncated == capture.truncated == (size > 10)
