"""Evidence from a runner that only counts: it ran the tests itself, and says how many passed."""

import shutil
from pathlib import Path

from sdkbench.core import Project
from sdkbench.errors import PluginFault
from sdkbench.sandbox import Completed, Level
from sdkbench.test_harness.evidence import CaseReport, Evidence, Examination
from sdkbench.test_harness.models import BuildResult, TestFailure, TestResult, TestStatus

BAD = frozenset({TestStatus.FAILED, TestStatus.ERROR})


def place_for_counting(project: Project | None, folder: Path, test_dir: str | None) -> Path | None:
    """Where such a runner finds its tests. Those of a sample are put beside the solution, as the
    tests expect to see it.
    """
    if project is None or project.has_own_tests:
        return None if test_dir is None else folder / test_dir
    beside = project.solution.source.parent
    for placement in project.trusted:
        target = beside / placement.target
        if placement.source.is_dir():
            shutil.copytree(placement.source, target, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copyfile(placement.source, target)
    return beside / project.tests[0]


def only_counted(runner: str, result: object, build: BuildResult | None = None) -> Examination:
    """`result` as evidence; with `build`, only that was asked for. PluginFault for another type."""
    if not isinstance(result, TestResult):
        raise PluginFault(
            f"The runner {runner!r} gave a {type(result).__name__} for its tests. Its run_tests "
            "must return a TestResult of sdkbench.test_harness."
        )
    reports = _reports(result)
    is_clean = result.success and not any(report.is_bad for report in reports)
    status = 0 if is_clean else 1
    process = Completed(
        exit_code=status,
        signal=None,
        stopped_by=None,
        stdout=result.output,
        stderr="",
        truncated=False,
        channel=b"",
        channel_truncated=False,
        duration_seconds=result.duration,
        level=Level.PLAIN,
        unapplied=("every limit: the runner starts the tests itself",),
    )
    if build is not None:
        return Examination(build=build, process=process)
    # A run that is no success, and in which nothing failed, did not come to its end.
    ended = is_clean or any(report.is_bad for report in reports)
    evidence = Evidence(
        collected=tuple(report.id for report in reports),
        reports=reports,
        ended=ended,
        framework_exit=status if ended else None,
        doubts=(f"the runner {runner!r} counts its tests itself",),
        process=process,
    )
    return Examination(build=BuildResult(success=True), evidence=evidence, process=process)


def _reports(result: TestResult) -> tuple[CaseReport, ...]:
    """One for each test. Where only those that fail have a name, all are numbered: a number is the
    only thing that a test which passes has in common with the reference's.
    """
    if result.cases:
        failures = {failure.test_name: failure for failure in result.failures}
        return tuple(
            _report(name, status, failures.get(name)) for name, status in result.cases.items()
        )
    kinds = {
        TestStatus.PASSED: result.passed,
        TestStatus.SKIPPED: result.skipped,
        TestStatus.FAILED: max(result.failed, len(result.failures)),
    }
    statuses = [status for status, count in kinds.items() for _ in range(count)]
    named = iter(result.failures)
    return tuple(
        _report(f"test {number}", status, next(named, None) if status in BAD else None)
        for number, status in enumerate(statuses, start=1)
    )


def _report(name: str, status: TestStatus, failure: TestFailure | None) -> CaseReport:
    if failure is None and status in BAD:
        failure = TestFailure(test_name=name, error_message="its runner gives no reason")
    return CaseReport(id=name, status=status, failure=failure)
