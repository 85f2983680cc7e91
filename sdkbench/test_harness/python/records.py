"""Records of inside/python, which reports each phase of a test → evidence."""

import re
from typing import Literal

from sdkbench.sandbox import Completed, StoppedBy
from sdkbench.test_harness.evidence import CaseReport, Console, Evidence, late, to_failure
from sdkbench.test_harness.models import TestFailure, TestStatus
from sdkbench.test_harness.session import (
    Collected,
    Coverage,
    End,
    Failure,
    Record,
    Records,
    RunError,
    Start,
    read_records,
)

COUNT = re.compile(r"(\d+) ([a-z]+)")
LAST_LINE = re.compile(r"(\d{1,9} [a-z]+( [a-z]+)?(, )?)+ in [\d.]+s( \([\d:]+\))?")
PHASES = ("setup", "call", "teardown")
NOT_STARTED = 125  # the exit code of a run whose workspace could not be made
KILL, XCPU = 9, 24


class Phase(Failure):
    """One phase of a test, or one subtest of it."""

    kind: Literal["report", "subtest"]
    id: str
    when: str
    outcome: str
    xfail: bool
    seconds: float
    reason: str = ""


class RunRecord(Record):
    """How one of several forked runs ended, and its own records."""

    kind: Literal["run"]
    run_nonce: str
    exit_code: int | None
    signal: int | None
    stopped_by: StoppedBy | None
    seconds: float
    records: str  # a character for each byte
    overflow: bool
    truncated: bool
    stdout: str
    stderr: str

    def completed(self, session: Completed) -> Completed:
        """As if this run had had a sandbox of its own."""
        stopped = self.stopped_by
        if stopped is None and self.signal == XCPU:
            stopped = StoppedBy.CPU
        if stopped is None and self.signal == KILL and session.notes:
            stopped = StoppedBy.MEMORY  # the sandbox noted that a process was killed for it
        return Completed(
            exit_code=self.exit_code,
            signal=self.signal,
            stopped_by=stopped,
            stdout=self.stdout,
            stderr=self.stderr,
            truncated=self.truncated,
            channel=self.records.encode("latin-1"),
            channel_truncated=self.overflow,
            duration_seconds=self.seconds,
            level=session.level,
            unapplied=session.unapplied,
            notes=session.notes,
        )


OWN_RECORDS = (Phase, RunRecord)


def to_runs(records: Records, session: Completed) -> list[tuple[Completed, Records]] | None:
    """One pair for each run, in order; None where a workspace could not be made: our fault.

    Fewer than what was asked for where the session itself was cut short.
    """
    runs = []
    for run in records.of(RunRecord):
        if run.exit_code == NOT_STARTED and not run.records:
            return None
        completed = run.completed(session)
        channel, nonce = completed.channel, run.run_nonce
        runs.append((completed, read_records(channel, nonce, OWN_RECORDS, truncated=run.overflow)))
    return runs


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
