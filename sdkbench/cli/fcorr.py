"""`sdkbench fcorr`: judge a sample, an SDK's samples, a solution, or any folder; then a
table, details and a summary for a person.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from sdkbench.cli.console import (
    STYLES,
    harmless,
    print_rows,
    stdout_console,
    warm_sentence,
)
from sdkbench.cli.options import (
    FailUnderOption,
    JsonOption,
    Mode,
    PrivateTestsOption,
    SamplesDirOption,
    SandboxOption,
    WarmOption,
    WorkersOption,
)
from sdkbench.cli.progress import ProgressDisplay
from sdkbench.core import Fault, Integrity, Outcome, Solution, tree
from sdkbench.datasets import (
    Sample,
    check_private_tests,
    default_samples_dir,
    find_sample,
    load_sample,
    load_sdk,
    with_private_tests,
)
from sdkbench.engine import LocalJudge, SandboxLevel, judge_folders, label
from sdkbench.errors import Cancelled, ExitCode, InputError, PluginFault
from sdkbench.judge.attempt import judge_repeatedly
from sdkbench.judge.reference import prepare_sample
from sdkbench.judge.subject import Options, Subject
from sdkbench.metrics.thresholds import GatedTrial, parse_thresholds, require_thresholds
from sdkbench.report import Summary, single_json, suite_json, summarise
from sdkbench.store import Suite
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
AllowBuildOption = Annotated[
    bool,
    typer.Option(
        "--allow-build",
        help="With --directory: packages may be built from source, and their scripts may run.",
    ),
]
NoInstallOption = Annotated[
    bool, typer.Option("--no-install", help="Use only environments that are there already.")
]
NoBuildOption = Annotated[
    bool, typer.Option("--no-build", help="Run the tests without the build step before them.")
]
IntegrityOption = Annotated[
    Integrity | None,
    typer.Option(
        help="How much is done against forged verdicts. Default: apart with --sdk, "
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
    private_tests: PrivateTestsOption = None,
    starters: StartersOption = False,
    mode: ModeOption = Mode.STRICT,
    language: LanguageOption = None,
    no_install: NoInstallOption = False,
    allow_build: AllowBuildOption = False,
    no_build: NoBuildOption = False,
    warm: WarmOption = True,
    integrity: IntegrityOption = None,
    no_reference: NoReferenceOption = False,
    workers: WorkersOption = None,
    limit: LimitOption = None,
    repeat: RepeatOption = 1,
    timeout: TimeoutOption = 300.0,
    sandbox: SandboxOption = SandboxLevel.AUTO,
    fail_under: FailUnderOption = None,
    verbose: VerboseOption = False,
    json_output: JsonOption = False,
) -> int:
    """Functional correctness (F-CORR): install, build, test in a sandbox, and score."""
    wanted = Wanted(sample, sdk, solution, directory, for_sample, starters=starters)
    thresholds = parse_thresholds(fail_under)
    _check_language(language)
    subjects = wanted.subjects(samples_dir or default_samples_dir())[:limit]
    if private_tests is not None:
        subjects = [_privately(subject, private_tests) for subject in subjects]
    harness = Harness.default(sandbox, install=not no_install, warm=bool(warm))
    level = _integrity(integrity, no_reference=no_reference, whole_sdk=sdk is not None)
    if allow_build and directory is None:
        raise InputError("--allow-build goes with --directory; a sample says what it allows.")
    options = Options(
        mode.score_mode(),
        level,
        timeout,
        run_build=not no_build,
        language=language,
        allow_build=allow_build,
        reference_runs=repeat,
    )
    work = partial(judge_repeatedly, options=options, harness=harness, times=repeat)
    progress = ProgressDisplay(harness.sandbox.level, quiet=json_output)
    harness.cache.watch = progress.on_event
    began = time.monotonic()
    try:
        with progress:
            prepare = partial(prepare_sample, harness=harness, options=options)
            judge = LocalJudge(work, workers, harness.close, prepare)
            cancellation = harness.sandbox.cancellation
            results = judge_folders(subjects, judge, progress.on_event, cancellation)
    except Cancelled:
        _show_interrupted(progress, json_output=json_output)
        return ExitCode.INTERRUPTED
    if sdk is None and results[0].outcome is Outcome.ERROR and not json_output:
        _raise_fault(subjects[0], results[0])
    counts = harness.warm.counts if harness.warm else {}
    if json_output:
        typer.echo(single_json(results[0]) if sdk is None else suite_json(results, counts))
    if sdk is None:  # a folder that was refused has its result, and is bad input all the same
        _raise_fault(subjects[0], results[0])
    if not json_output:
        rows = [(label(subject), result) for subject, result in zip(subjects, results, strict=True)]
        show_results(stdout_console(), rows, time.monotonic() - began, counts, verbose=verbose)
    require_thresholds(map(_gated, subjects, results), thresholds)
    return progress.exit_code(every_sdk=sdk == "all")


def _gated(subject: Subject, result: FCorrResult) -> GatedTrial:
    """Nobody's: a folder has no model. A starter is a sample of its own beside the reference."""
    sample = subject.sample
    task_type = str(sample.ground_truth.metadata.task_type) if sample else ""
    sdk = sample.sdk if sample else ""
    return GatedTrial(Suite.SDK, sdk, task_type, "", label(subject), result.outcome, result.score)


def _show_interrupted(progress: ProgressDisplay, *, json_output: bool) -> None:
    finished = [each for each in progress.results if isinstance(each, FCorrResult)]
    if json_output:
        typer.echo(suite_json(finished))
    elif finished:
        rows = [(result.sample_id or "", result) for result in finished]
        show_table(stdout_console(), rows)
    progress.interrupted()


def _privately(subject: Subject, private_tests: Path) -> Subject:
    """The subject, judged by private tests as well; InputError where they are of no sample."""
    sample = subject.sample
    if sample is None:
        raise InputError("--private-tests are of samples: they don't go with --directory.")
    check_private_tests(private_tests, sample.root.parent.parent)
    return subject._replace(sample=with_private_tests(sample, private_tests))


def _check_language(language: str | None) -> None:
    runners = [runner.name for runner in TestRunnerRegistry.get_all_runners()]
    if language is not None and language not in runners:
        raise InputError(f"No runner for {language!r}. There are: {', '.join(sorted(runners))}.")


def _raise_fault(subject: Subject, result: FCorrResult) -> None:
    """Where one folder was asked for, what hinders judging it is the command's own error. Not where
    it is the solution of a sample: that it can't be judged is a verdict on it.
    """
    if subject.sample is not None and result.outcome is Outcome.FAILED:
        return
    if result.fault in {Fault.INPUT, Fault.MISSING_RUNNER}:
        raise InputError(result.error)
    if result.fault is Fault.PLUGIN:
        raise PluginFault(result.error)


def _integrity(wanted: Integrity | None, *, no_reference: bool, whole_sdk: bool) -> Integrity:
    if no_reference and wanted not in {None, Integrity.OFF}:
        raise InputError(f"--no-reference contradicts --integrity {wanted}.")
    if no_reference:
        return Integrity.OFF
    return wanted or (Integrity.APART if whole_sdk else Integrity.CHECKED)


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
            # What is in it is for the verdict to say.
            folder = tree.folder(self.solution, what="The solution folder")
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


def show_results(
    out: Console,
    rows: Sequence[tuple[str, FCorrResult]],
    seconds: float,
    warm_counts: Mapping[str, int],
    *,
    verbose: bool,
) -> None:
    results = [result for _, result in rows]
    show_table(out, rows, verbose=verbose)
    if verbose:
        for result in results:
            out.print(_details(result), soft_wrap=True)
    out.print(_closing(summarise(results), results, seconds, warm_sentence(warm_counts)))
    # Tests that were left out are named, whatever else is shown.
    by_sample = {r.sample_id: r.excluded_tests for r in results if r.excluded_tests}
    for sample, names in by_sample.items():
        out.print(
            f"{sample}: left out, because the reference does not always pass: "
            f"{harmless(', '.join(names))}",
            style="yellow",
        )


def show_table(
    out: Console, rows: Sequence[tuple[str, FCorrResult]], *, verbose: bool = False
) -> None:
    """A row for each result, with what it is a result of, and below it the reason."""
    figures = []
    for name, result in rows:
        skipped = f" ({result.tests_skipped} skipped)" if result.tests_skipped else ""
        figures.append(
            (
                Text(result.outcome, style=STYLES[result.outcome]),
                f"{result.score:g}",
                f"{result.tests_passed}/{result.tests_total}{skipped}",
                f"{result.duration:.1f}",
                name,
            )
        )
    columns = ("outcome", "score", "tests", "seconds", "sample")
    right = {"score", "tests", "seconds"}
    reasons = [result.error or "" for _, result in rows]
    print_rows(out, columns, figures, right, below=reasons, whole=verbose)


def _details(result: FCorrResult) -> Text:
    """Everything known of one attempt: stages, failures with traces, what they printed."""
    text = Text(f"\n{result.sample_id}: {result.outcome}", style="bold")
    parts = [f"\n  assurance: {result.assurance}"]
    if result.language:
        parts.append(f"  runner: {result.language} with {result.framework}")
    if result.sandbox:
        parts.append(f"  sandbox: {result.sandbox.level}")
        parts += [f"  {name}: held by a {by}" for name, by in result.sandbox.held_by.items()]
        parts += [f"  limit not applied: {name}" for name in result.sandbox.unapplied]
    installed = result.install_results
    if installed and installed.environment_key:
        how = f"built in {installed.duration:.1f} s" if installed.built else "reused"
        parts.append(f"  environment: {installed.environment_key[:12]} ({how})")
        parts += [f"  added: {line}" for line in installed.completed_with]
    parts += [f"  note: {note}" for note in result.notes]
    parts += [f"  {name}: {' '.join(runs)}" for name, runs in result.history.items()]
    parts += [f"  {finding.name}: {finding.message}" for finding in result.findings]
    parts += [
        f"  build: {e}" for e in (result.build_results.errors if result.build_results else [])
    ]
    tested = result.test_results
    for failure in tested.failures if tested else []:
        where = f" at {failure.file_path}:{failure.line_number}" if failure.file_path else ""
        parts.append(f"\n  FAILED {failure.test_name}{where}\n{failure.stack_trace or ''}")
        if failure.output:
            parts.append(failure.output)
    if tested and tested.output and not tested.failures and result.outcome != Outcome.PASSED:
        parts.append(f"\n  the run said:\n{tested.output}")  # a traceback of the boot program, say
    return text.append(harmless("\n".join(parts)), style="not bold")


def _closing(
    summary: Summary, results: Sequence[FCorrResult], seconds: float, warm: str = ""
) -> str:
    counts = ", ".join(
        f"{getattr(summary, name)} {name.replace('_', ' ')}"
        for name in ("passed", "failed", "invalid", "error", "not_executed")
        if getattr(summary, name) or name in {"passed", "failed"}
    )
    mean = "n/a" if summary.mean_score is None else f"{summary.mean_score:g}"
    figure = f"mean F-CORR {mean} over {summary.judged} judged of {summary.total} ({summary.mode})"
    lines = [f"\n{counts}; {figure}, {seconds:.1f} s"]
    if summary.environments_built:
        built, reused = summary.environments_built, summary.environments_reused
        lines.append(f"environments: {built} built, {reused} reused from the cache")
    elif summary.environments_reused:
        lines.append(
            f"environments: nothing installed, {summary.environments_reused} reused from the cache"
        )
    levels = sorted({r.sandbox.level for r in results if r.sandbox})
    assurances = sorted({r.assurance.value for r in results if r.sandbox})
    if levels:
        lines.append(f"sandbox: {', '.join(levels)}; assurance: {', '.join(assurances)}")
    lines += [warm] if warm else []
    return "\n".join(lines)
