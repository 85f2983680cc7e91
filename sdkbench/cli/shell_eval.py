"""`sdkbench shell eval`: a dataset's prompts put to one backend or several, and judged."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.console import stdout_console
from sdkbench.cli.options import DatasetArgument, JsonOption
from sdkbench.cli.progress import ProgressDisplay
from sdkbench.cli.shell_tables import show_report
from sdkbench.engine import Event, Finished, ShellSet, evaluate_shell, find_dataset
from sdkbench.errors import ExitCode, GateNotMet, HarnessFault, InputError
from sdkbench.report import ShellReport, shell_json, shell_report
from sdkbench.shell import Category, EvaluationSettings, Selection, TestDataset, TestResult
from sdkbench.shell.evaluation import with_fixtures

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
        frozenset(category or ()), frozenset(tag or ()), frozenset(case_id or ()), limit
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
