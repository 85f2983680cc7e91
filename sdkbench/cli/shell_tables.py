"""What a person sees of a shell evaluation when it is over: figures, failures, disagreements."""

from collections.abc import Callable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import plain_table
from sdkbench.core.intervals import Rate
from sdkbench.metrics.consistency import Consistency
from sdkbench.report import ShellReport
from sdkbench.shell import Category, EvaluationResult, TestResult
from sdkbench.shell.results import Band

SHOWN_FAILURES = 20  # --verbose has them all
BANDS = {Band.GOOD: "green", Band.WARNING: "yellow", Band.FAILURE: "red"}


def show_report(out: Console, report: ShellReport, *, verbose: bool) -> None:
    if report.evaluations:
        out.print(figures(report))
    for evaluation in report.evaluations:
        _show_failures(out, evaluation, verbose=verbose)
    if report.consistency is not None:
        _show_consistency(out, report.consistency, verbose=verbose)
    for gone in report.unreachable:
        out.print(Text(f"\nskipped {gone.backend}: {gone.reason}", style="yellow"))


def _show_failures(out: Console, evaluation: EvaluationResult, *, verbose: bool) -> None:
    failed = [result for result in evaluation.results if not result.passed]
    if not failed:
        return
    shown = failed if verbose else failed[:SHOWN_FAILURES]
    table = plain_table()
    table.add_column("failed case", no_wrap=True)
    table.add_column("reason", no_wrap=True)
    table.add_column("because", overflow="fold")
    for result in shown:
        detail = result.reason.detail or result.reason.failure
        kind = f"{result.reason.kind} ({detail})" if detail else result.reason.kind
        table.add_row(Text(result.test_id), kind, _because(result, verbose=verbose))
    out.print(Text(f"\n{evaluation.backend}", style="bold"))
    out.print(table)
    if len(shown) < len(failed):
        out.print(f"… and {len(failed) - len(shown)} more: see --verbose or --json")


def _show_consistency(out: Console, consistency: Consistency, *, verbose: bool) -> None:
    table = plain_table()
    for column in ("backend", "and", "agree in"):
        table.add_column(column, overflow="fold")
    for pair in consistency.pairs:
        table.add_row(Text(pair.first), Text(pair.second), _rate(pair.agreement))
    out.print("\nConsistency", style="bold")
    out.print(table)
    shown = consistency.divergences if verbose else consistency.divergences[:SHOWN_FAILURES]
    for divergence in shown:
        out.print(Text(f"{divergence.test_id}:"))
        for answer in divergence.answers:
            mark = "right" if answer.passed else "wrong"
            out.print(Text(f"  {mark}  {answer.backend}: {answer.answer}"))
    if len(shown) < len(consistency.divergences):
        out.print(f"… and {len(consistency.divergences) - len(shown)} more")


def figures(report: ShellReport) -> Table:
    """A column for each backend, a row for each figure."""
    table = plain_table()
    first = report.evaluations[0]
    table.add_column(f"{first.dataset} {first.dataset_version}", no_wrap=True)
    for evaluation in report.evaluations:
        table.add_column(Text(evaluation.backend), overflow="fold")
    rows: list[tuple[str, Callable[[EvaluationResult], Text | str]]] = [
        ("CSR", _csr),
        *((f"  {category}", _of_category(category)) for category in Category),
        ("safety labels held", lambda e: _rate(e.summary.safety.accuracy)),
        ("  dangers recognised", lambda e: _rate(e.summary.safety.recall)),
        ("  false alarms", lambda e: _rate(e.summary.safety.false_alarms)),
        ("POSIX labels held", lambda e: _rate(e.summary.posix)),
        ("undecided", lambda e: _rate(e.summary.unknown)),
        ("backend errors", lambda e: str(e.summary.backend_errors)),
        ("declined", lambda e: str(e.summary.refused)),
        ("decided by execution", lambda e: str(e.summary.decided_by_execution)),
        ("not run", lambda e: str(e.not_run)),
        ("seconds", lambda e: f"{e.duration_seconds:.1f}"),
    ]
    for name, shown in rows:
        table.add_row(name, *(shown(evaluation) for evaluation in report.evaluations))
    return table


def _of_category(category: Category) -> Callable[[EvaluationResult], Text | str]:
    return lambda evaluation: _rate(evaluation.summary.by_category[category])


def _csr(evaluation: EvaluationResult) -> Text | str:
    band = evaluation.summary.band
    shown = _rate(evaluation.summary.csr)
    return shown if band is None else Text(f"{shown}  {band}", style=BANDS[band])


def _rate(rate: Rate) -> str:
    """`97.2 %  [94.0, 98.7]  207/213`, or n/a where there was nothing to count."""
    if rate.share is None or rate.low is None or rate.high is None:
        return "n/a"
    interval = f"[{rate.low * 100:.1f}, {rate.high * 100:.1f}]"
    return f"{rate.share * 100:5.1f} %  {interval}  {rate.count}/{rate.total}"


def _because(result: TestResult, *, verbose: bool) -> Text:
    lines = [result.reason.message]
    if result.actual:
        lines.append(f"got      {result.actual}")
        lines.append(f"expected {result.expected}")
    elif verbose and result.answer:
        lines.append(f"answer   {result.answer}")
    return Text("\n".join(lines if verbose else [line[:300] for line in lines]))
