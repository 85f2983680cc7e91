"""Comparisons and gates as Markdown, for a job summary or a comment."""

import re
from collections.abc import Iterator, Sequence

from sdkbench.metrics.changes import SampleChange
from sdkbench.metrics.thresholds import METRICS
from sdkbench.report.comparison import ModelChanges, RunComparison
from sdkbench.report.comparison_text import (
    WORDS,
    comparison_notes,
    counts_sentence,
    side_text,
    significance_sentence,
    told_changes,
)
from sdkbench.report.gate import GateReport

MOST_ROWS = 100  # of one table; a job summary has a limit, and its reader too
MOST_DETAILS = 20
SPECIAL = re.compile(r"([\\`*_\[\]<>#!|~&$@])")


def comparison_markdown(comparison: RunComparison) -> str:
    a, b = comparison.first, comparison.second
    return "\n".join(
        [
            f"## {_text(a.run_id)} (A) → {_text(b.run_id)} (B)",
            *(f"\n> {_text(note)}" for note in comparison_notes(comparison)),
            *_comparison(comparison),
            "",
        ]
    )


def gate_markdown(report: GateReport) -> str:
    met = "met" if report.met else "**not met**"
    lines = [f"## Gate {met}: {_text(report.run_id)}", "", "| | asked for | |", "|---|---|---|"]
    lines += [
        f"| {'✅' if check.met else '❌'} | {_text(check.name)} | {_text(check.message)} |"
        for check in report.checks
    ]
    for check in report.unmet:
        if check.details:
            lines += ["", f"**{_text(check.name)}**", ""]
            lines += [f"- {_text(detail)}" for detail in check.details[:MOST_DETAILS]]
            more = len(check.details) - MOST_DETAILS
            lines += [f"- … and {more} more"] if more > 0 else []
    if report.comparison is not None:
        lines += ["", f"### Against {_text(report.comparison.first.run_id)}"]
        lines += [f"\n> {_text(note)}" for note in comparison_notes(report.comparison)]
        lines += _comparison(report.comparison)
    return "\n".join([*lines, ""])


def _comparison(comparison: RunComparison) -> Iterator[str]:
    for model in comparison.models:
        yield from _model(model)


def _model(model: ModelChanges) -> Iterator[str]:
    for suite, changes in model.suites.items():
        yield f"\n### {METRICS[suite]}, {_text(model.named or '(none)')}"
        yield f"\n{counts_sentence(changes)}. {_text(significance_sentence(changes.significance))}"
        yield from _table(told_changes(changes))


def _table(samples: Sequence[SampleChange]) -> Iterator[str]:
    if not samples:
        return
    yield "\n| change | sample | A | B | |\n|---|---|---|---|---|"
    for each in samples[:MOST_ROWS]:
        cells = (WORDS[each.change], _text(each.sample), side_text(each.first),
                 side_text(each.second), _text(each.reason))  # fmt: skip
        yield f"| {' | '.join(cells)} |"
    if len(samples) > MOST_ROWS:
        yield f"\n… and {len(samples) - MOST_ROWS} more."


def _text(text: str) -> str:
    """In one line, and as text: names come from judged code and models."""
    plain = "".join(each if each.isprintable() else "\ufffd" for each in " ".join(text.split()))
    return SPECIAL.sub(r"\\\1", plain)
