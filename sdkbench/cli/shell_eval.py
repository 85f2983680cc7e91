"""`sdkbench shell eval`: a dataset's prompts put to one backend or several, and judged."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.options import DatasetArgument, JsonOption
from sdkbench.cli.shell_display import ShellDisplay
from sdkbench.datasets import bundled_shell
from sdkbench.errors import ExitCode, GateNotMet, HarnessFault, InputError
from sdkbench.report import ShellReport, shell_json, shell_report
from sdkbench.shell import (
    Campaign,
    Category,
    EvaluationSettings,
    Selection,
    TestDataset,
    TestResult,
    run_campaign,
)

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
    settings = EvaluationSettings(timeout_seconds=timeout, concurrency=concurrency, execute=execute)
    cases = len(select.of(TestDataset.from_toml(source)))
    display = ShellDisplay(cases, quiet=json_output, verbose=verbose)
    with _saved(save) as write, display:

        def on_result(result: TestResult) -> None:
            display.on_result(result)
            write(result)

        campaign = asyncio.run(
            _stoppable(source, backend, settings, select, display.begin, on_result)
        )
    report = shell_report(campaign, fail_under=fail_under)
    if json_output:
        typer.echo(shell_json(report))
    else:
        display.summary(report)
    return _exit_code(report, interrupted=campaign.interrupted)


async def _stoppable(
    source: Path,
    backends: list[str],
    settings: EvaluationSettings,
    select: Selection,
    on_backend: Callable[[str], None],
    on_result: Callable[[TestResult], None],
) -> Campaign:
    """Ctrl-C and SIGTERM end it alike: what had finished is kept.

    Both are asked for by name: started in the background, a shell has SIGINT ignored.
    """
    task = asyncio.current_task()
    if task is not None:
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    return await run_campaign(
        source,
        backends,
        settings=settings,
        select=select,
        on_backend=on_backend,
        on_result=on_result,
    )


def find_dataset(name: str) -> Path:
    """`core` is the bundled one unless a file of that name is there."""
    path = Path(name)
    bundled = bundled_shell() / f"{name}.toml"
    if not path.exists() and path.name == name and bundled.is_file():
        return bundled
    return path


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
        told = "; ".join(f"{u.backend}: {u.reason}" for u in report.unreachable)
        raise HarnessFault(f"No backend could be measured. {told}")
    if report.gate is not None and not report.gate.met:
        raise GateNotMet(f"CSR below {report.gate.fail_under:g} %: {', '.join(report.gate.below)}.")
    return ExitCode.OK
