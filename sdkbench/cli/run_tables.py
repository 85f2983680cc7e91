"""What a person sees of a stored run; no figure without what it was taken over."""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import STYLES, harmless, plain_table
from sdkbench.core import Outcome
from sdkbench.metrics.comparison import Comparison
from sdkbench.metrics.statistics import Figures, Mean, ModelFigures, Statistics
from sdkbench.store import Attempt, Run, Suite

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
        shown = sorted(unpassed(), key=_place)
    else:
        shown = heapq.nsmallest(MOST_REASONS, unpassed(), key=_place)
    if shown:
        out.print("\nNot passed:\n")
        out.print(_reasons(shown, verbose=verbose))
    left = 0 if verbose else counted[Suite.SDK] - len(shown)
    if left:
        out.print(f"… and {left} more: `sdkbench show {run_id} --verbose`.")
    for (model, reason), count in sorted(reasons.items()):
        out.print(f"CSR, {harmless(model)}: {count} × {reason}")


def _place(attempt: Attempt) -> tuple[str, str, str, str, int]:
    return attempt.suite, attempt.sdk, attempt.sample, attempt.model, attempt.trial


def _reasons(attempts: Sequence[Attempt], *, verbose: bool) -> Table:
    table = plain_table()
    for column in ("sample", "model", "trial", "outcome", "reason"):
        table.add_column(column, overflow="fold")
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
    table = plain_table()
    columns = ["metric", "model", "task type", "passed", *OTHERS.values(), "share", "95 %", "n"]
    for column in [*columns, *(["score", "95 %"] if scored else [])]:
        table.add_column(column, overflow="fold")
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
