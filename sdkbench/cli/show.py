"""`sdkbench runs` and `show RUN [SAMPLE]`: what is in the store, of all runs or of one."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sdkbench.cli.console import harmless, plain_table, stdout_console
from sdkbench.cli.options import JsonOption, ReasonsOption, RunArgument, StoreOption
from sdkbench.cli.run_tables import show_attempt, show_reasons, show_run
from sdkbench.core import Outcome
from sdkbench.errors import InputError
from sdkbench.metrics.statistics import Statistics, Trial, statistics
from sdkbench.store import Attempt, Run, Suite, open_store

if TYPE_CHECKING:
    from sdkbench.store.database import Store


def runs(
    store: StoreOption = None,
    json_output: JsonOption = False,
) -> None:
    """Every run, the newest first."""
    with open_store(store, write=False) as opened:
        found = opened.runs()
        counts = opened.outcome_counts()
    if json_output:
        typer.echo(json.dumps([_record(run, counts.get(run.id, Counter())) for run in found]))
        return
    table = plain_table()
    for column in ("run", "state", "attempts", "outcomes", "label"):
        table.add_column(column, justify="right" if column == "attempts" else "left")
    for run in found:
        counted = counts.get(run.id, Counter())
        planned = "?" if run.planned is None else str(run.planned)
        table.add_row(
            run.id,
            run.state,
            f"{counted.total()}/{planned}",
            ", ".join(f"{count} {outcome}" for outcome, count in sorted(counted.items())),
            Text(harmless(run.label)),
        )
    stdout_console().print(table)


def _record(run: Run, counted: Counter[Outcome]) -> dict[str, object]:
    return {**run.model_dump(mode="json"), "attempts": counted.total(), "outcomes": dict(counted)}


def show(
    run: RunArgument,
    sample: Annotated[
        str | None, typer.Argument(help="Only this sample, in full.", metavar="[SAMPLE]")
    ] = None,
    k: Annotated[
        list[int] | None,
        typer.Option("--k", min=1, help="Give pass@K; repeat for more.", show_default=False),
    ] = None,
    verbose: ReasonsOption = False,
    store: StoreOption = None,
    json_output: JsonOption = False,
) -> None:
    """Means with 95 % intervals by model and task type, pass@k, and each pair of models."""
    with open_store(store, write=False) as opened:
        found = opened.find_run(run)
        if sample is None:
            present(opened, found, ks=k or (), json_output=json_output, verbose=verbose)
        else:
            _show_sample(opened, found, sample, json_output=json_output)


def present(
    store: "Store",
    run: Run,
    *,
    json_output: bool,
    verbose: bool,
    ks: Sequence[int] = (),
) -> None:
    """The run's table on stdout, with the reasons of what did not pass; or all of it as JSON."""
    figures = _figures(store, run, ks)
    if json_output:
        suites = {suite: each.model_dump(mode="json") for suite, each in figures.items()}
        typer.echo(json.dumps({"run": run.model_dump(mode="json"), "suites": suites}))
        return
    out = stdout_console()
    show_run(out, run, figures)
    show_reasons(out, store.attempts(run.id), run.id, verbose=verbose)


def _figures(store: "Store", run: Run, ks: Sequence[int]) -> dict[Suite, Statistics]:
    trials: dict[Suite, list[Trial]] = {}
    for attempt in store.attempts(run.id):
        trials.setdefault(attempt.suite, []).append(_trial(attempt))
    return {suite: statistics(trials[suite], ks) for suite in Suite if suite in trials}


def _show_sample(store: "Store", run: Run, sample: str, *, json_output: bool) -> None:
    attempts = list(store.attempts(run.id, sample=sample))
    if not attempts:
        raise InputError(
            f"Run {run.id} has no attempt on {sample!r}. `sdkbench export {run.id} "
            "--format csv` lists its samples."
        )
    if json_output:
        typer.echo(json.dumps([attempt.model_dump(mode="json") for attempt in attempts]))
        return
    for attempt in attempts:
        show_attempt(stdout_console(), attempt, store.artefact_names(run.id, attempt.key))


def _trial(attempt: Attempt) -> Trial:
    return Trial(
        model=attempt.model,
        sample=f"{attempt.sdk}/{attempt.sample}",
        task_type=attempt.task_type,
        outcome=attempt.outcome,
        score=attempt.score,
    )
