"""Shell evaluations as JSON, by a schema that is published in docs/reference/schemas."""

from collections.abc import Mapping, Sequence
from typing import Literal

from sdkbench import __version__
from sdkbench.core import Value
from sdkbench.metrics.consistency import CaseAnswer, Consistency, consistency
from sdkbench.metrics.thresholds import is_below
from sdkbench.report.json_text import schema_text
from sdkbench.shell import EvaluationResult, TestResult, normalize_command

SCHEMA_VERSION: Literal["1"] = "1"


class Unreachable(Value):
    backend: str
    reason: str


class Gate(Value):
    """The threshold in percent, and the backends that stay below it."""

    fail_under: float
    met: bool
    below: tuple[str, ...]


class ShellReport(Value):
    """`consistency` is there where at least two backends answered."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    sdkbench_version: str
    complete: bool
    evaluations: tuple[EvaluationResult, ...]
    unreachable: tuple[Unreachable, ...]
    consistency: Consistency | None
    gate: Gate | None


def shell_report(
    evaluations: Sequence[EvaluationResult],
    *,
    unreachable: Mapping[str, str] | None = None,
    complete: bool = True,
    fail_under: float | None = None,
) -> ShellReport:
    """`unreachable`: by backend, why no request got through to it; those have no figures."""
    return ShellReport(
        sdkbench_version=__version__,
        complete=complete,
        evaluations=tuple(evaluations),
        unreachable=tuple(
            Unreachable(backend=backend, reason=reason)
            for backend, reason in (unreachable or {}).items()
        ),
        consistency=_consistency(evaluations) if len(evaluations) > 1 else None,
        gate=None if fail_under is None else _gate(evaluations, fail_under),
    )


def shell_json(report: ShellReport) -> str:
    return report.model_dump_json(indent=2)


def shell_schema() -> str:
    """The JSON Schema of a report, as text."""
    return schema_text("shell-report", ShellReport)


def _gate(evaluations: Sequence[EvaluationResult], fail_under: float) -> Gate:
    below = tuple(
        each.backend
        for each in evaluations
        if is_below(100 * (each.summary.csr.share or 0.0), fail_under)
    )
    return Gate(fail_under=fail_under, met=bool(evaluations) and not below, below=below)


def _consistency(evaluations: Sequence[EvaluationResult]) -> Consistency:
    return consistency({e.backend: {r.test_id: _answer(r) for r in e.results} for e in evaluations})


def _answer(result: TestResult) -> CaseAnswer:
    shown = result.actual or result.reason.message
    if result.refused:
        return CaseAnswer(result.answer[:200], "(declined)", result.passed)
    key = normalize_command(result.actual) if result.actual else None
    return CaseAnswer(shown, key, result.passed)
