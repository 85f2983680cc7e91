"""Records of go_boot, which carry what each test printed → evidence with messages and lines."""

import re
from typing import NamedTuple

from sdkbench.sandbox import Completed
from sdkbench.test_harness.evidence import Evidence
from sdkbench.test_harness.examination import case_evidence
from sdkbench.test_harness.protocol import Case, Records

# t.Error and its kin: `    file_test.go:12: message`, more lines of it further to the right.
LOGGED = re.compile(r"^( +)(\S+\.go):(\d{1,9}): (.*)$")
CRASH = re.compile(r"^((?:panic|fatal error): .*?)(?: \[recovered.*\])?$", re.MULTILINE)
FRAME = re.compile(r"^\t(?:\S*/)?(\S+_test\.go):(\d{1,9})(?: \+0x[0-9a-f]+)?$", re.MULTILINE)
NOISE = re.compile(r"^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|FAIL|SKIP):|PASS$|FAIL\b)")
MAX_MESSAGE = 4096


class Told(NamedTuple):
    message: str
    file: str | None = None
    line: int | None = None


def to_evidence(records: Records, completed: Completed, doubts: tuple[str, ...] = ()) -> Evidence:
    evidence = case_evidence(records, completed, _explained)
    return evidence.model_copy(update={"doubts": doubts})


def what_it_told(text: str) -> Told:
    """The failure in what a test printed: a crash, else its first logged line, else its end."""
    crash = CRASH.search(text)
    if crash:
        frame = FRAME.search(text, crash.end())
        place = (frame[1], int(frame[2])) if frame else (None, None)
        return Told(crash[1], *place)
    lines = text.splitlines()
    for number, line in enumerate(lines):
        logged = LOGGED.match(line)
        if logged:
            deeper = " " * (len(logged[1]) + 1)
            more = [logged[4]]
            for following in lines[number + 1 :]:
                if not following.startswith(deeper) or LOGGED.match(following):
                    break
                more.append(following.strip())
            message = "\n".join(part for part in more if part)
            return Told(message[:MAX_MESSAGE], logged[2], int(logged[3]))
    rest = [line.strip() for line in lines if line.strip() and not NOISE.match(line)]
    return Told("\n".join(rest[-3:])[:MAX_MESSAGE] or "it did not report that it passed")


def _explained(record: Case) -> Case:
    told = what_it_told(record.output)
    if record.status == "skipped":
        return record.model_copy(update={"reason": told.message})
    home = record.id.rpartition("::")[0]
    update = {"message": told.message, "path": _path(home, told.file), "line": told.line}
    return record.model_copy(update=update | {"trace": record.output})


def _path(home: str, file: str | None) -> str | None:
    """A bare name stands beside the file of its test, where that is known."""
    if file is None or not home.endswith(".go"):
        return file
    return f"{home.rpartition('/')[0]}/{file}".lstrip("/")
