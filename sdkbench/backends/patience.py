"""Patience: how often and how long a request that failed is tried again."""

import random
from typing import NamedTuple

from sdkbench.backends.protocol import BackendFailure, FailureKind

# A wrong key, a bad request, an unreadable answer or a slow one will be no better the next time.
PASSING = frozenset({FailureKind.RATE_LIMIT, FailureKind.NETWORK, FailureKind.SERVER})
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
SHORTEST_TRY_SECONDS = 0.05


class Patience(NamedTuple):
    """`total_seconds` is for all tries and the waits between them."""

    total_seconds: float = 900.0
    tries: int = 6
    first_wait_seconds: float = FIRST_WAIT_SECONDS

    def wait_seconds(
        self,
        kind: FailureKind,
        asked_for: float | None,
        *,
        tries: int,
        spent_seconds: float,
    ) -> float | None:
        """How long to wait before the next try; None where there should be none.

        `asked_for` is the server's own word on when to come back.
        """
        if kind not in PASSING or tries >= self.tries:
            return None
        wait = asked_for
        if wait is None:
            growing: float = self.first_wait_seconds * 2.0 ** (tries - 1)
            # Spread, so that many who were refused at once don't come back at once.
            wait = min(growing, LONGEST_WAIT_SECONDS) * random.uniform(0.5, 1.0)  # noqa: S311
        in_time = spent_seconds + wait + SHORTEST_TRY_SECONDS < self.total_seconds
        return wait if in_time else None


def after_all(failure: BackendFailure, tries: int, seconds: float) -> BackendFailure:
    """The last failure, which says how many there were."""
    if tries == 1:
        return failure
    return BackendFailure(f"{failure} (tried {tries} times in {seconds:.0f} s)", failure.kind)
