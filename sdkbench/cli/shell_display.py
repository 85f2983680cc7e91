"""What a person sees of a shell evaluation: a bar while it goes, figures when it is over."""

from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from sdkbench.metrics.csr import Band
from sdkbench.metrics.intervals import Rate
from sdkbench.report import ShellReport
from sdkbench.shell import Category, EvaluationResult, ReasonKind, TestResult

PIPED_WIDTH = 150  # a file or a log has no width of its own
SHOWN_FAILURES = 20  # --verbose has them all
BANDS = {Band.GOOD: "green", Band.WARNING: "yellow", Band.FAILURE: "red"}


class ShellDisplay:
    """Draws on stderr while running, on stdout the result; silent with `quiet`."""

    def __init__(self, cases: int, *, quiet: bool, verbose: bool) -> None:
        self._cases = cases
        self._quiet = quiet
        self._verbose = verbose
        self._err = Console(stderr=True, highlight=False)
        self._out = Console(highlight=False)
        if not self._out.is_terminal:
            self._out.width = PIPED_WIDTH
        self._counts: Counter[ReasonKind] = Counter()
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[counts]}"),
            TimeElapsedColumn(),
            console=self._err,
            transient=True,
            disable=quiet or not self._err.is_terminal,
        )
        self._task = self._progress.add_task("asking", total=cases, counts="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def begin(self, backend: str) -> None:
        self._counts.clear()
        self._progress.reset(self._task, total=self._cases, description=backend, counts="")

    def on_result(self, result: TestResult) -> None:
        self._counts[result.reason.kind] += 1
        counts = "  ".join(f"{n} {kind}" for kind, n in sorted(self._counts.items()))
        self._progress.update(self._task, advance=1, counts=counts)

    def summary(self, report: ShellReport) -> None:
        if report.evaluations:
            self._out.print(figures(report))
        for evaluation in report.evaluations:
            self._failures(evaluation)
        if report.consistency is not None:
            self._consistency(report)
        for gone in report.unreachable:
            self._out.print(Text(f"\nskipped {gone.backend}: {gone.reason}", style="yellow"))
        if not report.complete:
            told = sum(len(e.results) for e in report.evaluations)
            self._err.print(f"Interrupted: {told} results kept.", style="yellow")

    def _failures(self, evaluation: EvaluationResult) -> None:
        failed = [result for result in evaluation.results if not result.passed]
        if not failed:
            return
        shown = failed if self._verbose else failed[:SHOWN_FAILURES]
        table = Table(box=None, header_style="bold", pad_edge=False)
        table.add_column("failed case", no_wrap=True)
        table.add_column("reason", no_wrap=True)
        table.add_column("because", overflow="fold")
        for result in shown:
            detail = result.reason.detail or result.reason.failure
            kind = f"{result.reason.kind} ({detail})" if detail else result.reason.kind
            table.add_row(Text(result.test_id), kind, _because(result, verbose=self._verbose))
        self._out.print(Text(f"\n{evaluation.backend}", style="bold"))
        self._out.print(table)
        if len(shown) < len(failed):
            self._out.print(f"… and {len(failed) - len(shown)} more: see --verbose or --json")

    def _consistency(self, report: ShellReport) -> None:
        found = report.consistency
        if found is None:
            return
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in ("backend", "and", "agree in"):
            table.add_column(column, overflow="fold")
        for pair in found.pairs:
            table.add_row(Text(pair.first), Text(pair.second), _rate(pair.agreement))
        self._out.print("\nConsistency", style="bold")
        self._out.print(table)
        shown = found.divergences if self._verbose else found.divergences[:SHOWN_FAILURES]
        for parted in shown:
            self._out.print(Text(f"{parted.test_id}:"))
            for answer in parted.answers:
                mark = "right" if answer.passed else "wrong"
                self._out.print(Text(f"  {mark}  {answer.backend}: {answer.answer}"))
        if len(shown) < len(found.divergences):
            self._out.print(f"… and {len(found.divergences) - len(shown)} more")


def figures(report: ShellReport) -> Table:
    """A column for each backend, a row for each figure."""
    table = Table(box=None, header_style="bold", pad_edge=False)
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
