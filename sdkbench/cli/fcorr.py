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
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import STYLES, harmless, plain_table, stdout_console, warm_sentence
from sdkbench.cli.options import (
    JsonOption,
    Mode,
    SamplesDirOption,
    SandboxOption,
    WarmOption,
    WorkersOption,
)
from sdkbench.cli.progress import ProgressDisplay
from sdkbench.core import Fault, Integrity, Outcome, Solution
from sdkbench.datasets import Sample, default_samples_dir, find_sample, load_sample, load_sdk
from sdkbench.engine import LocalJudge, SandboxLevel, judge_folders, label
from sdkbench.errors import Cancelled, ExitCode, InputError, PluginFault
from sdkbench.judge.attempt import judge_repeatedly
from sdkbench.judge.reference import prepare_sample
from sdkbench.judge.subject import Options, Subject
from sdkbench.report import Summary, single_json, suite_json, summarise
from sdkbench.test_harness import FCorrResult, Harness, TestRunnerRegistry

REASON_LINES = 3  # in the table; --verbose and --json have it whole

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
    warm: WarmOption = True,
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
    harness = Harness.default(sandbox, install=not no_install, warm=bool(warm))
    level = _integrity(integrity, no_reference=no_reference, whole_sdk=sdk is not None)
    options = Options(mode.score_mode(), level, timeout, language=language, reference_runs=repeat)
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
    if sdk is None:
        _raise_fault(results[0])
    counts = harness.warm.counts if harness.warm else {}
    if json_output:
        typer.echo(single_json(results[0]) if sdk is None else suite_json(results, counts))
    else:
        rows = [(label(subject), result) for subject, result in zip(subjects, results, strict=True)]
        show_results(stdout_console(), rows, time.monotonic() - began, counts, verbose=verbose)
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


def show_results(
    out: Console,
    rows: Sequence[tuple[str, FCorrResult]],
    seconds: float,
    warm_counts: Mapping[str, int],
    *,
    verbose: bool,
) -> None:
    results = [result for _, result in rows]
    out.print(results_table(rows))
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


def results_table(rows: Sequence[tuple[str, FCorrResult]]) -> Table:
    """A row for each result, with what it is a result of."""
    table = plain_table()
    table.add_column("sample", overflow="fold")
    table.add_column("outcome", no_wrap=True)
    for figure in ("score", "tests", "seconds"):
        table.add_column(figure, justify="right", no_wrap=True)
    table.add_column("reason", overflow="fold", ratio=1)
    for name, result in rows:
        tests = f"{result.tests_passed}/{result.tests_total}"
        tests += f" ({result.tests_skipped} skipped)" if result.tests_skipped else ""
        table.add_row(
            Text(harmless(name)),
            Text(result.outcome, style=STYLES[result.outcome]),
            f"{result.score:g}",
            tests,
            f"{result.duration:.1f}",
            Text(_shortened(result.error or "")),
        )
    return table


def _shortened(reason: str) -> str:
    lines = [line.rstrip() for line in harmless(reason).strip().splitlines()]
    if len(lines) > REASON_LINES:
        lines = [*lines[:REASON_LINES], "…"]
    return "\n".join(lines)


def _details(result: FCorrResult) -> Text:
    """Everything known of one attempt: stages, failures with traces, what they printed."""
    text = Text(f"\n{result.sample_id}: {result.outcome}", style="bold")
    parts = [f"\n  assurance: {result.assurance}"]
    if result.language:
        parts.append(f"  runner: {result.language} with {result.framework}")
    if result.sandbox:
        parts.append(f"  sandbox: {result.sandbox.level}")
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
