"""`sdkbench run`: models over samples and shell datasets, stored, resumed, shown as a table."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.options import JsonOption, Mode
from sdkbench.cli.run_bench import bench_for, suites_of
from sdkbench.cli.run_config import run_settings
from sdkbench.cli.run_progress import RunProgress
from sdkbench.cli.show import present
from sdkbench.cli.store_option import StoreOption
from sdkbench.core import Fault, Integrity, Outcome
from sdkbench.engine import (
    EngineKind,
    RunSettings,
    SandboxLevel,
    run_models,
)
from sdkbench.errors import Cancelled, ExitCode
from sdkbench.store import open_store

MODELS = "reference, starter, openai:MODEL, anthropic:MODEL, mlx:PATH, agent:CMD, replay:FOLDER"


def run(
    sdk: Annotated[
        list[str] | None, typer.Option(help='Samples of this SDK, or "all". Repeat for more.')
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option(help='A shell dataset: a TOML file, or "core" for our own. Repeat for more.'),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help=f"What to measure: {MODELS}. Repeat to compare."),
    ] = None,
    trials: Annotated[int | None, typer.Option(help="Tries of each. Default: 1.")] = None,
    limit: Annotated[
        int | None, typer.Option(help="Only the first N of each SDK and each dataset.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Solutions judged at once. Default: one per core.")
    ] = None,
    max_requests: Annotated[
        int | None, typer.Option(help="Requests to each model at once. Default: 8.")
    ] = None,
    run_fcorr: Annotated[
        bool | None,
        typer.Option("--run-fcorr/--no-fcorr", help="Execute solutions, or only read them."),
    ] = None,
    mode: Annotated[Mode | None, typer.Option(help="How to score. Default: strict.")] = None,
    integrity: Annotated[
        Integrity | None,
        typer.Option(help="How much is done against forged verdicts. Default: twinned."),
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds that one attempt's tests may take. Default: 300.")
    ] = None,
    skip_generation: Annotated[
        bool | None, typer.Option("--skip-generation", help="Ask nobody: judge what is stored.")
    ] = None,
    skip_evaluation: Annotated[
        bool | None,
        typer.Option("--skip-evaluation", help="Store solutions of samples without judging them."),
    ] = None,
    docs: Annotated[
        Path | None, typer.Option(help="A text file about the SDK, put into the prompts.")
    ] = None,
    samples_dir: Annotated[
        Path | None, typer.Option(help="Where samples are. Default: ./samples, or the bundled.")
    ] = None,
    run_id: Annotated[
        str | None, typer.Option(help="The run's name; one that is there is resumed.")
    ] = None,
    label: Annotated[str | None, typer.Option(help="A word on the run, for its reader.")] = None,
    resume: Annotated[
        bool | None,
        typer.Option(
            "--resume/--fresh", help="Use what the store has (default), or nothing of it."
        ),
    ] = None,
    store: StoreOption = None,
    config: Annotated[
        Path | None, typer.Option(help="A TOML file with these settings; flags override it.")
    ] = None,
    sandbox: Annotated[
        SandboxLevel | None, typer.Option(help="How judged code is isolated. Default: auto.")
    ] = None,
    engine: Annotated[
        EngineKind | None, typer.Option(help="Judge on this machine, or on a Ray cluster.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="The Ray cluster; without it, one is started here.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the reason of every failure.")
    ] = False,
    json_output: JsonOption = False,
) -> int:
    """Every model over every sample and shell case: generated, judged, stored, resumed."""
    flags = {name: value for name, value in locals().items() if name in RunSettings.model_fields}
    settings = run_settings(config, flags)
    if not settings.model:
        settings = settings.model_copy(update={"model": _ask_for_models()})
    suites = suites_of(settings)
    bench = bench_for(settings)
    progress = RunProgress(bench.level, quiet=json_output)
    with open_store(settings.store) as opened:
        try:
            with progress:
                finished = run_models(settings, suites, bench, opened, progress.on_event)
        except Cancelled:
            same = "The same command"
            progress.interrupted(same if settings.resume else f"{same} without --fresh")
            return ExitCode.INTERRUPTED
        present(opened, finished, json_output=json_output, verbose=verbose)
    return exit_code_of(progress, every_sdk="all" in settings.sdk)


def _ask_for_models() -> tuple[str, ...]:
    """On a terminal the user says; anywhere else it is the reference."""
    if not sys.stdin.isatty() or os.environ.get("CI"):
        return ("reference",)
    typer.echo(f"Models: {MODELS}", err=True)
    answer = typer.prompt("Which (several: separated by commas)", default="reference", err=True)
    named = tuple(spec.strip() for spec in str(answer).split(",") if spec.strip())
    return named or ("reference",)


def exit_code_of(progress: RunProgress, *, every_sdk: bool) -> ExitCode:
    """Among all samples there are some in languages that this machine need not have."""
    faults = progress.faults.copy()
    if every_sdk and progress.outcomes.total() > progress.outcomes[Outcome.ERROR]:
        del faults[Fault.MISSING_TOOL]
    return ExitCode.HARNESS_FAULT if faults.total() else ExitCode.OK
