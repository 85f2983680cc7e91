"""`sdkbench regrade RUN`: stored solutions and answers judged again, and what changed."""

from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple

import typer

from sdkbench.cli.console import harmless
from sdkbench.cli.options import (
    JsonOption,
    ReasonsOption,
    RunArgument,
    SamplesDirOption,
    StoreOption,
)
from sdkbench.cli.progress import ProgressDisplay
from sdkbench.cli.run import (
    AddressOption,
    EngineOption,
    IntegrityOption,
    ModeOption,
    SandboxOption,
    TimeoutOption,
    WorkersOption,
)
from sdkbench.cli.run_config import run_settings
from sdkbench.cli.show import present
from sdkbench.engine import (
    RunSettings,
    judge_setup,
    judged_by_settings,
    plan_regrade,
    regrade_run,
)
from sdkbench.errors import Cancelled, ExitCode
from sdkbench.store import Attempt, open_store


class Place(NamedTuple):
    suite: str
    sdk: str
    sample: str
    model: str
    trial: int


def regrade(
    run: RunArgument,
    mode: ModeOption = None,
    integrity: IntegrityOption = None,
    timeout: TimeoutOption = None,
    workers: WorkersOption = None,
    samples_dir: SamplesDirOption = None,
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
    flags = {name: value for name, value in locals().items() if name in RunSettings.model_fields}
    given = {name: value for name, value in flags.items() if value not in (None, [])}
    with open_store(store) as opened:
        before = opened.find_run(run)
        settings = run_settings(None, judged_by_settings(before) | given)
        judging = judge_setup(settings)
        progress = ProgressDisplay(judging.level, quiet=json_output)
        again = plan_regrade(opened, before, settings, judging, insist=bool(dataset))
        for sentence in again.left_out:
            typer.echo(f"left out: {harmless(sentence)}", err=True)
        try:
            with progress:
                after = regrade_run(again, judging, opened, progress.on_event)
        except Cancelled:
            # `latest` would be the regrade itself now.
            progress.interrupted(f"`sdkbench regrade {before.id}` with the same options")
            return ExitCode.INTERRUPTED
        present(opened, after, json_output=json_output, verbose=verbose)
        if not json_output:
            _show_changes(_by_place(opened.attempts(before.id)), opened.attempts(after.id))
    return progress.exit_code(every_sdk=True)


def _by_place(attempts: Iterable[Attempt]) -> dict[Place, str]:
    return {_place(attempt): attempt.outcome for attempt in attempts}


def _place(attempt: Attempt) -> Place:
    return Place(attempt.suite, attempt.sdk, attempt.sample, attempt.model, attempt.trial)


def _show_changes(before: Mapping[Place, str], attempts: Iterable[Attempt]) -> None:
    same = total = 0
    for attempt in sorted(attempts, key=_place):
        was = before.get(_place(attempt))
        total += 1
        if was == attempt.outcome:
            same += 1
            continue
        who = f"{attempt.sample} by {attempt.model}, trial {attempt.trial}"
        typer.echo(harmless(f"changed: {who}: {was} → {attempt.outcome}"))
    typer.echo(f"{same} of {total} outcomes are as they were.")
