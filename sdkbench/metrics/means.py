"""Mean: an average of scores with its 95 % interval, and what it was taken over."""

import math
from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict

from sdkbench.core.intervals import wilson_of_mean


class Mean(BaseModel):
    """Over `samples`, each of which counts once, however often it was tried.

    Trials of one sample resemble each other, so they are averaged first: counting them singly
    would make the interval too narrow. All figures are None where there was no sample.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

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
