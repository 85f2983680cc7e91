"""A task of java_boot: a project judged on its own tests, built by Maven and tested by Surefire.

Surefire's reports are read when Maven has ended and nothing that was started is left alive.
"""

import os
import re
import shutil
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree as ET

from ..protocol import Built, End, Order

if TYPE_CHECKING:
    from .boot import Session

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


def run(order: MavenOrder, session: "Session") -> int:
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


def _build(order: MavenOrder, session: "Session") -> bool:
    log = os.path.join(os.environ["TMPDIR"], "build.txt")
    failed = session.run([*order["maven"], "test-compile"], order["env"], output=log)
    session.end_children()
    errors = _errors(log, order["workspace"]) if failed else []
    session.send(Built(kind="built", errors=errors))
    return not errors


def _test(order: MavenOrder, session: "Session", *, built: bool) -> int:
    pid = session.start([*order["maven"], *order["goals"]], order["env"])
    while not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        time.sleep(POLL_SECONDS)
        if not built and _made_by_surefire():
            built = True
            session.send(Built(kind="built", errors=[]))
    status: int = session.wait(pid)
    session.end_children()
    if not built and status and not _report_folders():
        if not _build(order, session):
            return status
    elif not built:
        session.send(Built(kind="built", errors=[]))
    cases = [case for folder in _report_folders() for case in _read(folder, order["sources"])]
    for case in _numbered(cases):
        session.send({"kind": "case", **case})
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
    found = [line for line in said if line and ".java:[" in line]
    return found or ["\n".join(filter(None, said)) or output.strip()]


def _read(folder: str, sources: dict[str, str]) -> list[dict[str, Any]]:
    cases = []
    for name in sorted(os.listdir(folder)):
        if REPORT.match(name):
            tree = ET.parse(os.path.join(folder, name))  # noqa: S314 - Surefire's own file
            cases += [_case(case, sources) for case in tree.iter("testcase")]
    return cases


def _case(case: ET.Element, sources: dict[str, str]) -> dict[str, Any]:
    owner = case.get("classname") or ""
    name = (case.get("name") or "").replace("()", "")
    fields: dict[str, Any] = {
        # A class that can't be set up is reported as a test without a name.
        "id": f"{owner}::{name}" if name else owner,
        "status": "passed",
        "expected_failure": False,
        "seconds": float((case.get("time") or "0").replace(",", "")),
        "reason": "",
    }
    skipped = case.find("skipped")
    if skipped is not None:
        fields |= {"status": "skipped", "reason": skipped.get("message") or ""}
    for kind in ("failure", "error"):
        found = case.find(kind)
        if found is not None:
            trace = (found.text or "")[:MAX_TEXT]
            outer = owner.partition("$")[0]
            line = re.search(rf"at {re.escape(owner)}\S*\(\w+\.java:(\d+)\)", trace)
            fields |= {
                "status": "failed",
                "message": found.get("message") or found.get("type") or "",
                "trace": trace,
                "path": sources.get(outer),
                "line": int(line[1]) if line else None,
            }
    return fields


def _numbered(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Surefire may call several runs of one test by one name."""
    seen: Counter[str] = Counter()
    for case in cases:
        seen[case["id"]] += 1
        if seen[case["id"]] > 1:
            case["id"] += f" ({seen[case['id']]})"
    return cases
