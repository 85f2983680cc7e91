"""Evidence: what a channel saw of a run, before anyone judges it; read from a session's records."""

from collections.abc import Callable, Collection

from sdkbench.core import Project
from sdkbench.sandbox import Completed
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


class Console(Value):
    """What the framework's own last line on the console said."""

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
    console: Console | None = None  # where the framework prints such a line
    process: Completed

    def without(self, ids: Collection[str]) -> "Evidence":
        """The same run, as if these tests had not been in it."""
        kept = tuple(report for report in self.reports if report.id not in ids)
        collected = tuple(name for name in self.collected if name not in ids)
        return self.model_copy(update={"reports": kept, "collected": collected})

    @property
    def load_errors(self) -> list[TestFailure]:
        """Errors of test files that reported no test at all: they could not be loaded."""
        return [
            error
            for error in self.collection_errors
            if not any(report.id.startswith(error.test_name) for report in self.reports)
        ]

    @property
    def failures(self) -> list[TestFailure]:
        failed = [r.failure for r in self.reports if r.failure is not None]
        return [*self.collection_errors, *failed]

    def summary(self) -> TestResult:
        """Counts as reported; an error counts as a failure, a missing test isn't counted here."""
        statuses = [report.status for report in self.reports]
        passed = statuses.count(TestStatus.PASSED)
        skipped = statuses.count(TestStatus.SKIPPED)
        failed = len(statuses) - passed - skipped + len(self.collection_errors)
        total = max(len(statuses) + len(self.collection_errors), len(set(self.collected)))
        return TestResult(
            success=bool(passed) and not failed and self.ended and self.process.ok,
            total=total,
            passed=passed,
            failed=failed,
            skipped=skipped,
            duration=self.process.duration_seconds,
            output=self.process.output,
            failures=self.failures,
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
    import of the solution is broken, and that is a build error.
    """
    errors = build_errors(records, completed)
    evidence = to_evidence(records, completed) if run_tests and not errors else None
    if evidence is not None and not project.has_own_tests:
        errors = [f"{f.test_name}: {f.error_message}" for f in evidence.load_errors]
    build = BuildResult(
        success=not errors,
        duration=completed.duration_seconds if not run_tests else 0.0,
        output=completed.output if errors else "",
        errors=errors,
    )
    return Examination(build=build, evidence=evidence, process=completed)


def build_errors(records: Records, completed: Completed) -> list[str]:
    """What is wrong with the solution before its first test; empty if the build is on record."""
    for built in records.of(Built):
        return list(built.errors)
    if records.faults:
        return []  # for the verdict to judge, not for the build
    return [f"the build did not finish: {completed.ending()}\n{completed.output}".strip()]


def case_evidence(
    records: Records,
    completed: Completed,
    explain: Callable[[Case], Case] | None = None,
    doubts: tuple[str, ...] = (),
) -> Evidence:
    """One report for each `case` record. `explain` may find more in it, such as a failure's place
    in what the test printed.
    """
    collected: list[str] = []
    reports: list[CaseReport] = []
    errors: list[TestFailure] = []
    running: list[str] = []
    faults = list(records.faults)
    status: int | None = None
    for record in records.items:
        if status is not None:
            faults.append(late(record))
        elif isinstance(record, Collected):
            collected += record.ids
        elif isinstance(record, Start):
            running.append(record.id)
        elif isinstance(record, Case):
            reports.append(_case(explain(record) if explain else record))
            running = [name for name in running if name != record.id]
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
        running=running[-1] if running else None,
        faults=tuple(faults),
        doubts=doubts,
        process=completed,
    )


def late(record: Record) -> str:
    return f"a {record.kind} record came after the end of the run"


def to_failure(record: Failure, name: str) -> TestFailure:
    return TestFailure(
        test_name=name or "outside of any test",
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
