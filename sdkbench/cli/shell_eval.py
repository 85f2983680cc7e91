"""`sdkbench shell eval`: a dataset's prompts put to one backend or several, and judged; then the
figures, failures and disagreements for a person.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import plain_table, stdout_console
from sdkbench.cli.options import DatasetArgument, JsonOption
from sdkbench.cli.progress import ProgressDisplay
from sdkbench.core.intervals import Rate
from sdkbench.engine import Event, Finished, ShellSet, evaluate_shell, find_dataset
from sdkbench.errors import ExitCode, GateNotMet, HarnessFault, InputError
from sdkbench.metrics.consistency import Consistency
from sdkbench.report import ShellReport, shell_json, shell_report
from sdkbench.shell import (
    Category,
    EvaluationResult,
    EvaluationSettings,
    Selection,
    TestDataset,
    TestResult,
)
from sdkbench.shell.evaluation import with_fixtures
from sdkbench.shell.results import Band

SHOWN_FAILURES = 20  # --verbose has them all
BANDS = {Band.GOOD: "green", Band.WARNING: "yellow", Band.FAILURE: "red"}

BackendOption = Annotated[
    list[str],
    typer.Option(
        metavar="SPEC",
        help="What to measure: reference, replay:FILE, command:PROGRAM, openai:MODEL, "
        "anthropic:MODEL, mlx:MODEL. Repeat to compare.",
    ),
]
TimeoutOption = Annotated[
    float, typer.Option(min=0.1, max=3600, help="Seconds that one answer may take.")
]
ConcurrencyOption = Annotated[
    int, typer.Option(min=1, max=256, help="Questions to a backend at once.")
]
CategoryOption = Annotated[list[Category] | None, typer.Option(help="Only cases of this category.")]
TagOption = Annotated[list[str] | None, typer.Option(help="Only cases with this tag.")]
IdOption = Annotated[list[str] | None, typer.Option("--id", help="Only this case.")]
LimitOption = Annotated[int | None, typer.Option(min=1, help="Only the first N cases.")]
ExecuteOption = Annotated[
    bool,
    typer.Option(
        "--execute", help="Run answers that the rules call unknown or different, in the sandbox."
    ),
]
FailUnderOption = Annotated[
    float | None, typer.Option(min=0, max=100, help="Exit 1 if a CSR is below this percent.")
]
SaveOption = Annotated[
    Path | None, typer.Option(help="Write each result to this file (JSONL) as it comes.")
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show every failed case in full.")
]


def evaluate(
    backend: BackendOption,
    dataset: DatasetArgument = "core",
    timeout: TimeoutOption = 30.0,
    concurrency: ConcurrencyOption = 4,
    category: CategoryOption = None,
    tag: TagOption = None,
    case_id: IdOption = None,
    limit: LimitOption = None,
    execute: ExecuteOption = False,
    fail_under: FailUnderOption = None,
    save: SaveOption = None,
    verbose: VerboseOption = False,
    json_output: JsonOption = False,
) -> int:
    """Ask every prompt of DATASET and judge the commands that come back."""
    if len(set(backend)) < len(backend):
        raise InputError("Each --backend must be another one.")
    source = find_dataset(dataset)
    select = Selection(
        categories=frozenset(category or ()),
        tags=frozenset(tag or ()),
        ids=frozenset(case_id or ()),
        limit=limit,
    )
    loaded = TestDataset.from_toml(source)
    settings = with_fixtures(
        EvaluationSettings(timeout_seconds=timeout, concurrency=concurrency, execute=execute),
        source,
    )
    progress = ProgressDisplay(quiet=json_output)
    with _saved(save) as write, progress:

        def on_event(event: Event) -> None:
            progress.on_event(event)
            if isinstance(event, Finished) and isinstance(event.result, TestResult):
                write(event.result)

        measured = evaluate_shell(ShellSet(loaded, select.of(loaded)), backend, settings, on_event)
    report = shell_report(
        measured.evaluations,
        unreachable=measured.unreachable,
        complete=not measured.interrupted,
        fail_under=fail_under,
    )
    if json_output:
        typer.echo(shell_json(report))
    else:
        show_report(stdout_console(), report, verbose=verbose)
    if measured.interrupted:
        progress.interrupted()
    return _exit_code(report, interrupted=measured.interrupted)


@contextlib.contextmanager
def _saved(path: Path | None) -> Iterator[Callable[[TestResult], None]]:
    """A function that writes results, each at once; one that does nothing without a path."""
    if path is None:
        yield lambda _result: None
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from error
    with file:

        def write(result: TestResult) -> None:
            file.write(result.model_dump_json() + "\n")
            file.flush()

        yield write


def _exit_code(report: ShellReport, *, interrupted: bool) -> int:
    if interrupted:
        return ExitCode.INTERRUPTED
    if not report.evaluations:
        reasons = "; ".join(f"{u.backend}: {u.reason}" for u in report.unreachable)
        raise HarnessFault(f"No backend could be measured. {reasons}")
    if report.gate is not None and not report.gate.met:
        raise GateNotMet(f"CSR below {report.gate.fail_under:g} %: {', '.join(report.gate.below)}.")
    return ExitCode.OK


def show_report(out: Console, report: ShellReport, *, verbose: bool) -> None:
    if report.evaluations:
        out.print(figures(report))
    for evaluation in report.evaluations:
        _show_failures(out, evaluation, verbose=verbose)
    if report.consistency is not None:
        _show_consistency(out, report.consistency, verbose=verbose)
    for skipped in report.unreachable:
        out.print(Text(f"\nskipped {skipped.backend}: {skipped.reason}", style="yellow"))


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
    table = plain_table("backend", "and", "agree in", overflow="fold")
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
