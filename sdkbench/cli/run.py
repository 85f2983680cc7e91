"""`sdkbench run`: models over samples and shell datasets, stored, resumed, shown as a table.

`sdkbench regrade RUN`: stored solutions and answers judged again, and what changed.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sdkbench.cli.console import harmless, warm_sentence
from sdkbench.cli.options import (
    FailUnderOption,
    JsonOption,
    Mode,
    PrivateTestsOption,
    ReasonsOption,
    RunArgument,
    SamplesDirOption,
    StoreOption,
    WarmOption,
)
from sdkbench.cli.progress import ProgressDisplay
from sdkbench.cli.results.report import leave_report
from sdkbench.cli.results.show import present
from sdkbench.cli.run_config import run_settings
from sdkbench.core import Integrity
from sdkbench.engine import (
    EngineKind,
    JudgeSetup,
    RunSettings,
    SandboxLevel,
    judge_setup,
    judged_by_settings,
    load_suites,
    plan_regrade,
    regrade_run,
    run_models,
)
from sdkbench.errors import Cancelled, ExitCode
from sdkbench.metrics.thresholds import GatedTrial, parse_thresholds, require_thresholds
from sdkbench.store import Attempt, Run, open_store

if TYPE_CHECKING:
    from sdkbench.store.database import Store

# What is not given is None, so that a file may say it.
MODELS = "reference, starter, openai:MODEL, anthropic:MODEL, mlx:PATH, agent:CMD, replay:FOLDER"

SdkOption = Annotated[
    list[str] | None, typer.Option(help='Samples of this SDK, or "all". Repeat for more.')
]
DatasetOption = Annotated[
    list[str] | None,
    typer.Option(help='A shell dataset: a TOML file, or "core" for our own. Repeat for more.'),
]
ModelOption = Annotated[
    list[str] | None,
    typer.Option(metavar="SPEC", help=f"What to measure: {MODELS}. Repeat to compare."),
]
TrialsOption = Annotated[int | None, typer.Option(help="Tries of each. Default: 1.")]
LimitOption = Annotated[
    int | None, typer.Option(help="Only the first N of each SDK and each dataset.")
]
WorkersOption = Annotated[
    int | None, typer.Option(help="Solutions judged at once. Default: one per core.")
]
MaxRequestsOption = Annotated[
    int | None, typer.Option(help="Requests to each model at once. Default: 8.")
]
RunFcorrOption = Annotated[
    bool | None,
    typer.Option("--run-fcorr/--no-fcorr", help="Execute solutions, or only read them."),
]
MetricsOption = Annotated[
    bool | None,
    typer.Option("--metrics", help="Read solutions too: I-ACC, C-COMP, IPA, CQ and SEM-SIM."),
]
WeightsOption = Annotated[
    str | None,
    typer.Option(help="Of the overall score: classic (default), balanced, or IPA=50,CQ=50."),
]
ModeOption = Annotated[Mode | None, typer.Option(help="How to score. Default: strict.")]
IntegrityOption = Annotated[
    Integrity | None,
    typer.Option(help="How much is done against forged verdicts. Default: apart."),
]
TimeoutOption = Annotated[
    float | None, typer.Option(help="Seconds that one attempt's tests may take. Default: 300.")
]
SkipGenerationOption = Annotated[
    bool | None, typer.Option("--skip-generation", help="Ask nobody: judge what is stored.")
]
SkipEvaluationOption = Annotated[
    bool | None,
    typer.Option("--skip-evaluation", help="Store solutions of samples without judging them."),
]
DocsOption = Annotated[
    Path | None, typer.Option(help="A text file about the SDK, put into the prompts.")
]
RunIdOption = Annotated[
    str | None, typer.Option(help="The run's name; one that is there is resumed.")
]
LabelOption = Annotated[str | None, typer.Option(help="A word on the run, for its reader.")]
ResumeOption = Annotated[
    bool | None,
    typer.Option("--resume/--fresh", help="Use what the store has (default), or nothing of it."),
]
ConfigOption = Annotated[
    Path | None, typer.Option(help="A TOML file with these settings; flags override it.")
]
SandboxOption = Annotated[
    SandboxLevel | None, typer.Option(help="How judged code is isolated. Default: auto.")
]
EngineOption = Annotated[
    EngineKind | None, typer.Option(help="Judge on this machine, or on a Ray cluster.")
]
AddressOption = Annotated[
    str | None, typer.Option(help="The Ray cluster; without it, one is started here.")
]


def run(
    sdk: SdkOption = None,
    dataset: DatasetOption = None,
    model: ModelOption = None,
    trials: TrialsOption = None,
    limit: LimitOption = None,
    workers: WorkersOption = None,
    max_requests: MaxRequestsOption = None,
    run_fcorr: RunFcorrOption = None,
    metrics: MetricsOption = None,
    weights: WeightsOption = None,
    mode: ModeOption = None,
    integrity: IntegrityOption = None,
    warm: WarmOption = None,
    timeout: TimeoutOption = None,
    skip_generation: SkipGenerationOption = None,
    skip_evaluation: SkipEvaluationOption = None,
    docs: DocsOption = None,
    samples_dir: SamplesDirOption = None,
    private_tests: PrivateTestsOption = None,
    run_id: RunIdOption = None,
    label: LabelOption = None,
    resume: ResumeOption = None,
    store: StoreOption = None,
    config: ConfigOption = None,
    sandbox: SandboxOption = None,
    engine: EngineOption = None,
    address: AddressOption = None,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Write an HTML report beside the store.")
    ] = True,
    fail_under: FailUnderOption = None,
    verbose: ReasonsOption = False,
    json_output: JsonOption = False,
) -> int:
    """Every model over every sample and shell case: generated, judged, stored, resumed."""
    settings = run_settings(config, settings_among(locals()))
    thresholds = parse_thresholds(fail_under)
    if not settings.model:
        settings = settings.model_copy(update={"model": _ask_for_models()})
    suites = load_suites(settings)
    progress = ProgressDisplay(quiet=json_output)
    judging = judge_setup(settings, progress.on_event)
    progress.level = judging.level
    with open_store(settings.store) as opened:
        try:
            with progress:
                finished = run_models(settings, suites, judging, opened, progress.on_event)
        except Cancelled:
            same = "The same command"
            progress.interrupted(same if settings.resume else f"{same} without --fresh")
            return ExitCode.INTERRUPTED
        present(opened, finished, json_output=json_output, verbose=verbose)
        _say_how_warm(judging, json_output=json_output)
        if report and not json_output:
            leave_report(opened, finished)
        gated = [GatedTrial.of(attempt) for attempt in opened.attempts(finished.id)]
    require_thresholds(gated, thresholds)
    return progress.exit_code(every_sdk="all" in settings.sdk)


def _say_how_warm(judging: JudgeSetup, *, json_output: bool) -> None:
    """Beside the table, which tells of the run: a resumed one's is the same as a whole one's."""
    sentence = warm_sentence(judging.warm.counts) if judging.warm else ""
    if sentence and not json_output:
        typer.echo(sentence, err=True)


def settings_among(options: Mapping[str, object]) -> dict[str, object]:
    """Those of a command's options that are settings of a run."""
    return {name: options[name] for name in RunSettings.model_fields if name in options}


def _ask_for_models() -> tuple[str, ...]:
    """On a terminal the user says; anywhere else it is the reference."""
    if not sys.stdin.isatty() or os.environ.get("CI"):
        return ("reference",)
    typer.echo(f"Models: {MODELS}", err=True)
    answer = typer.prompt("Which (several: separated by commas)", default="reference", err=True)
    named = tuple(spec.strip() for spec in str(answer).split(",") if spec.strip())
    return named or ("reference",)


def regrade(
    run: RunArgument,
    mode: ModeOption = None,
    integrity: IntegrityOption = None,
    warm: WarmOption = None,
    timeout: TimeoutOption = None,
    workers: WorkersOption = None,
    samples_dir: SamplesDirOption = None,
    private_tests: PrivateTestsOption = None,
    dataset: Annotated[
        list[str] | None, typer.Option(help="The shell datasets. Default: those of the run.")
    ] = None,
    sandbox: SandboxOption = None,
    engine: EngineOption = None,
    address: AddressOption = None,
    store: StoreOption = None,
    verbose: ReasonsOption = False,
    json_output: JsonOption = False,
) -> int:
    """Judge what a run has stored again, the same way unless told: nobody is asked for anything."""
    flags = settings_among(locals())
    with open_store(store) as opened:
        before = opened.find_run(run)
        return judge_stored(
            opened,
            before,
            flags,
            insist=bool(dataset),
            verbose=verbose,
            json_output=json_output,
        )


def judge_stored(
    store: "Store",
    before: Run,
    flags: Mapping[str, object],
    *,
    verbose: bool,
    json_output: bool,
    insist: bool = False,
    changes: bool = True,
) -> int:
    """What `before` holds, as a new run; `changes` lists the outcomes that are others now."""
    settings = run_settings(None, flags, judged_by_settings(before))
    progress = ProgressDisplay(quiet=json_output)
    judging = judge_setup(settings, progress.on_event)
    progress.level = judging.level
    again = plan_regrade(store, before, settings, judging, insist=insist)
    for sentence in again.left_out:
        typer.echo(f"left out: {harmless(sentence)}", err=True)
    try:
        with progress:
            after = regrade_run(again, judging, store, progress.on_event)
    except Cancelled:
        # `latest` would be the regrade itself now.
        progress.interrupted(f"`sdkbench regrade {before.id}` with the same options")
        return ExitCode.INTERRUPTED
    present(store, after, json_output=json_output, verbose=verbose)
    if changes and not json_output:
        _show_changes(store.attempts(before.id), store.attempts(after.id))
    _say_how_warm(judging, json_output=json_output)
    return progress.exit_code(every_sdk=True)


def _show_changes(before: Iterable[Attempt], after: Iterable[Attempt]) -> None:
    outcomes = {attempt.place: attempt.outcome for attempt in before}
    same = total = 0
    for attempt in sorted(after, key=attrgetter("place")):
        was = outcomes.get(attempt.place)
        total += 1
        if was == attempt.outcome:
            same += 1
            continue
        who = f"{attempt.sample} by {attempt.model}, trial {attempt.trial}"
        typer.echo(harmless(f"changed: {who}: {was} → {attempt.outcome}"))
    typer.echo(f"{same} of {total} outcomes are as they were.")
