"""One question to a backend, tried again where that may help, under one deadline for all tries."""

import asyncio
import time
from typing import NamedTuple

from sdkbench.backends import Answer, Backend, BackendFailure
from sdkbench.backends.patience import Patience, after_all
from sdkbench.generation.prompt import Prompt


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
            spent = time.monotonic() - began
            wait = patience.wait_seconds(
                failure.kind, failure.retry_after_seconds, tries=tries, spent_seconds=spent
            )
            if wait is None:
                raise after_all(failure, tries, spent) from failure
            await asyncio.sleep(wait)
        else:
            return Asked(answer, tries, time.monotonic() - began)
