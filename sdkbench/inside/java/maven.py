"""A task of boot.py: a project judged on its own tests, built by Maven and tested by Surefire.

Surefire's reports are read when Maven has ended and nothing that was started is left alive.
"""

import os
import re
import shutil
import time
from collections import Counter
from typing import Literal
from xml.etree import ElementTree as ET

from ..processes import end_children, exit_code, has_ended
from ..protocol import Built, Case, End, Order
from .session import Session, as_shell

MAX_OUTPUT = 256 * 1024
MAX_TEXT = 16 * 1024
POLL_SECONDS = 0.1
REPORTS = "surefire-reports"
REPORT = re.compile(r"^TEST-.*\.xml$")
NOISE = ("[ERROR] To see the full", "[ERROR] Re-run Maven", "[ERROR] For more information",
         "[ERROR] [Help", "[ERROR] -> [Help", "[ERROR] After correcting")  # fmt: skip


class MavenOrder(Order):
    task: Literal["maven"]
    maven: list[str]
    goals: list[str]
    env: dict[str, str]
    build: bool
    several_modules: bool
    run_tests: bool
    sources: dict[str, str]  # test class → its file


def run(order: MavenOrder, session: Session) -> int:
    os.chdir(order["workspace"])
    for folder in _made_by_surefire():
        shutil.rmtree(folder)  # of an earlier life
    # One module is built and tested in one go; of several, one could be tested before another
    # turns out not to compile.
    built = not order["build"]
    if order["build"] and (order["several_modules"] or not order["run_tests"]):
        if not _build(order, session):
            return 1
        built = True
    elif built:
        session.send(Built(kind="built", errors=[]))
    return _test(order, session, built=built) if order["run_tests"] else 0


def _build(order: MavenOrder, session: Session) -> bool:
    log = os.path.join(os.environ["TMPDIR"], "build.txt")
    failed = session.run([*order["maven"], "test-compile"], order["env"], output=log)
    end_children()
    errors = _errors(log, order["workspace"]) if failed else []
    session.send(Built(kind="built", errors=errors))
    return not errors


def _test(order: MavenOrder, session: Session, *, built: bool) -> int:
    pid = session.start([*order["maven"], *order["goals"]], order["env"])
    while not has_ended(pid):
        time.sleep(POLL_SECONDS)
        if not built and _made_by_surefire():
            built = True
            session.send(Built(kind="built", errors=[]))
    status = as_shell(exit_code(pid))
    end_children()
    if not built and status and not _report_folders():
        if not _build(order, session):
            return status
    elif not built:
        session.send(Built(kind="built", errors=[]))
    cases = _read(_report_folders(), order["sources"])
    for case in cases:
        session.send(case)
    if any(case["status"] == "failed" for case in cases) == bool(status):
        session.send(End(kind="end", status=status))
    return status


def _made_by_surefire() -> list[str]:
    """Folders that are there once the first test class is about to run."""
    return sorted(
        os.path.join(current, folder)
        for current, folders, _ in os.walk(".")
        if os.path.basename(current) == "target"
        for folder in ("surefire", REPORTS)
        if folder in folders
    )


def _report_folders() -> list[str]:
    return [folder for folder in _made_by_surefire() if os.path.basename(folder) == REPORTS]


def _errors(log: str, workspace: str) -> list[str]:
    with open(log, encoding="utf-8", errors="replace") as stream:
        output = stream.read(MAX_OUTPUT)
    said = dict.fromkeys(
        line.removeprefix("[ERROR]").strip().removeprefix(f"{workspace}/")
        for line in output.splitlines()
        if line.startswith("[ERROR]") and not line.startswith(NOISE)
    )
    errors = [line for line in said if ".java:[" in line]
    return errors or ["\n".join(filter(None, said)) or output.strip()]


def _read(folders: list[str], sources: dict[str, str]) -> list[Case]:
    cases = []
    for folder in folders:
        for name in sorted(filter(REPORT.match, os.listdir(folder))):
            tree = ET.parse(os.path.join(folder, name))  # noqa: S314 - Surefire's own file
            cases += [_case(case, sources) for case in tree.iter("testcase")]
    return _numbered(cases)


def _case(element: ET.Element, sources: dict[str, str]) -> Case:
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
        trace = (problem.text or "")[:MAX_TEXT]
        line = re.search(rf"at {re.escape(owner)}\S*\(\w+\.java:(\d+)\)", trace)
        case |= {
            "status": "failed",
            "message": problem.get("message") or problem.get("type") or "",
            "trace": trace,
            "path": sources.get(owner.partition("$")[0]),
            "line": int(line[1]) if line else None,
        }
    return case


def _numbered(cases: list[Case]) -> list[Case]:
    """Surefire may call several runs of one test by one name."""
    seen: Counter[str] = Counter()
    for case in cases:
        seen[case["id"]] += 1
        if seen[case["id"]] > 1:
            case["id"] += f" ({seen[case['id']]})"
    return cases
