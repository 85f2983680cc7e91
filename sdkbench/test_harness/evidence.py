"""Evidence: what a channel saw of a run, before anyone judges it."""

from collections.abc import Collection

from pydantic import BaseModel, ConfigDict

from sdkbench.sandbox import Completed
from sdkbench.test_harness.models import (
    BuildResult,
    TestFailure,
    TestResult,
    TestStatus,
)


class CaseReport(BaseModel):
    """One report of one test. The same id may come twice; that is for integrity to judge."""

    model_config = ConfigDict(frozen=True)

    id: str
    status: TestStatus
    expected_failure: bool = False  # xfail, test.failing and the like: never a clean pass
    duration_seconds: float = 0.0
    failure: TestFailure | None = None
    reason: str = ""  # why it was skipped


class Console(BaseModel):
    """What the framework's own last line on the console said."""

    model_config = ConfigDict(frozen=True)

    passed: int
    bad: int  # failures and errors


class Evidence(BaseModel):
    """A run as told by its channel (`reports` … `faults`) and by the process's end (`process`)."""

    model_config = ConfigDict(frozen=True)

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
        """The same run, told without these tests."""
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


class Examination(BaseModel):
    """What a runner brings back from a project: its build, and evidence if it came to tests."""

    model_config = ConfigDict(frozen=True)

    build: BuildResult
    evidence: Evidence | None = None
    process: Completed  # the run that ended last
