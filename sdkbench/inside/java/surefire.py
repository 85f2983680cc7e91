"""Surefire's reports, read as test cases: what failed, why, and where in the project."""

import os
import re
from typing import NamedTuple
from xml.etree import ElementTree as ET

from ..protocol import Case

MAX_TEXT = 16 * 1024
REPORTS = "surefire-reports"
COMPILED = "test-classes"
REPORT = re.compile(r"^TEST-.*\.xml$")
CAUSE = re.compile(r"^\s*Caused by: (.+)$", re.MULTILINE)
FRAME = re.compile(r"^\s*at (?:[^\s(]*/)?([\w.$]+)\.[\w$<>]+\([^():]*:(\d{1,9})\)", re.MULTILINE)


class Thrown(NamedTuple):
    """A trace, and where in the project its cause came from."""

    causes: tuple[str, ...]  # of one another, the last one is where it began
    path: str | None
    line: int | None


def made_by_surefire() -> list[str]:
    """Folders that are there once a test class is about to run, beside what was compiled."""
    return sorted(
        os.path.join(current, folder)
        for current, folders, _ in os.walk(".")
        if os.path.basename(current) == "target" or COMPILED in folders
        for folder in ("surefire", REPORTS)
        if folder in folders
    )


def read_reports(folders: list[str], sources: dict[str, str]) -> list[Case]:
    cases = []
    for folder in folders:
        for name in sorted(filter(REPORT.match, os.listdir(folder))):
            tree = ET.parse(os.path.join(folder, name))  # noqa: S314 - Surefire's own file
            cases += [read_case(case, sources) for case in tree.iter("testcase")]
    return cases


def read_case(element: ET.Element, sources: dict[str, str]) -> Case:
    owner = element.get("classname") or ""
    name = (element.get("name") or "").replace("()", "")
    case = Case(
        kind="case",
        # A class that can't be set up is reported as a test without a name.
        id=f"{owner}::{name}" if name else owner,
        status="passed",
        expected_failure=False,
        seconds=float((element.get("time") or "0").replace(",", "")),
        reason="",
    )
    skipped = element.find("skipped")
    if skipped is not None:
        case |= {"status": "skipped", "reason": skipped.get("message") or ""}
    for problem in [*element.findall("failure")[:1], *element.findall("error")[:1]]:
        trace = problem.text or ""
        thrown = read_trace(trace, owner, sources)
        message = problem.get("message") or ""
        kind = problem.get("type") or ""
        if not message:
            message = kind
        elif problem.tag == "error" and kind and not message.startswith(kind):
            message = f"{kind}: {message}"
        case |= {
            "status": "failed",
            "message": with_cause(message, thrown.causes),
            "trace": trace[:MAX_TEXT],
            "path": thrown.path,
            "line": thrown.line,
        }
    return case


def with_cause(message: str, causes: tuple[str, ...]) -> str:
    """The first line says where it began, too."""
    if not causes or causes[-1] in message:
        return message
    first, end, rest = message.partition("\n")
    return f"{first} (caused by {causes[-1]}){end}{rest}"


def read_trace(trace: str, owner: str, sources: dict[str, str]) -> Thrown:
    """The deepest frame of the innermost cause that is of the project, else of the whole."""
    causes = list(CAUSE.finditer(trace))
    for start in (causes[-1].end() if causes else 0, 0):
        for frame in FRAME.finditer(trace, start):
            path = sources.get(frame[1].partition("$")[0])
            if path is not None:
                return Thrown(tuple(c[1].strip() for c in causes), path, int(frame[2]))
    path = sources.get(owner.partition("$")[0])
    return Thrown(tuple(c[1].strip() for c in causes), path, None)
