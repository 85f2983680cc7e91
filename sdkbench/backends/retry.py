"""RetryPolicy: how often and how long a failed request is repeated. CircuitBreaker: when no more
are made at all.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import Generic, NamedTuple, TypeVar

from sdkbench.backends.protocol import BackendFailure, FailureKind

# A wrong key, a bad request, an unreadable answer or a slow one will be no better the next time.
TRANSIENT = frozenset({FailureKind.RATE_LIMIT, FailureKind.NETWORK, FailureKind.SERVER})
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
SHORTEST_TRY_SECONDS = 0.05
MOST_DOUBLINGS = 64  # far beyond the longest wait; a float takes a thousand
# After so many requests of which none got through, a model's others are not made.
OPEN_AFTER = 3
UNREACHABLE_KINDS = frozenset({FailureKind.NETWORK, FailureKind.AUTHENTICATION})

T = TypeVar("T")


class RetryPolicy(NamedTuple):
    """`total_seconds` is for all tries and the waits between them.

    A server that is only busy is waited for as long as that lasts. `tries` is for the failures that
    may be there to stay, broken connections and server errors; with 1 nothing is tried again.
    """

    total_seconds: float = 900.0
    tries: int = 6
    first_wait_seconds: float = FIRST_WAIT_SECONDS

    def wait_seconds(
        self, failure: BackendFailure, *, tries: int, breakdowns: int, spent_seconds: float
    ) -> float | None:
        """How long to wait before the next try; None where there should be none.

        `breakdowns` are those of the `tries` after which the server was not just busy.
        """
        if failure.kind not in TRANSIENT or self.tries == 1 or breakdowns >= self.tries:
            return None
        growing: float = self.first_wait_seconds * 2.0 ** min(tries - 1, MOST_DOUBLINGS)
        # Spread, so that many who were refused at once don't come back at once.
        own = min(growing, LONGEST_WAIT_SECONDS) * random.uniform(0.5, 1.0)  # noqa: S311
        # Some servers ask for no wait at all, again and again.
        wait = max(own, failure.retry_after_seconds or 0.0)
        in_time = spent_seconds + wait + SHORTEST_TRY_SECONDS < self.total_seconds
        return wait if in_time else None


class RetryResult(NamedTuple, Generic[T]):
    """How a request ended. The last failure says how many tries there were."""

    outcome: T | BackendFailure
    tries: int
    seconds: float  # of all tries and the waits between them
    last_seconds: float  # of the last try alone


async def retrying(request: Callable[[float], Awaitable[T]], policy: RetryPolicy) -> RetryResult[T]:
    """Try `request` until it raises no BackendFailure, or until the policy allows no more tries.

    It is given the seconds that are left. Whatever else it raises goes on.
    """
    began = time.monotonic()
    tries = breakdowns = 0
    while True:
        tries += 1
        started = time.monotonic()
        outcome: T | BackendFailure
        try:
            outcome = await request(policy.total_seconds - (started - began))
        except BackendFailure as failure:
            outcome = failure
        now = time.monotonic()
        spent, last = now - began, now - started
        if not isinstance(outcome, BackendFailure):
            return RetryResult(outcome, tries, spent, last)
        breakdowns += not _only_busy(outcome)
        wait = policy.wait_seconds(outcome, tries=tries, breakdowns=breakdowns, spent_seconds=spent)
        if wait is None:
            return RetryResult(_after_all(outcome, tries, spent), tries, spent, last)
        await asyncio.sleep(wait)


def _only_busy(failure: BackendFailure) -> bool:
    """It says so, or it says when to come back."""
    return failure.kind is FailureKind.RATE_LIMIT or failure.retry_after_seconds is not None


def _after_all(failure: BackendFailure, tries: int, seconds: float) -> BackendFailure:
    if tries == 1:
        return failure
    return BackendFailure(f"{failure} (tried {tries} times in {seconds:.0f} s)", failure.kind)


class CircuitBreaker:
    """Opens after some requests of which none got through: then no more are made."""

    def __init__(self) -> None:
        self._reached = False
        self._failures = 0
        self._last: BackendFailure | None = None

    def check(self) -> None:
        """Raises the last failure again while the breaker is open."""
        if self._last is not None and not self._reached and self._failures >= OPEN_AFTER:
            # A new one each time: an exception collects the places that it was raised at.
            raise BackendFailure(str(self._last), self._last.kind)

    def succeeded(self) -> None:
        self._reached = True

    def failed(self, failure: BackendFailure) -> None:
        """A server that refuses one request has been reached."""
        if failure.kind in UNREACHABLE_KINDS:
            self._failures += 1
            self._last = failure
        else:
            self._reached = True
