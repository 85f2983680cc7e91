"""Judged trials → figures by model and by task type, each with its denominator."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from sdkbench.core import Outcome
from sdkbench.core.intervals import Rate
from sdkbench.metrics.comparison import Comparison, Standing, compare
from sdkbench.metrics.means import Mean
from sdkbench.metrics.pass_at_k import PassAtK, Tries, mean_pass_at_k

JUDGED = frozenset({Outcome.PASSED, Outcome.FAILED, Outcome.INVALID})


class Trial(NamedTuple):
    """What the figures need of one attempt."""

    model: str
    sample: str  # unique over all SDKs
    task_type: str
    outcome: Outcome
    score: float


class Figures(BaseModel):
    """`judged` of `attempts` have a verdict; the others (our errors, what was not run) are told
    here and count in no other figure. `passed` is over judged attempts, `pass_share` and
    `mean_score` are over samples.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    attempts: int
    judged: int
    samples: int
    outcomes: dict[Outcome, int]
    passed: Rate
    pass_share: Mean
    mean_score: Mean


class ModelFigures(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    all: Figures
    by_task_type: dict[str, Figures]
    pass_at_k: tuple[PassAtK, ...]


class Statistics(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    models: tuple[ModelFigures, ...]
    comparisons: tuple[Comparison, ...]


def statistics(trials: Iterable[Trial], ks: Sequence[int] = ()) -> Statistics:
    """Models by name, each pair of them compared. Without `ks`, pass@k is given for k = 1 and for
    as many trials as the most tried sample has.
    """
    by_model: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_model[trial.model].append(trial)
    standings = {model: _standings(tried) for model, tried in by_model.items()}
    return Statistics(
        models=tuple(_model(model, by_model[model], ks) for model in sorted(by_model)),
        comparisons=tuple(
            compare(first, second, standings[first], standings[second])
            for first, second in combinations(sorted(by_model), 2)
        ),
    )


def figures(trials: Sequence[Trial]) -> Figures:
    judged = [trial for trial in trials if trial.outcome in JUDGED]
    standings = _standings(trials)
    return Figures(
        attempts=len(trials),
        judged=len(judged),
        samples=len(standings),
        outcomes=dict(sorted(Counter(trial.outcome for trial in trials).items())),
        passed=Rate.of(sum(t.outcome is Outcome.PASSED for t in judged), len(judged)),
        pass_share=Mean.of([standing.pass_share for standing in standings.values()]),
        mean_score=Mean.of([s.mean_score for s in standings.values()], scale=100.0),
    )


def _model(model: str, trials: Sequence[Trial], ks: Sequence[int]) -> ModelFigures:
    by_type: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_type[trial.task_type].append(trial)
    tries = [
        Tries(len(each), sum(t.outcome is Outcome.PASSED for t in each))
        for each in _by_sample(trials).values()
    ]
    most = max((each.total for each in tries), default=1)
    return ModelFigures(
        model=model,
        all=figures(trials),
        by_task_type={name: figures(by_type[name]) for name in sorted(by_type)},
        pass_at_k=tuple(mean_pass_at_k(tries, k) for k in ks or sorted({1, most})),
    )


def _by_sample(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    """Judged trials; a sample without any is left out."""
    found: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        if trial.outcome in JUDGED:
            found[trial.sample].append(trial)
    return found


def _standings(trials: Sequence[Trial]) -> dict[str, Standing]:
    return {
        sample: Standing(
            pass_share=sum(t.outcome is Outcome.PASSED for t in each) / len(each),
            mean_score=min(sum(t.score for t in each) / len(each), 100.0),
        )
        for sample, each in _by_sample(trials).items()
    }
