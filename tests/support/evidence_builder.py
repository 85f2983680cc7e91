"""Small builders for what a run leaves behind: a process's end and the reports of its tests."""

import json
from collections.abc import Iterable, Mapping

from sdkbench.core import Assurance
from sdkbench.judge.verdict import Expectation, Verdict, decide
from sdkbench.sandbox import Completed, StoppedBy
from sdkbench.test_harness import (
    BuildResult,
    CaseReport,
    Evidence,
    Examination,
    TestFailure,
    TestStatus,
)
from sdkbench.test_harness.session import Record, Records, read_records


def through_the_channel(
    records: Iterable[Mapping[str, object]], own: tuple[type[Record], ...] = ()
) -> Records:
    """Records as our writer would put them on the channel, read back."""
    lines = [
        json.dumps({"nonce": "n", "number": number, **record}) + "\n"
        for number, record in enumerate(records)
    ]
    return read_records("".join(lines).encode(), "n", own)


def completed(
    exit_code: int | None = 0,
    *,
    signal: int | None = None,
    stopped_by: StoppedBy | None = None,
    stdout: str = "",
    duration_seconds: float = 1.0,
) -> Completed:
    return Completed(
        exit_code=exit_code,
        signal=signal,
        stopped_by=stopped_by,
        stdout=stdout,
        stderr="",
        truncated=False,
        channel=b"",
        channel_truncated=False,
        duration_seconds=duration_seconds,
        level="plain",
        unapplied=(),
    )


def report(
    name: str,
    status: TestStatus = TestStatus.PASSED,
    *,
    expected_failure: bool = False,
    message: str | None = None,
) -> CaseReport:
    failure = None if message is None else TestFailure(test_name=name, error_message=message)
    return CaseReport(id=name, status=status, expected_failure=expected_failure, failure=failure)


def evidence(
    *reports: CaseReport,
    process: Completed | None = None,
    framework_exit: int | None = 0,
    ended: bool = True,
    running: str | None = None,
    faults: tuple[str, ...] = (),
    collection_errors: tuple[TestFailure, ...] = (),
) -> Evidence:
    """A run that ended well, unless told otherwise; the process agrees with the framework."""
    return Evidence(
        collected=tuple(r.id for r in reports),
        reports=reports,
        collection_errors=collection_errors,
        ended=ended,
        framework_exit=framework_exit if ended else None,
        running=running,
        faults=faults,
        process=process or completed(framework_exit),
    )


def examination(run: Evidence) -> Examination:
    """A good build, and this run of the tests."""
    return Examination(build=BuildResult(success=True), evidence=run, process=run.process)


def verdict_on(
    run: Evidence, expectation: Expectation | None, assurance: Assurance = Assurance.CHECKED
) -> Verdict:
    return decide(examination(run), expectation, assurance=assurance)
