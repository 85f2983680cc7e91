"""One shell command, or two, as the judges see them; for machines."""

from enum import StrEnum

from sdkbench.core import Value
from sdkbench.shell import Verdict, compare, normalize_command
from sdkbench.shell.posix.report import PosixOutcome, PosixReport
from sdkbench.shell.reader.tree import Span
from sdkbench.shell.safety.report import Hazard, SafetyReport
from sdkbench.shell.syntax import parse


class About(StrEnum):
    """What a POSIX finding is about; utilities count only where a dataset says so."""

    LANGUAGE = "language"
    UTILITIES = "utilities"


class SafetyFindingRecord(Value):
    rule: str
    hazard: Hazard
    severity: str
    span: Span
    message: str


class PosixFindingRecord(Value):
    rule: str
    message: str
    span: Span
    about: About


class CommandReport(Value):
    """What `shell check --json` prints. `canonical` is None where the command can't be read, and
    `problem` says why.
    """

    command: str
    canonical: str | None
    problem: str | None
    safe: bool
    safety_findings: tuple[SafetyFindingRecord, ...]
    posix: PosixOutcome
    posix_compliant: bool
    posix_fully_compliant: bool
    posix_findings: tuple[PosixFindingRecord, ...]


class CommandDifference(Value):
    """What `shell diff --json` prints."""

    verdict: Verdict
    difference: str  # empty where there is none
    canonical: tuple[str, str]


def command_report(command: str, safety: SafetyReport, posix: PosixReport) -> CommandReport:
    problem = parse(command).problem
    remarks = [
        *((finding, About.LANGUAGE) for finding in posix.language),
        *((finding, About.UTILITIES) for finding in posix.utilities),
    ]
    return CommandReport(
        command=command,
        canonical=None if problem else normalize_command(command),
        problem=problem.message if problem else None,
        safe=safety.safe,
        safety_findings=tuple(
            SafetyFindingRecord(
                rule=finding.rule,
                hazard=finding.hazard,
                severity=finding.severity.label,
                span=finding.span,
                message=finding.message,
            )
            for finding in safety.findings
        ),
        posix=posix.outcome,
        posix_compliant=posix.compliant,
        posix_fully_compliant=posix.fully_compliant,
        posix_findings=tuple(
            PosixFindingRecord(rule=each.rule, message=each.message, span=each.span, about=about)
            for each, about in remarks
        ),
    )


def command_difference(first: str, second: str) -> CommandDifference:
    comparison = compare(first, second)
    return CommandDifference(
        verdict=comparison.verdict,
        difference=comparison.difference,
        canonical=(normalize_command(first), normalize_command(second)),
    )
