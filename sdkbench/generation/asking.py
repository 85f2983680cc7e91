"""One question to a backend, tried again where that may help, under one deadline for all tries."""

import asyncio
import random
import time
from typing import NamedTuple

from sdkbench.backends import Answer, Backend, BackendFailure, FailureKind
from sdkbench.generation.prompt import Prompt

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


class Asked(NamedTuple):
    answer: Answer
    tries: int
    seconds: float


async def ask(backend: Backend, prompt: Prompt, patience: Patience, max_tokens: int) -> Asked:
    """Raises BackendFailure, the last one, where no try gave an answer in time."""
    began = time.monotonic()
    tries = 0
    while True:
        tries += 1
        left = patience.total_seconds - (time.monotonic() - began)
        try:
            answer = await backend.generate(
                prompt.text, system=prompt.system, deadline_seconds=left, max_tokens=max_tokens
            )
        except BackendFailure as failure:
            wait = _wait(failure, tries, patience)
            left = patience.total_seconds - (time.monotonic() - began)
            if wait is None or wait + SHORTEST_TRY_SECONDS >= left:
                raise _final(failure, tries, time.monotonic() - began) from failure
            await asyncio.sleep(wait)
        else:
            return Asked(answer, tries, time.monotonic() - began)


def _wait(failure: BackendFailure, tries: int, patience: Patience) -> float | None:
    """How long to wait before the next try; None where there should be none."""
    if failure.kind not in PASSING or tries >= patience.tries:
        return None
    if failure.retry_after_seconds is not None:
        return failure.retry_after_seconds
    growing: float = patience.first_wait_seconds * 2.0 ** (tries - 1)
    # Spread, so that many who were refused at once don't come back at once.
    return min(growing, LONGEST_WAIT_SECONDS) * random.uniform(0.5, 1.0)  # noqa: S311 - no secret


def _final(failure: BackendFailure, tries: int, seconds: float) -> BackendFailure:
    if tries == 1:
        return failure
    text = f"{failure} (tried {tries} times in {seconds:.0f} s)"
    return BackendFailure(text, failure.kind)
