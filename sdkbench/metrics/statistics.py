"""Judged trials → figures by model and by task type, each with its denominator; and two models on
the same samples: which is better, by how much, and whether by chance.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, Self

from sdkbench.core import Outcome, Value
from sdkbench.core.intervals import Interval, Rate, wilson_of_mean

RESAMPLES = 4000  # the 2.5 % tails then hold 100 each
SEED = 20240229  # fixed: the same records give the same interval


class Mean(Value):
    """Over `samples`, each of which counts once, however often it was tried.

    Trials of one sample resemble each other, so they are averaged first: counting them singly
    would make the interval too narrow. All figures are None where there was no sample.
    """

    value: float | None
    low: float | None
    high: float | None
    samples: int

    @classmethod
    def of(cls, values: Sequence[float], scale: float = 1.0) -> Self:
        """Of one value in [0, `scale`] for each sample."""
        if not all(0 <= value <= scale for value in values):
            raise ValueError(f"a value is not between 0 and {scale:g}")
        if not values:
            return cls(value=None, low=None, high=None, samples=0)
        # fsum of equal values may end a hair beyond them.
        share = min(math.fsum(values) / len(values) / scale, 1.0)
        interval = wilson_of_mean(share, len(values))
        return cls(
            value=scale * share,
            low=scale * interval.low,
            high=scale * interval.high,
            samples=len(values),
        )


class Tries(NamedTuple):
    """Of one sample: how many trials were judged, and how many passed."""

    total: int
    passed: int


class PassAtK(Value):
    """`left_out` samples had fewer than k judged trials: from those no estimate is unbiased."""

    k: int
    mean: Mean
    left_out: int


def pass_at_k(total: int, passed: int, k: int) -> float:
    """1 − C(total − passed, k) / C(total, k): the share of k-subsets that hold a pass.

    ValueError unless 1 ≤ k ≤ total and 0 ≤ passed ≤ total. Powers of the pass rate, the obvious
    estimate, come out too low.
    """
    if not 1 <= k <= total:
        raise ValueError(f"pass@{k} needs at least {k} trials, not {total}")
    if not 0 <= passed <= total:
        raise ValueError(f"{passed} of {total} can't have passed")
    # Integers to the end: whole numbers of any size divide without an intermediate overflow.
    every, none = math.comb(total, k), math.comb(total - passed, k)
    return (every - none) / every


def mean_pass_at_k(tries: Sequence[Tries], k: int) -> PassAtK:
    """Over the samples that were tried often enough, with those that were not counted apart."""
    enough = [each for each in tries if each.total >= k]
    values = [pass_at_k(each.total, each.passed, k) for each in enough]
    return PassAtK(k=k, mean=Mean.of(values), left_out=len(tries) - len(enough))


JUDGED = frozenset({Outcome.PASSED, Outcome.FAILED, Outcome.INVALID})


class Trial(NamedTuple):
    """What the figures need of one attempt."""

    model: str
    sample: str  # unique over all SDKs
    task_type: str
    outcome: Outcome
    score: float


class Figures(Value):
    """`judged` of `attempts` have a verdict; the others (our errors, what was not run) are told
    here and count in no other figure. `passed` is over judged attempts, `pass_share` and
    `mean_score` are over samples.
    """

    attempts: int
    judged: int
    samples: int
    outcomes: dict[Outcome, int]
    passed: Rate
    pass_share: Mean
    mean_score: Mean


class ModelFigures(Value):
    model: str
    all: Figures
    by_task_type: dict[str, Figures]
    pass_at_k: tuple[PassAtK, ...]


class Standing(Value):
    """One model on one sample, over its judged trials."""

    pass_share: float
    mean_score: float


class Comparison(Value):
    """Over the `samples` that both models have a verdict on; the others are counted apart.

    `first_better` and `second_better` count samples by pass share. `p_value` is that of the exact
    two-sided sign test on them, which for one trial each is McNemar's exact test: how often two
    equally good models would differ at least that much. `difference` is first minus second in
    mean score, with a 95 % paired bootstrap interval; where every sample differs by the same, the
    bootstrap has nothing to vary, and the interval is that one point. None without samples.
    """

    first: str
    second: str
    samples: int
    only_first: int
    only_second: int
    first_better: int
    second_better: int
    p_value: float | None
    difference: float | None
    low: float | None
    high: float | None


class Statistics(Value):
    models: tuple[ModelFigures, ...]
    comparisons: tuple[Comparison, ...]


def statistics(trials: Iterable[Trial], ks: Sequence[int] = ()) -> Statistics:
    """Models by name, each pair of them compared. Without `ks`, pass@k is given for k = 1 and for
    as many trials as the most tried sample has.
    """
    by_model: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_model[trial.model].append(trial)
    standings = {model: standings_of(tried) for model, tried in by_model.items()}
    return Statistics(
        models=tuple(_model(model, by_model[model], ks) for model in sorted(by_model)),
        comparisons=tuple(
            compare(first, second, standings[first], standings[second])
            for first, second in combinations(sorted(by_model), 2)
        ),
    )


def figures(trials: Sequence[Trial]) -> Figures:
    judged = [trial for trial in trials if trial.outcome in JUDGED]
    standings = standings_of(trials)
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
    samples: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        if trial.outcome in JUDGED:
            samples[trial.sample].append(trial)
    return samples


def standings_of(trials: Sequence[Trial]) -> dict[str, Standing]:
    """By sample; those without a judged trial are left out."""
    return {
        sample: Standing(
            pass_share=sum(t.outcome is Outcome.PASSED for t in each) / len(each),
            mean_score=min(sum(t.score for t in each) / len(each), 100.0),
        )
        for sample, each in _by_sample(trials).items()
    }


def compare(
    first: str,
    second: str,
    first_standings: Mapping[str, Standing],
    second_standings: Mapping[str, Standing],
) -> Comparison:
    """`…_standings`: by sample."""
    shared = sorted(first_standings.keys() & second_standings.keys())
    pairs = [(first_standings[sample], second_standings[sample]) for sample in shared]
    first_better = sum(a.pass_share > b.pass_share for a, b in pairs)
    second_better = sum(a.pass_share < b.pass_share for a, b in pairs)
    differences = [a.mean_score - b.mean_score for a, b in pairs]
    interval = bootstrap_mean(differences) if differences else None
    return Comparison(
        first=first,
        second=second,
        samples=len(shared),
        only_first=len(first_standings) - len(shared),
        only_second=len(second_standings) - len(shared),
        first_better=first_better,
        second_better=second_better,
        p_value=sign_test(first_better, second_better) if shared else None,
        difference=math.fsum(differences) / len(differences) if differences else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


def sign_test(wins: int, losses: int) -> float:
    """The exact two-sided p-value of `wins` against `losses` under a fair coin; 1 for neither."""
    if min(wins, losses) < 0:
        raise ValueError("counts are not negative")
    total = wins + losses
    tail = sum(math.comb(total, count) for count in range(min(wins, losses) + 1))
    # Whole numbers first: from 1024 on, two to that power is beyond any float.
    return min(1.0, 2 * tail / (1 << total))


def bootstrap_mean(
    values: Sequence[float], resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """The 95 % percentile interval of the mean, the same for the same values."""
    if not values:
        raise ValueError("nothing to resample")
    if min(values) == max(values):
        return Interval(values[0], values[0])
    chance = random.Random(seed)  # noqa: S311 - statistics, not secrets
    count = len(values)
    means = sorted(math.fsum(chance.choices(values, k=count)) / count for _ in range(resamples))
    outside = int(resamples * 0.025)
    return Interval(means[outside], means[resamples - 1 - outside])
