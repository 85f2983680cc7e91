"""What a Go test printed, read for the message, the file and the line of its failure."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# t.Error and its kin: `    file_test.go:12: message`, more lines of it further to the right.
LOGGED = re.compile(r"^( +)(\S+\.go):([0-9]{1,9}): (.*)$")
CRASH = re.compile(r"^(?:panic|fatal error): .*$", re.MULTILINE)
RECOVERED = " [recovered"  # what Go adds where the panic was seen on its way
# Files of the project are named from its top on, those of Go and of other modules from the root.
FRAME = re.compile(r"^\t([^\s/][^\s:]*\.go):([0-9]{1,9})(?: \+0x[0-9a-f]+)?$", re.MULTILINE)
NOISE = re.compile(r"^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|FAIL|SKIP):|PASS$|FAIL\b)")
# The parts of a message by testify, of which the most telling is not the first.
LABEL = re.compile(r"^(Error Trace|Error|Messages|Test):[ \t]*(.*)$")
# An example that printed something else.
EXAMPLE = re.compile(r"^got:$", re.MULTILINE)
FAILED = re.compile(r"^\s*--- FAIL:", re.MULTILINE)
ABSENT = "it did not report that it passed"
MAX_MESSAGE = 4096


class FailureText(NamedTuple):
    """The failure in what a test printed, and where it happened."""

    message: str
    file: str | None = None
    line: int | None = None


def failure_in(text: str) -> FailureText:
    """The failure in what a test printed: a crash, else its first logged line, else its end."""
    crash = CRASH.search(text)
    if crash:
        frame = FRAME.search(text, crash.end())
        message = crash[0].partition(RECOVERED)[0]
        place = (frame[1], int(frame[2])) if frame else ()
        return FailureText(message[:MAX_MESSAGE], *place)
    lines = text.splitlines()
    for number, line in enumerate(lines):
        logged = LOGGED.match(line)
        if logged:
            deeper = " " * (len(logged[1]) + 1)
            more = [logged[4], *_continued(lines[number + 1 :], deeper)]
            message = _telling([part for part in more if part])
            return FailureText(message[:MAX_MESSAGE], logged[2], int(logged[3]))
    rest = [line.strip() for line in lines if line.strip() and not NOISE.match(line)]
    shown = rest if EXAMPLE.search(text) else rest[-3:]
    silent = "it or a part of it failed, and did not say why" if FAILED.search(text) else ABSENT
    return FailureText("\n".join(shown)[:MAX_MESSAGE] or silent)


def _continued(lines: Sequence[str], indent: str) -> Iterator[str]:
    for line in lines:
        if not line.startswith(indent) or LOGGED.match(line):
            return
        yield line.strip()


def _telling(lines: Sequence[str]) -> str:
    """What testify found first, then what its caller adds; anything else as it is."""
    parts: dict[str, list[str]] = {}
    label = ""
    for line in lines:
        match = LABEL.match(line)
        label, rest = (match[1], match[2]) if match else (label, line)
        parts.setdefault(label, []).append(rest)
    if "Error" not in parts or "Error Trace" not in parts:
        return "\n".join(lines)
    return "\n".join([*parts["Error"], *parts.get("Messages", ())]).strip()
