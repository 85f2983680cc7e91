"""`sdkbench fcorr`: judge a sample, an SDK's samples, a solution, or any folder."""

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.display import Display
from sdkbench.core import Fault, Integrity, Outcome, ScoreMode, Solution
from sdkbench.datasets import (
    Sample,
    default_samples_dir,
    find_sample,
    load_sample,
    load_sdk,
)
from sdkbench.engine import run_local
from sdkbench.environments import Cache
from sdkbench.errors import Cancelled, ExitCode, InputError, PluginFault
from sdkbench.evaluator import judge_repeatedly
from sdkbench.metrics.f_corr import Options, Subject
from sdkbench.report import single_json, suite_json
from sdkbench.sandbox import Cancellation, choose
from sdkbench.test_harness import FCorrResult, Harness, TestRunnerRegistry


class Mode(StrEnum):
    STRICT = "strict"
    PASS_RATE = "pass-rate"
    WEIGHTED = "weighted"

    def score_mode(self) -> ScoreMode:
        return ScoreMode(self.value.replace("-", "_"))


class SandboxChoice(StrEnum):
    AUTO = "auto"
    BUBBLEWRAP = "bubblewrap"
    PLAIN = "plain"


def fcorr(
    sample: Annotated[
        Path | None, typer.Option(help="Judge the reference of the sample in this folder.")
    ] = None,
    sdk: Annotated[
        str | None, typer.Option(help='Judge the references of all samples of an SDK, or "all".')
    ] = None,
    solution: Annotated[
        Path | None, typer.Option(help="Judge this solution folder on its sample's tests.")
    ] = None,
    directory: Annotated[
        Path | None, typer.Option(help="Judge this folder on its own tests.")
    ] = None,
    for_sample: Annotated[
        Path | None, typer.Option(help="The sample that --solution answers.")
    ] = None,
    samples_dir: Annotated[
        Path | None,
        typer.Option(help="Where samples are. Default: ./samples, or the bundled ones."),
    ] = None,
    starters: Annotated[
        bool, typer.Option("--starters", help="With --sdk: judge the unfinished starters as well.")
    ] = False,
    mode: Annotated[Mode, typer.Option(help="How to score.")] = Mode.STRICT,
    language: Annotated[
        str | None, typer.Option(help="Use this runner instead of the surest one.")
    ] = None,
    no_install: Annotated[
        bool, typer.Option("--no-install", help="Use only environments that are there already.")
    ] = False,
    integrity: Annotated[
        Integrity | None,
        typer.Option(
            help="How much is done against forged verdicts. Default: twinned with --sdk, "
            "whose scores are for others to read; checked for a single folder."
        ),
    ] = None,
    no_reference: Annotated[
        bool, typer.Option("--no-reference", help="The same as --integrity off.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, max=256, help="Attempts at once. Default: one per core.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Judge only the first N samples.")
    ] = None,
    repeat: Annotated[
        int, typer.Option(min=1, max=100, help="Judge each N times, the references too.")
    ] = 1,
    timeout: Annotated[
        float, typer.Option(min=0.1, max=86400, help="Seconds that one attempt's tests may take.")
    ] = 300.0,
    sandbox: Annotated[
        SandboxChoice, typer.Option(help="How judged code is isolated.")
    ] = SandboxChoice.AUTO,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every failure with its trace and output.")
    ] = False,
    json_output: Annotated[bool, typer.Option("--json", help="Print JSON, and only JSON.")] = False,
) -> int:
    """Functional correctness (F-CORR): install, build, test in a sandbox, and score."""
    chosen = {"--sample": sample, "--sdk": sdk, "--solution": solution, "--directory": directory}
    given = [flag for flag, value in chosen.items() if value is not None]
    if len(given) != 1:
        had = f"got {' and '.join(given)}" if given else "got none"
        raise InputError(f"Pass exactly one of {', '.join(chosen)}; {had}.")
    if for_sample is not None and solution is None:
        raise InputError("--for-sample goes with --solution.")
    if starters and sdk is None:
        raise InputError("--starters goes with --sdk.")
    runners = [runner.name for runner in TestRunnerRegistry.get_all_runners()]
    if language is not None and language not in runners:
        raise InputError(f"No runner for {language!r}. There are: {', '.join(sorted(runners))}.")
    samples = samples_dir or default_samples_dir()
    subjects = _subjects(sample, sdk, solution, directory, for_sample, samples, starters)[:limit]
    cancellation = Cancellation()
    chosen_sandbox = choose(sandbox.value, cancellation)
    harness = Harness(chosen_sandbox, Cache(cancellation=cancellation), install=not no_install)
    options = Options(
        mode=mode.score_mode(),
        timeout=timeout,
        integrity=_integrity(integrity, no_reference=no_reference, whole_sdk=sdk is not None),
        language=language,
        reference_runs=repeat,
    )
    display = Display(chosen_sandbox, quiet=json_output, verbose=verbose)
    try:
        with display:
            results = run_local(
                subjects,
                lambda subject: judge_repeatedly(subject, options, harness, repeat),
                workers=workers or os.cpu_count() or 1,
                emit=display.on_event,
                cancellation=cancellation,
            )
    except Cancelled:
        display.interrupted()
        if json_output:
            typer.echo(suite_json(display.finished))
        return ExitCode.INTERRUPTED
    if sdk is None and results[0].fault in {Fault.INPUT, Fault.MISSING_RUNNER}:
        raise InputError(results[0].error)
    if sdk is None and results[0].fault is Fault.PLUGIN:
        raise PluginFault(results[0].error)
    if json_output:
        typer.echo(single_json(results[0]) if sdk is None else suite_json(results))
    else:
        display.summary(results)
    return _exit_code(results, every_sdk=sdk == "all")


def _exit_code(results: Sequence[FCorrResult], *, every_sdk: bool) -> ExitCode:
    """Among all samples there are some in languages that this machine need not have."""
    faults = [result.fault for result in results if result.outcome is Outcome.ERROR]
    if every_sdk and len(faults) < len(results):
        faults = [fault for fault in faults if fault is not Fault.MISSING_TOOL]
    return ExitCode.HARNESS_FAULT if faults else ExitCode.OK


def _integrity(wanted: Integrity | None, *, no_reference: bool, whole_sdk: bool) -> Integrity:
    if no_reference and wanted not in {None, Integrity.OFF}:
        raise InputError(f"--no-reference contradicts --integrity {wanted}.")
    if no_reference:
        return Integrity.OFF
    return wanted or (Integrity.TWINNED if whole_sdk else Integrity.CHECKED)


def _subjects(
    sample: Path | None,
    sdk: str | None,
    solution: Path | None,
    directory: Path | None,
    for_sample: Path | None,
    samples_dir: Path,
    starters: bool,
) -> list[Subject]:
    """What to judge. Folders that the user named must be there; InputError says what is wrong."""
    if sample is not None:
        loaded = load_sample(sample)
        return [Subject(loaded.reference_dir, loaded)]
    if sdk is not None:
        return _sdk_subjects(load_sdk(samples_dir, sdk), starters)
    if solution is not None:
        folder = Solution(solution).solution_dir
        found = load_sample(for_sample) if for_sample else find_sample(folder, samples_dir)
        return [Subject(folder, found)]
    assert directory is not None  # noqa: S101 - exactly one was given
    return [Subject(Solution(directory).solution_dir)]


def _sdk_subjects(samples: list[Sample], starters: bool) -> list[Subject]:
    subjects = []
    for sample in samples:
        subjects.append(Subject(sample.reference_dir, sample))
        if starters and sample.starter_dir.is_dir():
            subjects.append(Subject(sample.starter_dir, sample))
    return subjects
