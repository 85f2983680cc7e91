"""`sdkbench fcorr`: judge a sample, an SDK's samples, a solution, or any folder."""

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.console import stdout_console
from sdkbench.cli.fcorr_tables import results_table, show_results
from sdkbench.cli.options import (
    JsonOption,
    Mode,
    SamplesDirOption,
    SandboxOption,
    WorkersOption,
)
from sdkbench.cli.progress import ProgressDisplay
from sdkbench.core import Fault, Integrity, Solution
from sdkbench.datasets import Sample, default_samples_dir, find_sample, load_sample, load_sdk
from sdkbench.engine import LocalJudge, SandboxLevel, judge_folders, label
from sdkbench.errors import Cancelled, ExitCode, InputError, PluginFault
from sdkbench.judge.attempt import judge_repeatedly
from sdkbench.judge.subject import Options, Subject
from sdkbench.report import single_json, suite_json
from sdkbench.test_harness import FCorrResult, Harness, TestRunnerRegistry

SampleOption = Annotated[
    Path | None, typer.Option(help="Judge the reference of the sample in this folder.")
]
SdkOption = Annotated[
    str | None, typer.Option(help='Judge the references of all samples of an SDK, or "all".')
]
SolutionOption = Annotated[
    Path | None, typer.Option(help="Judge this solution folder on its sample's tests.")
]
DirectoryOption = Annotated[Path | None, typer.Option(help="Judge this folder on its own tests.")]
ForSampleOption = Annotated[Path | None, typer.Option(help="The sample that --solution answers.")]
StartersOption = Annotated[
    bool, typer.Option("--starters", help="With --sdk: judge the unfinished starters as well.")
]
ModeOption = Annotated[Mode, typer.Option(help="How to score.")]
LanguageOption = Annotated[
    str | None, typer.Option(help="Use this runner instead of the surest one.")
]
NoInstallOption = Annotated[
    bool, typer.Option("--no-install", help="Use only environments that are there already.")
]
IntegrityOption = Annotated[
    Integrity | None,
    typer.Option(
        help="How much is done against forged verdicts. Default: twinned with --sdk, "
        "whose scores are for others to read; checked for a single folder."
    ),
]
NoReferenceOption = Annotated[
    bool, typer.Option("--no-reference", help="The same as --integrity off.")
]
LimitOption = Annotated[int | None, typer.Option(min=1, help="Judge only the first N samples.")]
RepeatOption = Annotated[
    int, typer.Option(min=1, max=100, help="Judge each N times, the references too.")
]
TimeoutOption = Annotated[
    float, typer.Option(min=0.1, max=86400, help="Seconds that one attempt's tests may take.")
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show every failure with its trace and output.")
]


def fcorr(
    sample: SampleOption = None,
    sdk: SdkOption = None,
    solution: SolutionOption = None,
    directory: DirectoryOption = None,
    for_sample: ForSampleOption = None,
    samples_dir: SamplesDirOption = None,
    starters: StartersOption = False,
    mode: ModeOption = Mode.STRICT,
    language: LanguageOption = None,
    no_install: NoInstallOption = False,
    integrity: IntegrityOption = None,
    no_reference: NoReferenceOption = False,
    workers: WorkersOption = None,
    limit: LimitOption = None,
    repeat: RepeatOption = 1,
    timeout: TimeoutOption = 300.0,
    sandbox: SandboxOption = SandboxLevel.AUTO,
    verbose: VerboseOption = False,
    json_output: JsonOption = False,
) -> int:
    """Functional correctness (F-CORR): install, build, test in a sandbox, and score."""
    wanted = Wanted(sample, sdk, solution, directory, for_sample, starters=starters)
    _check_language(language)
    subjects = wanted.subjects(samples_dir or default_samples_dir())[:limit]
    harness = Harness.default(sandbox, install=not no_install)
    level = _integrity(integrity, no_reference=no_reference, whole_sdk=sdk is not None)
    options = Options(mode.score_mode(), level, timeout, language=language, reference_runs=repeat)
    work = partial(judge_repeatedly, options=options, harness=harness, times=repeat)
    progress = ProgressDisplay(harness.sandbox.level, quiet=json_output)
    began = time.monotonic()
    try:
        with progress:
            judge, cancellation = LocalJudge(work, workers), harness.sandbox.cancellation
            results = judge_folders(subjects, judge, progress.on_event, cancellation)
    except Cancelled:
        _show_interrupted(progress, json_output=json_output)
        return ExitCode.INTERRUPTED
    if sdk is None:
        _raise_fault(results[0])
    if json_output:
        typer.echo(single_json(results[0]) if sdk is None else suite_json(results))
    else:
        rows = [(label(subject), result) for subject, result in zip(subjects, results, strict=True)]
        show_results(stdout_console(), rows, time.monotonic() - began, verbose=verbose)
    return progress.exit_code(every_sdk=sdk == "all")


def _show_interrupted(progress: ProgressDisplay, *, json_output: bool) -> None:
    finished = [each for each in progress.results if isinstance(each, FCorrResult)]
    if json_output:
        typer.echo(suite_json(finished))
    elif finished:
        rows = [(result.sample_id or "", result) for result in finished]
        stdout_console().print(results_table(rows))
    progress.interrupted()


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


def _integrity(wanted: Integrity | None, *, no_reference: bool, whole_sdk: bool) -> Integrity:
    if no_reference and wanted not in {None, Integrity.OFF}:
        raise InputError(f"--no-reference contradicts --integrity {wanted}.")
    if no_reference:
        return Integrity.OFF
    return wanted or (Integrity.TWINNED if whole_sdk else Integrity.CHECKED)


@dataclass(frozen=True)
class Wanted:
    """Options of one call. Raises InputError where they don't go together."""

    sample: Path | None
    sdk: str | None
    solution: Path | None
    directory: Path | None
    for_sample: Path | None
    starters: bool

    def __post_init__(self) -> None:
        flags = ("--sample", "--sdk", "--solution", "--directory")
        given = [flag for flag in flags if getattr(self, flag.removeprefix("--")) is not None]
        if len(given) != 1:
            had = f"got {' and '.join(given)}" if given else "got none"
            raise InputError(f"Pass exactly one of {', '.join(flags)}; {had}.")
        if self.for_sample is not None and self.solution is None:
            raise InputError("--for-sample goes with --solution.")
        if self.starters and self.sdk is None:
            raise InputError("--starters goes with --sdk.")

    def subjects(self, samples_dir: Path) -> list[Subject]:
        """Folders that the user named must be there; InputError says what is wrong."""
        if self.sample is not None:
            loaded = load_sample(self.sample)
            return [Subject(loaded.reference_dir, loaded)]
        if self.sdk is not None:
            return _of_sdk(load_sdk(samples_dir, self.sdk), starters=self.starters)
        if self.solution is not None:
            folder = Solution(self.solution).solution_dir
            named = self.for_sample
            sample = load_sample(named) if named else find_sample(folder, samples_dir)
            return [Subject(folder, sample)]
        assert self.directory is not None  # noqa: S101 - exactly one was given
        return [Subject(Solution(self.directory).solution_dir)]


def _of_sdk(samples: list[Sample], *, starters: bool) -> list[Subject]:
    subjects = []
    for sample in samples:
        subjects.append(Subject(sample.reference_dir, sample))
        if starters and sample.starter_dir.is_dir():
            subjects.append(Subject(sample.starter_dir, sample))
    return subjects
