"""`sdkbench run`: models over samples and shell datasets, stored, resumed, shown as a table."""

import os
import sys

import typer

from sdkbench.cli.options import JsonOption, SamplesDirOption
from sdkbench.cli.run_bench import bench_for, suites_of
from sdkbench.cli.run_config import run_settings
from sdkbench.cli.run_options import (
    MODELS,
    AddressOption,
    ConfigOption,
    DatasetOption,
    DocsOption,
    EngineOption,
    IntegrityOption,
    LabelOption,
    LimitOption,
    MaxRequestsOption,
    ModelOption,
    ModeOption,
    ResumeOption,
    RunFcorrOption,
    RunIdOption,
    SandboxOption,
    SdkOption,
    SkipEvaluationOption,
    SkipGenerationOption,
    TimeoutOption,
    TrialsOption,
    VerboseOption,
    WorkersOption,
)
from sdkbench.cli.run_progress import RunProgress
from sdkbench.cli.show import present
from sdkbench.cli.store_option import StoreOption
from sdkbench.core import Fault, Outcome
from sdkbench.engine import (
    RunSettings,
    run_models,
)
from sdkbench.errors import Cancelled, ExitCode
from sdkbench.store import open_store


def run(
    sdk: SdkOption = None,
    dataset: DatasetOption = None,
    model: ModelOption = None,
    trials: TrialsOption = None,
    limit: LimitOption = None,
    workers: WorkersOption = None,
    max_requests: MaxRequestsOption = None,
    run_fcorr: RunFcorrOption = None,
    mode: ModeOption = None,
    integrity: IntegrityOption = None,
    timeout: TimeoutOption = None,
    skip_generation: SkipGenerationOption = None,
    skip_evaluation: SkipEvaluationOption = None,
    docs: DocsOption = None,
    samples_dir: SamplesDirOption = None,
    run_id: RunIdOption = None,
    label: LabelOption = None,
    resume: ResumeOption = None,
    store: StoreOption = None,
    config: ConfigOption = None,
    sandbox: SandboxOption = None,
    engine: EngineOption = None,
    address: AddressOption = None,
    verbose: VerboseOption = False,
    json_output: JsonOption = False,
) -> int:
    """Every model over every sample and shell case: generated, judged, stored, resumed."""
    flags = {
        name: value for name, value in dict(locals()).items() if name in RunSettings.model_fields
    }
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
