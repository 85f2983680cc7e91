"""Records as JSON Lines."""

import json
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO


def write(found: Iterable[dict[str, Any]], place: str) -> None:
    if place == "-":
        put(found, sys.stdout.buffer)
        return
    target = Path(place)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as stream:
        try:
            put(found, stream)
            stream.flush()
            Path(stream.name).replace(target)
        except BaseException:
            Path(stream.name).unlink()
            raise


def put(found: Iterable[dict[str, Any]], stream: BinaryIO) -> None:
    for record in found:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        stream.write(line.encode() + b"\n")
    stream.flush()
