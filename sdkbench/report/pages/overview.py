"""Overview: a run's figures, or those of several side by side, from one pass over the store."""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from sdkbench.core import Outcome, Value
from sdkbench.metrics.statistics import (
    JUDGED,
    Figures,
    PassAtK,
    Tries,
    mean_pass_at_k,
    sign_test,
)
from sdkbench.report.code_metrics import CodeCollector, CodeFigures, run_weights
from sdkbench.report.pages.breakdowns import (
    Breakdown,
    CountBreakdown,
    breakdowns,
    count_breakdowns,
    figures_of,
    grouped,
)
from sdkbench.report.pages.rows import AttemptRow, attempt_row
from sdkbench.report.pages.samples import SampleFacts, SampleLibrary
from sdkbench.report.pages.shell_overview import ShellCollector, ShellOverview
from sdkbench.report.pages.visible import one_line
from sdkbench.store import Run, RunState, Suite

if TYPE_CHECKING:
    from sdkbench.store.reading import StoreReader

USUAL_KS = (1, 2, 3, 5, 10, 20, 50, 100)
SUITE_TITLES = {Suite.SDK: "SDK samples", Suite.SHELL: "Shell commands"}
LABEL_CHARACTERS = 40
ROUNDED = 0.05  # what a figure with one decimal doesn't show
METRICS = {Suite.SDK: "F-CORR", Suite.SHELL: "CSR"}


class Spread(Value):
    """How a quantity is spread over the `known` attempts that reported it."""

    known: int
    total: float
    low: float  # a tenth is below
    first_quarter: float
    median: float
    last_quarter: float
    high: float  # a tenth is above

    @classmethod
    def of(cls, values: Iterable[float | None]) -> Self | None:
        """None where nobody reported any."""
        known = sorted(value for value in values if value is not None)
        if not known:
            return None

        def at(share: float) -> float:
            return known[min(int(share * len(known)), len(known) - 1)]

        return cls(
            known=len(known),
            total=math.fsum(known),
            low=at(0.1),
            first_quarter=at(0.25),
            median=at(0.5),
            last_quarter=at(0.75),
            high=at(0.9),
        )


class Usage(Value):
    seconds: Spread | None
    input_tokens: Spread | None
    output_tokens: Spread | None
    cost: Spread | None


class Entry(Value):
    """A model of a run, in one suite. `label` has the run's name where the model is in several.

    `p_value` is that of the sign test against the best entry, on the samples both have a verdict
    on; None for the best itself, and where there are no such samples.
    """

    label: str
    model: str
    run: str
    figures: Figures
    pass_at_k: tuple[PassAtK, ...]
    usage: Usage
    p_value: float | None = None


class SuiteOverview(Value):
    """Entries with the best first; groups have their columns in the same order."""

    suite: Suite
    title: str
    metric: str
    entries: tuple[Entry, ...]
    shares: tuple[Breakdown, ...]
    counts: tuple[CountBreakdown, ...]
    samples: int
    mean_scores_differ: bool  # from pass shares: in mode strict they are the same


class Change(Value):
    """A sample on which a model passes more or less often in a later run."""

    suite: Suite
    model: str
    sample: str
    before: float
    after: float
    before_run: str
    after_run: str


class RunInfo(Value):
    run: Run
    attempts: int

    @property
    def in_progress(self) -> bool:
        return self.run.state is RunState.RUNNING


class Overview(Value):
    runs: tuple[RunInfo, ...]
    suites: tuple[SuiteOverview, ...]
    shell: ShellOverview | None
    outcomes: dict[Outcome, int]
    changes: tuple[Change, ...]
    usage: Usage
    code: tuple[CodeFigures, ...]  # labelled as entries are; empty where nothing was read

    @property
    def attempts(self) -> int:
        return sum(info.attempts for info in self.runs)


class Collected(NamedTuple):
    overview: Overview
    rows: list[AttemptRow]


def collect(
    store: "StoreReader", runs: Sequence[Run], samples_dir: Path | None = None
) -> Collected:
    """Everything but the details of attempts; a run without attempts has empty figures."""
    rows: list[AttemptRow] = []
    shell = ShellCollector()
    code = CodeCollector()
    for run in runs:
        library = SampleLibrary.of_run(run, samples_dir)
        for attempt in store.attempts(run.id):
            is_sdk = attempt.suite is Suite.SDK
            facts = library.facts(attempt.sdk, attempt.sample) if is_sdk else SampleFacts()
            row = attempt_row(attempt, run.id, facts, several_runs=len(runs) > 1)
            rows.append(row)
            if is_sdk:
                code.add(attempt, run.id)
            else:
                shell.add(row, attempt)
    rows = _with_languages(rows)
    return Collected(_overview(rows, runs, shell, code), rows)


def _overview(
    rows: Sequence[AttemptRow],
    runs: Sequence[Run],
    shell: ShellCollector,
    code: CodeCollector,
) -> Overview:
    names = run_names(runs)
    labels = _labels(rows, names)
    counted = Counter(row.run for row in rows)
    return Overview(
        runs=tuple(RunInfo(run=run, attempts=counted[run.id]) for run in runs),
        suites=tuple(
            _suite(suite, [row for row in rows if row.suite is suite], labels)
            for suite in Suite
            if any(row.suite is suite for row in rows)
        ),
        shell=shell.overview(labels),
        outcomes=_outcomes(rows),
        changes=tuple(_changes(rows, runs, names)),
        usage=_usage(rows),
        code=code.figures(labels, {run.id: run_weights(run) for run in runs}),
    )


def _outcomes(rows: Sequence[AttemptRow]) -> dict[Outcome, int]:
    counted = Counter(row.outcome for row in rows)
    return {outcome: counted[outcome] for outcome in Outcome if counted[outcome]}


def _with_languages(rows: Sequence[AttemptRow]) -> list[AttemptRow]:
    """An attempt that ended before its language was seen has that of others on its sample."""
    known = {row.place: row.language for row in rows if row.language}
    return [
        row if row.language else row._replace(language=known.get(row.place, "")) for row in rows
    ]


def run_names(runs: Sequence[Run]) -> dict[str, str]:
    """By id: labels where each run has one of its own, else ids."""
    labels = {run.id: one_line(run.label, LABEL_CHARACTERS) for run in runs}
    if all(labels.values()) and len(set(labels.values())) == len(labels):
        return labels
    return {run.id: run.id for run in runs}


def _labels(rows: Sequence[AttemptRow], names: dict[str, str]) -> dict[tuple[str, str], str]:
    """By run and model."""
    runs_of: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        runs_of[row.model].add(row.run)
    return {
        (run, model): f"{model} · {names[run]}" if len(runs) > 1 else model
        for model, runs in runs_of.items()
        for run in runs
    }


def _suite(
    suite: Suite, rows: Sequence[AttemptRow], labels: dict[tuple[str, str], str]
) -> SuiteOverview:
    by_entry: dict[tuple[str, str], list[AttemptRow]] = defaultdict(list)
    for row in rows:
        by_entry[row.run, row.model].append(row)
    ks = _ks(rows)
    entries = [
        Entry(
            label=labels[run, model],
            model=model,
            run=run,
            figures=figures_of(tried),
            pass_at_k=tuple(mean_pass_at_k(_tries(tried), k) for k in ks),
            usage=_usage(tried),
        )
        for (run, model), tried in by_entry.items()
    ]
    entries.sort(key=_standing)
    shares = {(e.run, e.model): _shares(by_entry[e.run, e.model]) for e in entries}
    best = shares[entries[0].run, entries[0].model]
    ranked = [entries[0]] + [
        entry.model_copy(update={"p_value": _p_value(best, shares[entry.run, entry.model])})
        for entry in entries[1:]
    ]
    ordered = [by_entry[entry.run, entry.model] for entry in ranked]
    return SuiteOverview(
        suite=suite,
        title=SUITE_TITLES[suite],
        metric=METRICS[suite],
        entries=tuple(ranked),
        shares=tuple(breakdowns(ordered)),
        counts=tuple(count_breakdowns(ordered)),
        samples=len({row.place for row in rows}),
        mean_scores_differ=any(_scores_differ(entry.figures) for entry in ranked),
    )


def _standing(entry: Entry) -> tuple[float, float, str]:
    figured = entry.figures
    return -(figured.pass_share.value or 0.0), -(figured.mean_score.value or 0.0), entry.label


def _scores_differ(figured: Figures) -> bool:
    return abs((figured.mean_score.value or 0) - 100 * (figured.pass_share.value or 0)) > ROUNDED


def _ks(rows: Sequence[AttemptRow]) -> list[int]:
    judged = Counter((r.run, r.model, r.place) for r in rows if r.outcome in JUDGED)
    most = max(judged.values(), default=1)
    return sorted({1, most, *(k for k in USUAL_KS if k <= most)})


def _by_sample(rows: Iterable[AttemptRow]) -> dict[str, Tries]:
    total: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for row in rows:
        if row.outcome in JUDGED:
            total[row.place] += 1
            passed[row.place] += row.outcome is Outcome.PASSED
    return {place: Tries(count, passed[place]) for place, count in total.items()}


def _tries(rows: Iterable[AttemptRow]) -> list[Tries]:
    return list(_by_sample(rows).values())


def _shares(rows: Iterable[AttemptRow]) -> dict[str, float]:
    return {place: tries.passed / tries.total for place, tries in _by_sample(rows).items()}


def _p_value(best: dict[str, float], other: dict[str, float]) -> float | None:
    shared = best.keys() & other.keys()
    if not shared:
        return None
    return sign_test(
        sum(best[place] > other[place] for place in shared),
        sum(best[place] < other[place] for place in shared),
    )


def _usage(rows: Sequence[AttemptRow]) -> Usage:
    return Usage(
        seconds=Spread.of(row.seconds for row in rows if row.outcome in JUDGED),
        input_tokens=Spread.of(row.input_tokens for row in rows),
        output_tokens=Spread.of(row.output_tokens for row in rows),
        cost=Spread.of(row.cost for row in rows),
    )


def _changes(
    rows: Sequence[AttemptRow], runs: Sequence[Run], names: dict[str, str]
) -> Iterable[Change]:
    """From each run to the next in time, model by model, samples that both have a verdict on."""
    ordered = sorted(runs, key=lambda run: (run.started_at, run.id))
    for before, after in itertools.pairwise(ordered):
        first = grouped((r for r in rows if r.run == before.id), lambda row: row.model)
        second = grouped((r for r in rows if r.run == after.id), lambda row: row.model)
        for model in sorted(first.keys() & second.keys()):
            was, now = _shares(first[model]), _shares(second[model])
            for place in sorted(was.keys() & now.keys()):
                if was[place] != now[place]:
                    suite, _, sample = place.partition("/")
                    yield Change(
                        suite=Suite(suite),
                        model=model,
                        sample=sample,
                        before=was[place],
                        after=now[place],
                        before_run=names[before.id],
                        after_run=names[after.id],
                    )
