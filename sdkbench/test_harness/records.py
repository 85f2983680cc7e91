"""Reading a channel: JSON lines that each carry the run's nonce and the next number."""

import json
from typing import Any, NamedTuple


class Records(NamedTuple):
    """The records up to the first that does not fit, and what was wrong with it."""

    items: tuple[dict[str, Any], ...]
    faults: tuple[str, ...]


def read_records(data: bytes, nonce: str, *, truncated: bool = False) -> Records:
    """Check every line; anything that our own writer cannot have written is a fault.

    A last line without its end is a writer that died in mid-word: no fault, but no record.
    """
    items: list[dict[str, Any]] = []
    faults = ["the channel overflowed"] if truncated else []
    lines = data.split(b"\n")
    for number, line in enumerate(lines[:-1]):
        record = _record(line)
        if record is None:
            faults.append(f"record {number} is not readable")
            break
        if record.pop("nonce", None) != nonce:
            faults.append(f"record {number} does not carry the run's nonce")
            break
        if record.pop("number", None) != len(items):
            faults.append(f"record {number} is out of order")
            break
        items.append(record)
    return Records(tuple(items), tuple(faults))


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
        if b"\\ud" in line.lower():
            # Half of a surrogate pair (a byte of a file name, say) could not be stored or shown.
            text = json.dumps(record, ensure_ascii=False)
            record = json.loads(text.encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
        return None
    return record
