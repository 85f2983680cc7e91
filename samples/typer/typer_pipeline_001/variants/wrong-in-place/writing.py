"""Records as JSON Lines."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO


def write(found: Iterable[dict[str, Any]], place: str) -> None:
    if place == "-":
        put(found, sys.stdout.buffer)
        return
    target = Path(place)
    with target.open("wb") as stream:
        put(found, stream)


def put(found: Iterable[dict[str, Any]], stream: BinaryIO) -> None:
    for record in found:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        stream.write(line.encode() + b"\n")
    stream.flush()
