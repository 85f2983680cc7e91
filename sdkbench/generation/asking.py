"""One question to a backend, tried again where that may help, under one deadline for all tries."""

from typing import NamedTuple

from sdkbench.backends import Answer, Backend, BackendFailure
from sdkbench.backends.patience import Patience, patiently
from sdkbench.generation.prompt import Prompt


class Asked(NamedTuple):
    answer: Answer
    tries: int
    seconds: float


async def ask(backend: Backend, prompt: Prompt, patience: Patience, max_tokens: int) -> Asked:
    """Raises BackendFailure, the last one, where no try gave an answer in time."""

    async def put(left_seconds: float) -> Answer:
        return await backend.generate(
            prompt.text, system=prompt.system, deadline_seconds=left_seconds, max_tokens=max_tokens
        )

    tried = await patiently(put, patience)
    if isinstance(tried.outcome, BackendFailure):
        raise tried.outcome
    return Asked(tried.outcome, tried.tries, tried.seconds)
