"""Records of inside/python, which reports each phase of a test → evidence."""

import re
from typing import Literal

from sdkbench.sandbox import Completed
from sdkbench.test_harness.evidence import CaseReport, Console, Evidence
from sdkbench.test_harness.examination import late, to_failure
from sdkbench.test_harness.models import TestFailure, TestStatus
from sdkbench.test_harness.protocol import (
    Collected,
    Coverage,
    End,
    Failure,
    Record,
    Records,
    RunError,
    Start,
)

COUNT = re.compile(r"(\d+) ([a-z]+)")
LAST_LINE = re.compile(r"(\d{1,9} [a-z]+( [a-z]+)?(, )?)+ in [\d.]+s( \([\d:]+\))?")
PHASES = ("setup", "call", "teardown")


class Phase(Failure):
    """One phase of a test, or one subtest of it."""

    kind: Literal["report", "subtest"]
    id: str
    when: str
    outcome: str
    xfail: bool
    seconds: float
    reason: str = ""


OWN_RECORDS = (Phase,)


def to_evidence(records: Records, completed: Completed) -> Evidence:
    """Phases folded into one report for each test; what doesn't fold is a fault, not a guess."""
    folder = _Folder()
    faults = [*records.faults, *filter(None, map(folder.take, records.items))]
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
