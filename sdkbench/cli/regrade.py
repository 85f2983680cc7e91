"""`sdkbench regrade RUN`: stored solutions and answers judged again, and what changed."""

from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple

import typer

from sdkbench.cli.options import JsonOption, SamplesDirOption
from sdkbench.cli.printable import harmless
from sdkbench.cli.run import exit_code_of
from sdkbench.cli.run_bench import bench_for
from sdkbench.cli.run_config import run_settings
from sdkbench.cli.run_options import (
    AddressOption,
    EngineOption,
    IntegrityOption,
    ModeOption,
    SandboxOption,
    TimeoutOption,
    VerboseOption,
    WorkersOption,
)
from sdkbench.cli.run_progress import RunProgress
from sdkbench.cli.shell_eval import find_dataset
from sdkbench.cli.show import present
from sdkbench.cli.store_option import RunArgument, StoreOption
from sdkbench.datasets import Sample, default_samples_dir, load_sdk
from sdkbench.engine import RunSettings, Suites, load_shell_set, read_old, regrade_run
from sdkbench.engine.regrade import Again, judged_by_settings
from sdkbench.errors import Cancelled, ExitCode
from sdkbench.store import Attempt, Suite, open_store


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
    verbose: VerboseOption = False,
    json_output: JsonOption = False,
) -> int:
    """Judge what a run has stored again, the same way unless told: nobody is asked for anything."""
    flags = {name: value for name, value in locals().items() if name in RunSettings.model_fields}
    given = {name: value for name, value in flags.items() if value not in (None, [])}
    with open_store(store) as opened:
        before = opened.find_run(run)
        settings = run_settings(None, judged_by_settings(before) | given)
        bench = bench_for(settings)
        progress = RunProgress(bench.level, quiet=json_output)
        there = {attempt.suite for attempt in opened.attempts(before.id)}
        suites = _suites(settings, there, insisted=bool(dataset))
        old = read_old(opened, before, suites, bench)
        for sentence in old.left_out:
            typer.echo(f"left out: {harmless(sentence)}", err=True)
        try:
            with progress:
                again = Again(before, settings, suites, bench)
                after = regrade_run(again, old, opened, progress.on_event)
        except Cancelled:
            # `latest` would be the regrade itself now.
            progress.interrupted(f"`sdkbench regrade {before.id}` with the same options")
            return ExitCode.INTERRUPTED
        present(opened, after, json_output=json_output, verbose=verbose)
        if not json_output:
            _show_changes(_by_place(opened.attempts(before.id)), opened.attempts(after.id))
    return exit_code_of(progress, every_sdk=True)


def _suites(settings: RunSettings, suites: set[Suite], *, insisted: bool) -> Suites:
    """What the run was measured by, as it is today; datasets must be there if `insisted` on."""
    samples: tuple[Sample, ...] = ()
    if Suite.SDK in suites:
        samples = tuple(load_sdk(settings.samples_dir or default_samples_dir(), "all"))
    paths = [find_dataset(name) for name in settings.dataset]
    sets = [load_shell_set(path, None) for path in paths if path.exists() or insisted]
    return Suites(samples, tuple(sets))


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
