"""How sure a share is: Wilson's score interval, and a share with its interval as one value."""

import math
from typing import NamedTuple, Self

from sdkbench.core.outcome import Value

Z_95 = 1.959963984540054  # two-sided 95 % of the normal distribution


class Interval(NamedTuple):
    low: float
    high: float


def wilson(successes: int, total: int, z: float = Z_95) -> Interval:
    """The interval of a share, within [0, 1] and around it; of nothing, all of [0, 1].

    Unlike the textbook's p ± z·σ it neither leaves the range nor collapses at 0 % and 100 %.
    """
    if not 0 <= successes <= total:
        raise ValueError(f"{successes} of {total} is no share")
    return wilson_of_mean(successes / total if total else 0.0, total, z)


def wilson_of_mean(share: float, total: int, z: float = Z_95) -> Interval:
    """The same for the mean of `total` values that each lie anywhere in [0, 1].

    No such values vary more than zeros and ones of the same mean: so it is as safe as for those,
    and may be wider than it need be.
    """
    if total == 0:
        return Interval(0.0, 1.0)
    square = z * z / total
    centre = (share + square / 2) / (1 + square)
    spread = z * math.sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square)
    return Interval(min(max(centre - spread, 0.0), share), max(min(centre + spread, 1.0), share))


class Rate(Value):
    """`count` of `total`. `share` and its 95 % interval are None where there was nothing."""

    count: int
    total: int
    share: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, count: int, total: int) -> Self:
        if total == 0:
            return cls(count=0, total=0, share=None, low=None, high=None)
        interval = wilson(count, total)
        share = count / total
        return cls(count=count, total=total, share=share, low=interval.low, high=interval.high)
