"""`sdkbench show RUN [SAMPLE]`: a run's figures, or all that is known of one sample in it."""

import json
from typing import Annotated

import typer

from sdkbench.cli.run_display import console, show_attempt, show_run
from sdkbench.cli.store_option import RunArgument, StoreOption
from sdkbench.errors import InputError
from sdkbench.metrics.statistics import Trial, statistics
from sdkbench.store import Attempt, open_store


def show(
    run: RunArgument,
    sample: Annotated[
        str | None, typer.Argument(help="Only this sample, in full.", metavar="[SAMPLE]")
    ] = None,
    k: Annotated[
        list[int] | None,
        typer.Option("--k", min=1, help="Give pass@K; repeat for more.", show_default=False),
    ] = None,
    store: StoreOption = None,
    json_output: Annotated[bool, typer.Option("--json", help="Print JSON, and only JSON.")] = False,
) -> None:
    """Means with 95 % intervals by model and task type, pass@k, and each pair of models."""
    with open_store(store, write=False) as opened:
        found = opened.find_run(run)
        if sample is None:
            figures = statistics(map(_trial, opened.attempts(found.id)), k or ())
            if json_output:
                typer.echo(
                    json.dumps(
                        {"run": found.model_dump(mode="json"), **figures.model_dump(mode="json")}
                    )
                )
            else:
                show_run(console(), found, figures)
            return
        attempts = list(opened.attempts(found.id, sample=sample))
        if not attempts:
            raise InputError(
                f"Run {found.id} has no attempt on {sample!r}. `sdkbench export {found.id} "
                "--format csv` lists its samples."
            )
        if json_output:
            typer.echo(json.dumps([attempt.model_dump(mode="json") for attempt in attempts]))
            return
        for attempt in attempts:
            show_attempt(console(), attempt, opened.artefact_names(found.id, attempt.key))


def _trial(attempt: Attempt) -> Trial:
    return Trial(
        model=attempt.model,
        sample=f"{attempt.sdk}/{attempt.sample}",
        task_type=attempt.task_type,
        outcome=attempt.outcome,
        score=attempt.score,
    )
