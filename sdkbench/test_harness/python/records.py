"""Records of inside/python, which reports each phase of a test → evidence."""

import itertools
import re
from typing import Literal

from sdkbench.sandbox import Completed
from sdkbench.test_harness.evidence import CaseReport, Console, Evidence, late, to_failure
from sdkbench.test_harness.models import TestFailure, TestStatus
from sdkbench.test_harness.session import (
    Case,
    Collected,
    Coverage,
    End,
    Failure,
    Record,
    Records,
    RunError,
    Seconds,
    Start,
)

COUNT = re.compile(r"([0-9]+) ([a-z]+)")
# As pytest writes its last line, wherever in a line of the console it may stand: what a thread
# prints at the same time can come before or after it.
PART = (
    r"[0-9]{1,9} (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|"
    r"subtests (?:passed|failed|skipped))"
)
LAST_LINE = re.compile(rf"{PART}(?:, {PART}){{0,10}} in [0-9]{{1,9}}\.[0-9]{{2}}s")
MAX_LAST_LINES = 10_000  # that are looked at
MAX_TRACE = 16 * 1024  # characters
USAGE_ERROR = 4  # pytest's status where it cannot begin
PHASES = ("setup", "call", "teardown")


class Phase(Failure):
    """One phase of a test, or one subtest of it."""

    kind: Literal["report", "subtest"]
    id: str
    when: str
    outcome: str
    xfail: bool
    seconds: Seconds
    reason: str = ""


class ProjectState(Record):
    """What came before the tests of a project that is judged on its own."""

    kind: Literal["project"]
    install_error: str
    uncompiled: tuple[str, ...]


OWN_RECORDS = (Phase, ProjectState)


def to_evidence(records: Records, completed: Completed) -> Evidence:
    """Phases folded into one report for each test; what doesn't fold is a fault, not a guess."""
    folder = _Folder()
    faults = [*records.faults, *filter(None, map(folder.take, records.items))]
    if folder.status == USAGE_ERROR and not folder.collection_errors:
        folder.collection_errors.append(_usage_error(completed))
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


def _usage_error(completed: Completed) -> TestFailure:
    """Why pytest refused to begin: it says so on the console alone."""
    lines = [line.strip() for line in completed.stderr.splitlines() if line.strip()]
    marked = [line[1:].strip() for line in lines if line.startswith("E ")]
    told = [line for line in lines if "rror: " in line and not line.startswith("ERROR: usage")]
    last = (marked or told or lines or ["no message"])[-1].removeprefix("ERROR: ")
    return TestFailure(
        test_name="pytest",
        error_message=f"pytest did not begin: {last}",
        stack_trace=completed.stderr[-MAX_TRACE:],
    )


def _console(stdout: str) -> tuple[Console, ...]:
    """The counts of every line that may be pytest's last; none where one test counts several times
    in it.
    """
    matches = itertools.islice(LAST_LINE.finditer(stdout), MAX_LAST_LINES)
    lines = {match[0].partition(" in ")[0] for match in matches}
    tables = [{word: int(n) for n, word in COUNT.findall(line)} for line in sorted(lines)]
    if any(table.keys() & {"rerun", "subtests"} for table in tables):
        return ()
    return tuple(
        Console(
            passed=counts.get("passed", 0) + counts.get("xpassed", 0),
            bad=sum(counts.get(word, 0) for word in ("failed", "error", "errors")),
        )
        for counts in tables
    )


class _Folder:
    """Follows the stream: start, setup, call, teardown, next test."""

    def __init__(self) -> None:
        self.collected: tuple[str, ...] = ()
        self.reports: list[CaseReport] = []
        self.collection_errors: list[TestFailure] = []
        self.running: str | None = None
        self.status: int | None = None
        self._phases: list[Phase] = []
        self._subtests: list[Phase] = []
        self._rerun = False

    def take(self, record: Record) -> str | None:
        """Add one record; a sentence if it can't follow what came before."""
        if self.status is not None and not isinstance(record, Coverage):
            return late(record)
        if isinstance(record, Collected):
            self.collected = record.ids
        elif isinstance(record, Case):
            skipped = TestStatus(record.status)
            self.reports.append(CaseReport(id=record.id, status=skipped, reason=record.reason))
        elif isinstance(record, RunError):
            self.collection_errors.append(to_failure(record, record.id))
        elif isinstance(record, Start):
            self.running, self._phases, self._subtests = record.id, [], []
        elif isinstance(record, Phase) and record.kind == "subtest":
            self._subtests.append(record)
        elif isinstance(record, Phase):
            return self._phase(record)
        elif isinstance(record, End):
            self.status = record.status
        return None

    def _phase(self, record: Phase) -> str | None:
        if record.id != self.running:
            return f"a report of {record.id} came while {self.running} was running"
        if self._rerun and record.when in {"setup", "teardown"}:
            # A plugin tries again: this try is over, and only the last one counts.
            self._phases, self._rerun = [], False
            if record.when == "teardown":
                return None
        if record.outcome == "rerun":
            self._rerun = True
            return None
        if record.when not in PHASES or record.when in {phase.when for phase in self._phases}:
            return f"{record.id} reported its {record.when} twice"
        self._phases.append(record)
        if record.when == "teardown":
            self.reports.append(_case(record.id, self._phases, self._subtests))
            self.running = None
        return None


def _case(name: str, phases: list[Phase], subtests: list[Phase]) -> CaseReport:
    failed = [phase for phase in [*subtests, *phases] if phase.outcome == "failed"]
    skipped = [phase for phase in phases if phase.outcome == "skipped"]
    if failed:
        in_call = any(phase.when == "call" for phase in failed)
        status = TestStatus.FAILED if in_call else TestStatus.ERROR
    elif skipped:
        status = TestStatus.SKIPPED
    elif any(phase.when == "call" and phase.outcome == "passed" for phase in phases):
        status = TestStatus.PASSED
    else:
        status = TestStatus.ERROR  # neither called nor skipped: nothing was shown
    return CaseReport(
        id=name,
        status=status,
        expected_failure=any(phase.xfail for phase in phases),
        duration_seconds=sum(phase.seconds for phase in phases),
        failure=to_failure(failed[0], failed[0].id) if failed else None,
        reason=skipped[0].reason if skipped else "",
    )
