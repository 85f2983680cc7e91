"""Records of boot scripts that tell of whole tests (`case`) → build errors and evidence."""

from typing import Any

from sdkbench.sandbox import Completed
from sdkbench.test_harness.evidence import CaseReport, Evidence
from sdkbench.test_harness.models import TestFailure, TestStatus
from sdkbench.test_harness.records import Records


def to_build_errors(records: Records, completed: Completed) -> list[str]:
    """What is wrong with the solution before its first test; empty if the build is on record."""
    for record in records.items:
        if record["kind"] == "built":
            errors = record.get("errors")
            if not isinstance(errors, list):
                return ["the build record lacks what our writer puts in it"]
            return [str(error) for error in errors]
    if records.faults:
        return []  # for integrity to judge, not for the build
    return [f"the build did not finish: {completed.ending()}\n{completed.output}".strip()]


def to_evidence(records: Records, completed: Completed) -> Evidence:
    """One report a `case` record; what our writer can't have written is a fault, not a guess."""
    collected: list[str] = []
    reports: list[CaseReport] = []
    errors: list[TestFailure] = []
    running: list[str] = []
    faults = list(records.faults)
    status: int | None = None
    for record in records.items:
        kind = record["kind"]
        try:
            if status is not None:
                faults.append(f"a {kind} record came after the end of the run")
            elif kind == "collected":
                collected += _texts(record["ids"])
            elif kind == "start":
                running.append(_text(record["id"]))
            elif kind == "case":
                report = _case(record)
                reports.append(report)
                running = [name for name in running if name != report.id]
            elif kind == "run_error":
                errors.append(to_failure(record))
            elif kind == "tampered":
                faults.append(_text(record["message"]))  # seen from inside by the boot script
            elif kind == "end":
                status = _integer(record["status"])
        except (KeyError, TypeError, ValueError, OverflowError):
            faults.append(f"a {kind} record lacks what our writer puts in it")
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


def to_failure(record: dict[str, Any]) -> TestFailure:
    line = record.get("line")
    return TestFailure(
        test_name=str(record.get("id") or "outside of any test"),
        error_message=str(record.get("message") or record.get("text") or "no message"),
        file_path=record.get("path") or None,
        line_number=line if isinstance(line, int) else None,
        stack_trace=str(record.get("trace") or record.get("text") or ""),
        output=str(record.get("output") or ""),
    )


def _case(record: dict[str, Any]) -> CaseReport:
    status = TestStatus(record["status"])
    return CaseReport(
        id=_text(record["id"]),
        status=status,
        expected_failure=record["expected_failure"] is True,
        duration_seconds=float(record["seconds"]),
        failure=to_failure(record) if status is TestStatus.FAILED else None,
        reason=_text(record["reason"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _texts(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError(value)
    return [_text(item) for item in value]


def _integer(value: object) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value
