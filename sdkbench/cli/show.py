"""`sdkbench runs` and `show RUN [SAMPLE]`: what is in the store, of all runs or of one. No figure
stands there without what it was taken over.
"""

import heapq
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import STYLES, harmless, plain_table, stdout_console
from sdkbench.cli.options import JsonOption, ReasonsOption, RunArgument, StoreOption
from sdkbench.core import Outcome
from sdkbench.errors import InputError
from sdkbench.metrics.statistics import (
    Comparison,
    Figures,
    Mean,
    ModelFigures,
    Statistics,
    Trial,
    statistics,
)
from sdkbench.store import Attempt, Run, Suite, open_store

if TYPE_CHECKING:
    from sdkbench.store.database import Store

METRICS = {Suite.SDK: "F-CORR", Suite.SHELL: "CSR"}
# Beside the passed ones, which have their denominator beside them: those that have a verdict.
OTHERS = {
    Outcome.FAILED: "failed",
    Outcome.INVALID: "invalid",
    Outcome.ERROR: "error",
    Outcome.NOT_EXECUTED: "not run",
}
MOST_REASONS = 20
REASON_CHARACTERS = 160
ROUNDED = 0.05  # what a figure with one decimal doesn't show


def runs(
    store: StoreOption = None,
    json_output: JsonOption = False,
) -> None:
    """Every run, the newest first."""
    with open_store(store, write=False) as opened:
        stored = opened.runs()
        counts = opened.outcome_counts()
    if json_output:
        typer.echo(json.dumps([_record(run, counts.get(run.id, Counter())) for run in stored]))
        return
    table = plain_table("run", "state", "attempts", "outcomes", "label", right={"attempts"})
    for run in stored:
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
        chosen = opened.find_run(run)
        if sample is None:
            present(opened, chosen, ks=k or (), json_output=json_output, verbose=verbose)
        else:
            _show_sample(opened, chosen, sample, json_output=json_output)


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


def show_run(out: Console, run: Run, figures: Mapping[Suite, Statistics]) -> None:
    label = f" ({harmless(run.label)})" if run.label else ""
    out.print(f"run {run.id}{label}: {run.state}, SDKBench {harmless(run.harness)}")
    if not figures:
        out.print("No attempt has been stored yet.")
        return
    out.print("\nShares of samples passed, with 95 % intervals; n is how many samples.\n")
    out.print(_models(figures))
    for suite, each in figures.items():
        for comparison in each.comparisons:
            out.print(f"\n{METRICS[suite]}: {_comparison(comparison)}", soft_wrap=True)


def show_reasons(out: Console, attempts: Iterable[Attempt], run_id: str, *, verbose: bool) -> None:
    """Why attempts did not pass: samples one by one, shell cases counted by reason."""
    counted: Counter[Suite] = Counter()
    reasons: Counter[tuple[str, str]] = Counter()

    def unpassed() -> Iterator[Attempt]:
        for attempt in attempts:
            if attempt.outcome is Outcome.PASSED:
                continue
            counted[attempt.suite] += 1
            if attempt.suite is Suite.SHELL:
                reasons[attempt.model, attempt.fault or attempt.outcome] += 1
            if attempt.suite is Suite.SDK or verbose:
                yield attempt

    # In an order of its own, so that it is the same however often the run was resumed.
    if verbose:
        shown = sorted(unpassed(), key=attrgetter("place"))
    else:
        shown = heapq.nsmallest(MOST_REASONS, unpassed(), key=attrgetter("place"))
    if shown:
        out.print("\nNot passed:\n")
        out.print(_reasons(shown, verbose=verbose))
    left = 0 if verbose else counted[Suite.SDK] - len(shown)
    if left:
        out.print(f"… and {left} more: `sdkbench show {run_id} --verbose`.")
    for (model, reason), count in sorted(reasons.items()):
        out.print(f"CSR, {harmless(model)}: {count} × {reason}")


def _reasons(attempts: Sequence[Attempt], *, verbose: bool) -> Table:
    table = plain_table("sample", "model", "trial", "outcome", "reason", overflow="fold")
    for attempt in attempts:
        reason = harmless(attempt.error or "")
        table.add_row(
            Text(harmless(attempt.sample)),
            Text(harmless(attempt.model)),
            str(attempt.trial),
            Text(attempt.outcome, style=STYLES[attempt.outcome]),
            Text(reason if verbose else " ".join(reason.split())[:REASON_CHARACTERS]),
        )
    return table


def show_attempt(out: Console, attempt: Attempt, artefacts: Sequence[tuple[str, str, int]]) -> None:
    """Everything but the contents of artefacts."""
    title = Text(harmless(f"{attempt.sample} by {attempt.model or 'nobody'}, trial "))
    title.append(f"{attempt.trial}: ").append(attempt.outcome, style=STYLES[attempt.outcome])
    out.print(title)
    lines = [
        f"score {attempt.score:g} ({attempt.mode}), assurance {attempt.assurance}",
        f"{attempt.duration_seconds:.1f} s, key {attempt.key[:12]}",
        *([f"reason: {attempt.error}"] if attempt.error else []),
        *([f"taken over from run {attempt.reused_from}"] if attempt.reused_from else []),
        _usage(attempt),
    ]
    lines += [f"{test.status:8} {test.test_id}  {test.message}".rstrip() for test in attempt.tests]
    lines += [f"{kind}: {name} ({size:,} bytes)" for kind, name, size in artefacts]
    for line in lines:
        if line:
            out.print(f"  {harmless(line)}", soft_wrap=True)


def _usage(attempt: Attempt) -> str:
    reported = {
        "input tokens": attempt.input_tokens,
        "output tokens": attempt.output_tokens,
        "US dollars": attempt.cost_usd,
    }
    return ", ".join(f"{value:g} {name}" for name, value in reported.items() if value is not None)


def _models(figures: Mapping[Suite, Statistics]) -> Table:
    """Mean scores only where they are not the pass shares again, as they are in mode strict."""
    scored = any(_has_own_score(model) for each in figures.values() for model in each.models)
    columns = ["metric", "model", "task type", "passed", *OTHERS.values(), "share", "95 %", "n"]
    table = plain_table(*columns, *(["score", "95 %"] if scored else []), overflow="fold")
    for suite, each in figures.items():
        for model in each.models:
            _add_model(table, METRICS[suite], model, scored=scored)
    return table


def _has_own_score(model: ModelFigures) -> bool:
    shares, scores = model.all.pass_share.value or 0.0, model.all.mean_score.value or 0.0
    return abs(scores - 100 * shares) > ROUNDED


def _add_model(table: Table, metric: str, model: ModelFigures, *, scored: bool) -> None:
    name = Text(harmless(model.model or "-"))
    table.add_row(metric, name, "all", *_cells(model.all, scored=scored))
    for task_type, figures in model.by_task_type.items():
        if len(model.by_task_type) > 1:
            label = Text(harmless(task_type or "-"))
            table.add_row("", "", label, *_cells(figures, scored=scored))
    for each in model.pass_at_k:
        if each.k > 1:
            short = f"{each.left_out} with too few trials" if each.left_out else ""
            what = f"pass@{each.k}" + (f" ({short})" if short else "")
            blank = [""] * (1 + len(OTHERS))
            table.add_row("", "", what, *blank, *_mean(each.mean, percent=True))


def _cells(figures: Figures, *, scored: bool) -> list[str]:
    passed = f"{figures.passed.count}/{figures.passed.total}"
    share = _mean(figures.pass_share, percent=True)
    others = [str(figures.outcomes.get(outcome, 0)) for outcome in OTHERS]
    cells = [passed, *others, *share]
    return [*cells, *_mean(figures.mean_score, percent=False)[:2]] if scored else cells


def _mean(mean: Mean, *, percent: bool) -> tuple[str, str, str]:
    """The value, its interval, and over how many."""
    if mean.value is None or mean.low is None or mean.high is None:
        return "n/a", "", "0"
    scale, sign = (100, " %") if percent else (1, "")
    low, high = scale * mean.low, scale * mean.high
    return f"{scale * mean.value:.1f}{sign}", f"{low:.1f}–{high:.1f}", str(mean.samples)


def _comparison(each: Comparison) -> str:
    first, second = harmless(each.first or "-"), harmless(each.second or "-")
    apart = each.only_first + each.only_second
    aside = f"; {apart} with one of them only, left out" if apart else ""
    if each.difference is None:
        return f"{first} against {second}: no sample in common{aside}."
    return (
        f"{first} against {second}, {each.samples} samples in common{aside}: "
        f"better on {each.first_better}, worse on {each.second_better}, p = {each.p_value:.3g} "
        f"(exact, two-sided); score {each.difference:+.1f} "
        f"[{each.low:+.1f}, {each.high:+.1f}] (95 %, paired bootstrap)."
    )
