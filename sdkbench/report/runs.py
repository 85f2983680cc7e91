"""Stored runs for machines: the list of them, and the figures of one."""

from collections import Counter

from sdkbench.core import Outcome, Value
from sdkbench.metrics.statistics import Statistics
from sdkbench.report.code_metrics import CodeFigures
from sdkbench.store import Run, Suite


class ListedRun(Run):
    """A run with how many attempts it has, and what became of them."""

    attempts: int
    outcomes: dict[Outcome, int]


class RunFigures(Value):
    """What `show RUN --json` and `run --json` print; a suite without attempts is not there, and
    what is read from code only where `run --metrics` asked for it.
    """

    run: Run
    suites: dict[Suite, Statistics]
    code_metrics: tuple[CodeFigures, ...] = ()


def listed_run(run: Run, counted: Counter[Outcome]) -> ListedRun:
    return ListedRun(**run.model_dump(), attempts=counted.total(), outcomes=dict(counted))
