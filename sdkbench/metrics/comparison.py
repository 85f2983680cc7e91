"""Two models on the same samples: which is better, by how much, and whether by chance."""

import math
import random
from collections.abc import Mapping, Sequence

from sdkbench.core import Value
from sdkbench.core.intervals import Interval

RESAMPLES = 4000  # the 2.5 % tails then hold 100 each
SEED = 20240229  # fixed: the same records give the same interval


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
