"""A model over time: its share of samples passed, run by run."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sdkbench.core import Outcome, Value
from sdkbench.metrics.statistics import JUDGED, Mean
from sdkbench.store import Run, Suite

if TYPE_CHECKING:
    from sdkbench.store.reading import SampleCount


class HistoryPoint(Value):
    run: Run
    suite: Suite
    share: Mean
    passed: int
    judged: int


def history(counts: Iterable["SampleCount"], runs: Sequence[Run]) -> list[HistoryPoint]:
    """Oldest run first; a run in which nothing of the model has a verdict is left out."""
    judged: dict[tuple[str, Suite], Counter[str]] = defaultdict(Counter)
    passed: dict[tuple[str, Suite], Counter[str]] = defaultdict(Counter)
    for each in counts:
        if each.outcome in JUDGED:
            place = f"{each.sdk}/{each.sample}"
            judged[each.run_id, each.suite][place] += each.attempts
            if each.outcome is Outcome.PASSED:
                passed[each.run_id, each.suite][place] += each.attempts
    return [
        HistoryPoint(
            run=run,
            suite=suite,
            share=Mean.of([passed[run.id, suite][p] / n for p, n in tried.items()]),
            passed=passed[run.id, suite].total(),
            judged=tried.total(),
        )
        for run in sorted(runs, key=lambda run: (run.started_at, run.id))
        for suite in Suite
        if (tried := judged.get((run.id, suite)))
    ]
