"""pass@k: how likely one of k tries passes, estimated from n ≥ k tries without bias."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from sdkbench.metrics.means import Mean


class Tries(NamedTuple):
    """Of one sample: how many trials were judged, and how many passed."""

    total: int
    passed: int


class PassAtK(BaseModel):
    """`left_out` samples had fewer than k judged trials: from those no estimate is unbiased."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
