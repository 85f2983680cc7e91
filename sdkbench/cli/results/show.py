"""`sdkbench runs` and `show RUN [SAMPLE]`: what is in the store, of all runs or of one. No figure
stands there without what it was taken over.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from sdkbench.cli.console import (
    STYLES,
    harmless,
    one_line,
    print_rows,
    stdout_console,
)
from sdkbench.cli.options import JsonOption, ReasonsOption, RunArgument, StoreOption
from sdkbench.core import Outcome
from sdkbench.errors import InputError
from sdkbench.metrics.overall import METRICS as ALL_METRICS
from sdkbench.metrics.overall import parse_weights
from sdkbench.metrics.statistics import (
    Comparison,
    Figures,
    Mean,
    ModelFigures,
    Statistics,
    Trial,
    statistics,
)
from sdkbench.report import RunFigures, json_text, listed_run
from sdkbench.report.code_metrics import (
    WEIGHTS,
    CodeFigures,
    attempt_overall,
    code_figures,
    run_weights,
    stored_metrics,
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
LONG_NAME = 30  # of a model: longer ones have a line of their own
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
        listed = [listed_run(run, counts.get(run.id, Counter())) for run in stored]
        typer.echo(json_text(listed))
        return
    rows = []
    for run in stored:
        counted = counts.get(run.id, Counter())
        planned = "?" if run.planned is None else str(run.planned)
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counted.items()))
        rows.append((run.id, run.state, f"{counted.total()}/{planned}", outcomes, run.label))
    columns = ("run", "state", "attempts", "outcomes", "label")
    print_rows(stdout_console(), columns, rows, right={"attempts"})


def show(
    run: RunArgument,
    sample: Annotated[
        str | None, typer.Argument(help="Only this sample, in full.", metavar="[SAMPLE]")
    ] = None,
    k: Annotated[
        list[int] | None,
        typer.Option("--k", min=1, help="Give pass@K; repeat for more.", show_default=False),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(help="Of the overall score. Default: those that the run was started with."),
    ] = None,
    verbose: ReasonsOption = False,
    store: StoreOption = None,
    json_output: JsonOption = False,
) -> None:
    """Means with 95 % intervals by model and task type, pass@k, and each pair of models."""
    with open_store(store, write=False) as opened:
        chosen = opened.find_run(run)
        if weights is not None:
            settings = {**chosen.settings, WEIGHTS: parse_weights(weights)}
            chosen = chosen.model_copy(update={"settings": settings})
        if sample is None:
            present(opened, chosen, ks=k or (), json_output=json_output, verbose=verbose)
        else:
            _show_sample(opened, chosen, sample, json_output=json_output, verbose=verbose)


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
        read = code_figures(store.attempts(run.id), run_weights(run))
        typer.echo(json_text(RunFigures(run=run, suites=figures, code_metrics=read)))
        return
    out = stdout_console()
    show_run(out, run, figures)
    show_code_figures(out, code_figures(store.attempts(run.id), run_weights(run)))
    show_reasons(out, store.attempts(run.id), run.id, verbose=verbose)


def _figures(store: "Store", run: Run, ks: Sequence[int]) -> dict[Suite, Statistics]:
    trials: dict[Suite, list[Trial]] = {}
    for attempt in store.attempts(run.id):
        trials.setdefault(attempt.suite, []).append(_trial(attempt))
    return {suite: statistics(trials[suite], ks) for suite in Suite if suite in trials}


def _show_sample(
    store: "Store", run: Run, sample: str, *, json_output: bool, verbose: bool
) -> None:
    attempts = list(store.attempts(run.id, sample=sample))
    if not attempts:
        raise InputError(
            f"Run {run.id} has no attempt on {sample!r}. `sdkbench export {run.id} "
            "--format csv` lists its samples."
        )
    if json_output:
        typer.echo(json_text(attempts))
        return
    for attempt in attempts:
        out = stdout_console()
        show_attempt(out, attempt, store.artefact_names(run.id, attempt.key))
        for line in _read_from_code(attempt, run_weights(run), verbose=verbose):
            out.print(f"  {harmless(line)}", soft_wrap=True)


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
    out.print("Shares of n samples that passed, with 95 % intervals; then attempts.")
    for suite, each in figures.items():
        _show_models(out, METRICS[suite], each.models)
    for suite, each in figures.items():
        for comparison in each.comparisons:
            out.print(f"\n{METRICS[suite]}: {_comparison(comparison)}")


def show_code_figures(out: Console, figures: Sequence[CodeFigures]) -> None:
    """Means of what was read from code, where that was asked for; never mixed with F-CORR."""
    if not figures:
        return
    columns = ("read from code", *ALL_METRICS, "overall", "grade")
    rows = []
    for each in figures:
        means = [f"{each.means[m]:.0f}" if m in each.means else "–" for m in ALL_METRICS]
        total = each.overall
        score = "–" if total.score is None else f"{total.score:.0f}"
        rows.append((each.model, *means, score, total.grade or ""))
    out.print()
    print_rows(out, columns, rows, right={*ALL_METRICS, "overall"})
    out.print(f"overall by {figures[0].overall.weights_name} weights; means over attempts.")


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
        _show_reasons(out, shown, verbose=verbose)
    left = 0 if verbose else counted[Suite.SDK] - len(shown)
    if left:
        out.print(f"… and {left} more: `sdkbench show {run_id} --verbose`.")
    for (model, reason), count in sorted(reasons.items()):
        out.print(f"CSR, {harmless(model)}: {count} × {reason}")


def _show_reasons(out: Console, attempts: Sequence[Attempt], *, verbose: bool) -> None:
    """Who, and below it why: beside it there is no room for a sentence."""
    rows = [
        (
            Text(attempt.outcome, style=STYLES[attempt.outcome]),
            f"{attempt.sample} by {attempt.model or 'nobody'}"
            + (f", trial {attempt.trial}" if attempt.trial else ""),
        )
        for attempt in attempts
    ]
    reasons = [attempt.error or "" for attempt in attempts]
    print_rows(out, ("outcome", "sample"), rows, below=reasons, whole=verbose)


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


def _read_from_code(
    attempt: Attempt, weights: str | Mapping[str, float], *, verbose: bool
) -> Iterator[str]:
    """A line of figures; with `verbose` what was found, too. Nothing where it was not asked for."""
    results = stored_metrics(attempt)
    if not results:
        return
    figures = [f"{r.metric} {'–' if r.score is None else f'{r.score:.0f}'}" for r in results]
    total = attempt_overall(attempt, weights)
    said = "" if total.score is None else f"; overall {total.score:.0f} ({total.grade})"
    yield f"read from code: {', '.join(figures)}{said}"
    findings = [(r.metric, str(each)) for r in results for each in r.all_findings()]
    for metric, finding in findings if verbose else ():
        yield f"  {metric}: {finding}"
    if findings and not verbose:
        yield f"  {len(findings)} findings: --verbose shows them"


def _usage(attempt: Attempt) -> str:
    reported = {
        "input tokens": attempt.input_tokens,
        "output tokens": attempt.output_tokens,
        "US dollars": attempt.cost_usd,
    }
    return ", ".join(f"{value:g} {name}" for name, value in reported.items() if value is not None)


def _show_models(out: Console, metric: str, models: Sequence[ModelFigures]) -> None:
    """A row for each model, below it those of its task types. Outcomes that nobody had are left
    out.
    """
    others = [
        outcome
        for outcome in OTHERS
        if outcome is Outcome.FAILED or any(outcome in m.all.outcomes for m in models)
    ]
    rows: list[Sequence[str]] = []
    notes = []
    for model in models:
        name = one_line(model.model or "-")
        if len(name) > LONG_NAME:
            rows.append([name])
        rows += _rows("  all" if len(name) > LONG_NAME else name, model.all, others)
        if len(model.by_task_type) > 1:
            for task_type, figures in model.by_task_type.items():
                word = f"task type {task_type}" if task_type.isdigit() else task_type or "-"
                rows += _rows(f"  {one_line(word)}", figures, others)
        for each in model.pass_at_k:
            if each.k > 1:
                blank = [""] * (1 + len(others))
                rows.append([f"  pass@{each.k}", *_mean(each.mean, percent=True), *blank])
            if each.left_out:
                notes.append(
                    f"{name}: {each.left_out} samples have too few trials for pass@{each.k}."
                )
    words = [OTHERS[outcome] for outcome in others]
    columns = (metric, "share", "95 %", "n", "passed", *words)
    out.print()
    print_rows(out, columns, [[Text(cell) for cell in row] for row in rows], set(columns[1:]))
    for note in notes:
        out.print(note, soft_wrap=True)


def _rows(name: str, figures: Figures, outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    """The mean score is a row only where it is not the pass share again, as in mode strict."""
    passed = f"{figures.passed.count}/{figures.passed.total}"
    others = [str(figures.outcomes.get(outcome, 0)) for outcome in outcomes]
    yield [name, *_mean(figures.pass_share, percent=True), passed, *others]
    shares, scores = figures.pass_share.value or 0.0, figures.mean_score.value or 0.0
    if abs(scores - 100 * shares) > ROUNDED:
        score = _mean(figures.mean_score, percent=False)
        yield ["    score", *score, *[""] * (1 + len(others))]


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
