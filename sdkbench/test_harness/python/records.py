"""Records of pytest_boot, which tells of each phase of a test → evidence."""

import re
from typing import Any

from sdkbench.sandbox import Completed
from sdkbench.test_harness.case_records import to_failure
from sdkbench.test_harness.evidence import CaseReport, Console, Evidence
from sdkbench.test_harness.models import TestFailure, TestStatus
from sdkbench.test_harness.records import Records

COUNT = re.compile(r"(\d+) ([a-z]+)")
LAST_LINE = re.compile(r"(\d+ [a-z]+( [a-z]+)?(, )?)+ in [\d.]+s( \([\d:]+\))?")
PHASES = ("setup", "call", "teardown")


def to_evidence(records: Records, completed: Completed) -> Evidence:
    """Phases folded into one report a test; what doesn't fold is a fault, not a guess."""
    folder = _Folder()
    faults = list(records.faults)
    for record in records.items:
        try:
            problem = folder.take(record)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            problem = f"a {record['kind']} record lacks what our writer puts in it"
        if problem:
            faults.append(problem)
    return Evidence(
        collected=tuple(folder.collected),
        reports=tuple(folder.reports),
        collection_errors=tuple(folder.collection_errors),
        ended=folder.status is not None,
        framework_exit=folder.status,
        running=folder.running,
        faults=tuple(faults),
        console=_console(completed.stdout),
        process=completed,
    )


def _console(stdout: str) -> Console | None:
    """The counts of pytest's last line; None where it prints none, or something came after."""
    last = stdout.rstrip().rpartition("\n")[2].strip("= ")
    if not LAST_LINE.fullmatch(last):
        return None
    counts = {word: int(number) for number, word in COUNT.findall(last)}
    if counts.keys() & {"rerun", "subtests"}:
        return None  # one test counts several times there
    bad = sum(counts.get(word, 0) for word in ("failed", "error", "errors"))
    return Console(passed=counts.get("passed", 0) + counts.get("xpassed", 0), bad=bad)


class _Folder:
    """Follows the stream: start, setup, call, teardown, next test."""

    def __init__(self) -> None:
        self.collected: list[str] = []
        self.reports: list[CaseReport] = []
        self.collection_errors: list[TestFailure] = []
        self.running: str | None = None
        self.status: int | None = None
        self._phases: list[dict[str, Any]] = []
        self._subtests: list[dict[str, Any]] = []
        self._rerun = False

    def take(self, record: dict[str, Any]) -> str | None:
        """Add one record; a sentence if it can't follow what came before."""
        kind = record["kind"]
        if self.status is not None and kind != "coverage":
            return f"a {kind} record came after the end of the run"
        if kind == "collected":
            if not isinstance(record["ids"], list):
                raise TypeError("ids")
            self.collected = [str(name) for name in record["ids"]]
        elif kind in {"collect_error", "internal_error"}:
            self.collection_errors.append(to_failure(record))
        elif kind == "start":
            self.running, self._phases, self._subtests = str(record["id"]), [], []
        elif kind == "subtest":
            self._subtests.append(record)
        elif kind == "report":
            return self._phase(record)
        elif kind == "end":
            if type(record["status"]) is not int:
                raise TypeError("status")
            self.status = record["status"]
        return None

    def _phase(self, record: dict[str, Any]) -> str | None:
        if record["id"] != self.running:
            return f"a report of {record['id']} came while {self.running} was running"
        if self._rerun and record["when"] in {"setup", "teardown"}:
            # A plugin tries again: this try is over, and only the last one counts.
            self._phases, self._rerun = [], False
            if record["when"] == "teardown":
                return None
        if record["outcome"] == "rerun":
            self._rerun = True
            return None
        done = [phase["when"] for phase in self._phases]
        if record["when"] not in PHASES or record["when"] in done:
            return f"{record['id']} reported its {record['when']} twice"
        self._phases.append(record)
        if record["when"] == "teardown":
            self.reports.append(_case(str(record["id"]), self._phases, self._subtests))
            self.running = None
        return None


def _case(name: str, phases: list[dict[str, Any]], subtests: list[dict[str, Any]]) -> CaseReport:
    by_when = {phase["when"]: phase for phase in phases}
    failed = [p for p in [*subtests, *phases] if p["outcome"] == "failed"]
    skipped = [p for p in phases if p["outcome"] == "skipped"]
    expected_failure = any(p["xfail"] for p in phases)
    if failed:
        in_call = any(p["when"] == "call" for p in failed)
        status = TestStatus.FAILED if in_call else TestStatus.ERROR
    elif skipped:
        status = TestStatus.SKIPPED
    elif by_when.get("call", {}).get("outcome") == "passed":
        status = TestStatus.PASSED
    else:
        status = TestStatus.ERROR  # neither called nor skipped: nothing was shown
    return CaseReport(
        id=name,
        status=status,
        expected_failure=expected_failure,
        duration_seconds=sum(float(p["seconds"]) for p in phases),
        failure=to_failure(failed[0]) if failed else None,
        reason=str(skipped[0].get("reason", "")) if skipped else "",
    )
