"""Evidence: what a channel saw of a run, before anyone judges it; read from a session's records."""

import bisect
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence

from sdkbench.core import Project
from sdkbench.sandbox import Completed, StoppedBy
from sdkbench.test_harness.models import (
    BuildResult,
    TestFailure,
    TestResult,
    TestStatus,
    Value,
)
from sdkbench.test_harness.session import (
    Built,
    Case,
    Collected,
    End,
    Failure,
    Record,
    Records,
    RunError,
    Start,
    Tampered,
)

THE_RUN = "test run"  # what a failure is called that is of no single test
NO_TEST = "outside of any test"  # the same for an error that has no file either
WARNING = re.compile(r"\bwarn(?:ing)?\b", re.IGNORECASE)
MAX_WARNINGS = 200
OUT_OF_TIME = frozenset({StoppedBy.WALL, StoppedBy.CPU})


class CaseReport(Value):
    """One report of one test. The same id may come twice; that is for integrity to judge."""

    id: str
    status: TestStatus
    expected_failure: bool = False  # xfail, test.failing and the like: never a clean pass
    duration_seconds: float = 0.0
    failure: TestFailure | None = None
    reason: str = ""  # why it was skipped

    @property
    def is_bad(self) -> bool:
        return self.status in {TestStatus.FAILED, TestStatus.ERROR}

    @property
    def is_clean(self) -> bool:
        """A pass that nobody expected to fail."""
        return self.status is TestStatus.PASSED and not self.expected_failure

    def under(self, name: str) -> "CaseReport":
        """The same report of a test by another name."""
        failure = self.failure and self.failure.model_copy(update={"test_name": name})
        return self.model_copy(update={"id": name, "failure": failure})


class Console(Value):
    """What a line on the console says that the framework may have written as its last."""

    passed: int
    bad: int  # failures and errors


class Evidence(Value):
    """A run, by its channel (`reports` … `faults`) and by the process's end (`process`)."""

    collected: tuple[str, ...] = ()
    reports: tuple[CaseReport, ...] = ()
    collection_errors: tuple[TestFailure, ...] = ()
    ended: bool = False  # the framework's own end of run is on record
    framework_exit: int | None = None  # what the framework said it would exit with
    running: str | None = None  # the test in flight when the record stops
    faults: tuple[str, ...] = ()  # records that were forged, garbled, out of order or cut off
    doubts: tuple[str, ...] = ()  # means to forge all of this that the judged code has at hand
    # Where the framework prints such a line. The solution may print what looks the same; the
    # framework's own is one of them.
    console: tuple[Console, ...] = ()
    tried: tuple[str, ...] = ()  # files in which tests were looked for, below the workspace
    process: Completed

    def without(self, ids: Collection[str]) -> "Evidence":
        """The same run, as if these tests had not been in it."""
        kept = tuple(report for report in self.reports if report.id not in ids)
        collected = tuple(name for name in self.collected if name not in ids)
        return self.model_copy(update={"reports": kept, "collected": collected})

    def renamed(self, names: Mapping[str, str]) -> "Evidence":
        """The same run, with other ids for those that are keys of `names`."""
        reports = tuple(
            report.model_copy(update={"id": names.get(report.id, report.id)})
            for report in self.reports
        )
        collected = tuple(names.get(name, name) for name in self.collected)
        running = names.get(self.running, self.running) if self.running else self.running
        changes = {"reports": reports, "collected": collected, "running": running}
        return self.model_copy(update=changes)

    def numbered(self) -> "Evidence":
        """The same run, with a number after each id that was there before: a project may give
        several tests one title.
        """
        names = _numbered([report.id for report in self.reports])
        reports = tuple(
            report if report.id == name else report.under(name)
            for report, name in zip(self.reports, names, strict=True)
        )
        collected = tuple(_numbered(self.collected))
        return self.model_copy(update={"reports": reports, "collected": collected})

    @property
    def load_errors(self) -> list[TestFailure]:
        """Errors of test files that reported no test at all: they could not be loaded.

        An error of no file counts only where nothing was reported. Else it came while tests ran,
        such as that of a promise which nobody waited for.
        """
        ids = sorted(report.id for report in self.reports)
        during = {NO_TEST} if ids else set()
        return [
            error
            for error in self.collection_errors
            if error.test_name not in during and not _begins(error.test_name, ids)
        ]

    @property
    def failures(self) -> list[TestFailure]:
        failed = [r.failure for r in self.reports if r.failure is not None]
        return [*self.collection_errors, *failed]

    @property
    def ending(self) -> TestFailure | None:
        """What ended the run before its end, as a failure of the test that was running then."""
        if self.ended and self.process.stopped_by is None:
            return None
        process = self.process
        limit = process.stopped_by is not None
        kind = "timeout" if process.stopped_by in OUT_OF_TIME else "limit" if limit else "crash"
        where = f" while {self.running} was running" if self.running else ""
        message = f"{kind}: the test run ended early{where}: {process.ending()}"
        if limit:
            message += f" after {process.duration_seconds:.0f} s"
        return TestFailure(
            test_name=self.running or THE_RUN, error_message=message, output=process.output
        )

    def summary(self) -> TestResult:
        """Counts as reported. An error counts as a failure, and so does the test that was running
        when the run ended early; tests that never came to run are in the total only.
        """
        statuses = [report.status for report in self.reports]
        passed = statuses.count(TestStatus.PASSED)
        skipped = statuses.count(TestStatus.SKIPPED)
        cut = self.ending
        known = max(len(statuses) + len(self.collection_errors), len(set(self.collected)))
        is_of_a_test = self.running or known > len(statuses) + len(self.collection_errors)
        failed = len(statuses) - passed - skipped + len(self.collection_errors)
        failed += 1 if cut is not None and is_of_a_test else 0
        total = max(passed + skipped + failed, known)
        return TestResult(
            success=bool(passed) and not failed and self.ended and self.process.ok,
            total=total,
            passed=passed,
            failed=failed,
            skipped=skipped,
            duration=self.process.duration_seconds,
            output=self.process.output,
            failures=[*self.failures, *([cut] if cut else [])],
            cases={report.id: report.status for report in self.reports},
        )


class Examination(Value):
    """What a runner brings back from a project: its build, and evidence if it came to tests."""

    build: BuildResult
    evidence: Evidence | None = None
    process: Completed  # the run that ended last


ToEvidence = Callable[[Records, Completed], Evidence]


def examined(
    project: Project,
    completed: Completed,
    records: Records,
    to_evidence: ToEvidence,
    *,
    run_tests: bool,
) -> Examination:
    """The build and, unless it failed or nobody asked for tests, what the tests showed.

    A sample's tests are known to load with the reference. If they don't load here, then what they
    import of the solution is broken, and that is a build error. Nor have two of them one title,
    while tests of a project's own may.
    """
    errors = build_errors(records, completed)
    # Of a project's own parts, some may be tested though others don't build.
    tested = not errors or (project.has_own_tests and any(records.of(End)))
    evidence = to_evidence(records, completed) if run_tests and tested else None
    if evidence is not None and project.has_own_tests:
        evidence = evidence.numbered()
    elif evidence is not None:
        errors = [f"{f.test_name}: {f.error_message}" for f in evidence.load_errors]
    built = next(records.of(Built), None)
    output = built.output if built else ""
    build = BuildResult(
        success=not errors,
        duration=built.seconds if built and run_tests else completed.duration_seconds,
        output=output or (completed.output if errors or not run_tests else ""),
        errors=errors,
        warnings=_warnings(built),
    )
    return Examination(build=build, evidence=evidence, process=completed)


def _warnings(built: Built | None) -> list[str]:
    """What the build's programs warn of: as the language's program tells it, or in their output."""
    if built is None:
        return []
    lines = [line.strip() for line in built.output.splitlines() if WARNING.search(line)]
    return list(built.warnings or dict.fromkeys(lines))[:MAX_WARNINGS]


def build_errors(records: Records, completed: Completed) -> list[str]:
    """What is wrong with the solution before its first test; empty if the build is on record."""
    builds = list(records.of(Built))
    if builds:
        return [error for built in builds for error in built.errors]
    if records.faults:
        return []  # for the verdict to judge, not for the build
    return [f"the build did not finish: {completed.ending()}\n{completed.output}".strip()]


def case_evidence(
    records: Records,
    completed: Completed,
    explain: Callable[[Case], Case] | None = None,
    doubts: tuple[str, ...] = (),
    tried: tuple[str, ...] = (),
) -> Evidence:
    """One report for each `case` record. `explain` may find more in it, such as a failure's place
    in what the test printed. `tried` are the files that were looked into.
    """
    collected: list[str] = []
    reports: list[CaseReport] = []
    errors: list[TestFailure] = []
    running: dict[str, None] = {}  # in the order of their starts
    faults = list(records.faults)
    status: int | None = None
    for record in records.items:
        if status is not None:
            faults.append(late(record))
        elif isinstance(record, Collected):
            collected += record.ids
        elif isinstance(record, Start):
            running[record.id] = None
        elif isinstance(record, Case):
            reports.append(_case(explain(record) if explain else record))
            running.pop(record.id, None)
        elif isinstance(record, RunError):
            errors.append(to_failure(record, record.id))
        elif isinstance(record, Tampered):
            faults.append(record.message)
        elif isinstance(record, End):
            status = record.status
    return Evidence(
        collected=tuple(collected),
        reports=tuple(reports),
        collection_errors=tuple(errors),
        ended=status is not None,
        framework_exit=status,
        running=next(reversed(running), None),
        faults=tuple(faults),
        doubts=doubts,
        tried=tried,
        process=completed,
    )


def _numbered(names: Sequence[str]) -> list[str]:
    """Each name once: the second "a" is "a (2)", or the next number that no other name has."""
    taken = set(names)
    if len(taken) == len(names):
        return list(names)
    counts: Counter[str] = Counter()
    distinct = []
    for name in names:
        counts[name] += 1
        own = name
        while counts[name] > 1 and (own := f"{name} ({counts[name]})") in taken:
            counts[name] += 1
        taken.add(own)
        distinct.append(own)
    return distinct


def _begins(name: str, ids: Sequence[str]) -> bool:
    """Whether one of the sorted `ids` begins with `name`."""
    place = bisect.bisect_left(ids, name)
    return place < len(ids) and ids[place].startswith(name)


def late(record: Record) -> str:
    return f"a {record.kind} record came after the end of the run"


def to_failure(record: Failure, name: str) -> TestFailure:
    return TestFailure(
        test_name=name or NO_TEST,
        error_message=record.message or "no message",
        file_path=record.path or None,
        line_number=record.line,
        stack_trace=record.trace,
        output=record.output,
    )


def _case(record: Case) -> CaseReport:
    status = TestStatus(record.status)
    return CaseReport(
        id=record.id,
        status=status,
        expected_failure=record.expected_failure,
        duration_seconds=record.seconds,
        failure=to_failure(record, record.id) if status is TestStatus.FAILED else None,
        reason=record.reason,
    )
