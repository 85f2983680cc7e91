"""Records from JSON Lines, one after the other."""

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NoReturn

Record = dict[str, Any]


class Damaged(Exception):
    """A line that holds no record, in a strict program."""


def no_json(constant: str) -> NoReturn:
    raise ValueError(constant)


def opened(place: str) -> contextlib.AbstractContextManager[BinaryIO]:
    return contextlib.nullcontext(sys.stdin.buffer) if place == "-" else open(place, "rb")


def records(places: list[str], skipped: Callable[[str], None]) -> Iterator[Record]:
    for place in places:
        with opened(place) as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line.decode(), parse_constant=no_json)
                except ValueError:
                    skipped(f"{place}:{number}: not JSON")
                    continue
                if isinstance(record, dict):
                    yield record
                else:
                    skipped(f"{place}:{number}: not an object")
