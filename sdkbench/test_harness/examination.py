"""From a session's records to an Examination: the same for every language."""

from collections.abc import Callable

from sdkbench.core import Project
from sdkbench.sandbox import Completed
from sdkbench.test_harness.evidence import CaseReport, Evidence, Examination
from sdkbench.test_harness.models import BuildResult, TestFailure, TestStatus
from sdkbench.test_harness.protocol import (
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

ToEvidence = Callable[[Records, Completed], Evidence]
Explain = Callable[[Case], Case]


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
    records: Records, completed: Completed, explain: Explain | None = None
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
