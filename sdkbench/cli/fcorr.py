"""`sdkbench fcorr`: judge a sample, an SDK's samples, a solution, or any folder."""

from collections.abc import Sequence

import typer

from sdkbench.cli import fcorr_options as options
from sdkbench.cli.display import Display
from sdkbench.cli.fcorr_subjects import Wanted
from sdkbench.cli.options import (
    JsonOption,
    Mode,
    SamplesDirOption,
    SandboxOption,
    WorkersOption,
)
from sdkbench.cli.shown_run import run_shown
from sdkbench.core import Fault, Integrity, Outcome
from sdkbench.datasets import default_samples_dir
from sdkbench.engine import SandboxLevel
from sdkbench.environments import Cache
from sdkbench.errors import Cancelled, ExitCode, InputError, PluginFault
from sdkbench.judge.attempt import judge_repeatedly
from sdkbench.judge.subject import Options
from sdkbench.report import single_json, suite_json
from sdkbench.sandbox import Cancellation, choose
from sdkbench.test_harness import FCorrResult, Harness, TestRunnerRegistry


def fcorr(
    sample: options.SampleOption = None,
    sdk: options.SdkOption = None,
    solution: options.SolutionOption = None,
    directory: options.DirectoryOption = None,
    for_sample: options.ForSampleOption = None,
    samples_dir: SamplesDirOption = None,
    starters: options.StartersOption = False,
    mode: options.ModeOption = Mode.STRICT,
    language: options.LanguageOption = None,
    no_install: options.NoInstallOption = False,
    integrity: options.IntegrityOption = None,
    no_reference: options.NoReferenceOption = False,
    workers: WorkersOption = None,
    limit: options.LimitOption = None,
    repeat: options.RepeatOption = 1,
    timeout: options.TimeoutOption = 300.0,
    sandbox: SandboxOption = SandboxLevel.AUTO,
    verbose: options.VerboseOption = False,
    json_output: JsonOption = False,
) -> int:
    """Functional correctness (F-CORR): install, build, test in a sandbox, and score."""
    wanted = Wanted(
        sample=sample,
        sdk=sdk,
        solution=solution,
        directory=directory,
        for_sample=for_sample,
        starters=starters,
    )
    _check_language(language)
    subjects = wanted.subjects(samples_dir or default_samples_dir())[:limit]
    cancellation = Cancellation()
    chosen = choose(sandbox.value, cancellation)
    harness = Harness(chosen, Cache(cancellation=cancellation), install=not no_install)
    judging = Options(
        mode=mode.score_mode(),
        timeout=timeout,
        integrity=_integrity(integrity, no_reference=no_reference, whole_sdk=sdk is not None),
        language=language,
        reference_runs=repeat,
    )
    display = Display(chosen, quiet=json_output, verbose=verbose)
    try:
        results = run_shown(
            subjects,
            lambda subject: judge_repeatedly(subject, judging, harness, repeat),
            display,
            workers=workers,
            cancellation=cancellation,
        )
    except Cancelled:
        if json_output:
            typer.echo(suite_json(display.finished))
        return ExitCode.INTERRUPTED
    if sdk is None:
        _raise_fault(results[0])
    if json_output:
        typer.echo(single_json(results[0]) if sdk is None else suite_json(results))
    else:
        display.summary(results)
    return _exit_code(results, every_sdk=sdk == "all")


def _check_language(language: str | None) -> None:
    runners = [runner.name for runner in TestRunnerRegistry.get_all_runners()]
    if language is not None and language not in runners:
        raise InputError(f"No runner for {language!r}. There are: {', '.join(sorted(runners))}.")


def _raise_fault(result: FCorrResult) -> None:
    """Where one folder was asked for, what hinders judging it is the command's own error."""
    if result.fault in {Fault.INPUT, Fault.MISSING_RUNNER}:
        raise InputError(result.error)
    if result.fault is Fault.PLUGIN:
        raise PluginFault(result.error)


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
