"""The attack corpus as it was judged, for machines."""

from collections.abc import Sequence

from sdkbench.core import Assurance, Fault, Outcome, Value
from sdkbench.datasets import Kind
from sdkbench.judge.selftest import FrameworkTally, Tried, tally


class SelftestEntry(Value):
    """`outcome_cold` is there where both kinds of start were compared."""

    framework: str
    kind: Kind
    name: str
    about: str
    outcome: Outcome
    assurance: Assurance
    fault: Fault | None
    findings: tuple[str, ...]
    reason: str | None
    as_it_should_be: bool
    outcome_cold: Outcome | None


class SelftestReport(Value):
    entries: tuple[SelftestEntry, ...]
    frameworks: tuple[FrameworkTally, ...]


def selftest_report(tried: Sequence[Tried]) -> SelftestReport:
    return SelftestReport(
        entries=tuple(_entry(one) for one in tried), frameworks=tuple(tally(tried))
    )


def _entry(one: Tried) -> SelftestEntry:
    entry, result = one.entry, one.result
    return SelftestEntry(
        framework=entry.framework,
        kind=entry.kind,
        name=entry.name,
        about=entry.about,
        outcome=result.outcome,
        assurance=result.assurance,
        fault=result.fault,
        findings=tuple(finding.name for finding in result.findings),
        reason=result.error,
        as_it_should_be=one.as_it_should_be,
        outcome_cold=one.cold.outcome if one.cold else None,
    )
