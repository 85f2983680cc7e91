"""One question to a backend: an answer, or one sentence why there is none, within the limit.

Where it is asked again (a rate limit, a broken connection), each try has the whole limit.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import NamedTuple

from sdkbench.backends.protocol import Answer, Backend, BackendFailure, FailureKind
from sdkbench.backends.retry import RetryPolicy, retrying
from sdkbench.shell.dataset import TestCase
from sdkbench.shell.prompts import system_prompt
from sdkbench.shell.results import EvaluationSettings

# How long a backend that was told to stop may take to say goodbye.
FAREWELL_SECONDS = 1.0
MAX_MESSAGE = 500


class Failure(NamedTuple):
    message: str
    kind: FailureKind | None  # None: something else than a BackendFailure


class Asked(NamedTuple):
    outcome: Answer | Failure
    duration_seconds: float


class Asker:
    """Asks one backend, and holds its limit whatever the backend does with a cancellation."""

    def __init__(
        self,
        backend: Backend,
        settings: EvaluationSettings,
        patience: RetryPolicy,
        on_ask: Callable[[TestCase], None],
    ) -> None:
        self._backend = backend
        self._settings = settings
        self._patience = patience
        self._on_ask = on_ask
        self._stray: set[asyncio.Task[Answer]] = set()

    async def ask(self, case: TestCase) -> Asked:
        """The duration is that of the last try: waiting for a server's leave is not answering."""
        self._on_ask(case)
        tried = await retrying(lambda _left_seconds: self._try(case), self._patience)
        outcome = tried.outcome
        if isinstance(outcome, BackendFailure):
            outcome = Failure(_clean(str(outcome)), outcome.kind)
        return Asked(outcome, tried.last_seconds)

    async def _try(self, case: TestCase) -> Answer | Failure:
        limit = self._settings.timeout_seconds
        task = asyncio.ensure_future(
            self._backend.generate(
                case.prompt,
                system=system_prompt(case.shell),
                deadline_seconds=limit,
                max_tokens=self._settings.max_tokens,
            )
        )
        try:
            # Not asyncio.timeout: that waits for as long as the backend ignores its cancellation.
            await asyncio.wait({task}, timeout=limit)
        finally:
            if not task.done():
                self._dismiss(task)
        if not task.done():
            raise BackendFailure(f"No answer within {limit:g} s.", FailureKind.TIMEOUT)
        return _outcome(task)

    async def farewell(self) -> None:
        """Wait a moment for what was cancelled; what still hangs on is told again and left."""
        for _ in range(3):
            if not self._stray:
                return
            for task in self._stray:
                task.cancel()
            await asyncio.wait(self._stray, timeout=FAREWELL_SECONDS)

    def _dismiss(self, task: "asyncio.Task[Answer]") -> None:
        self._stray.add(task)
        task.add_done_callback(self._forget)
        task.cancel()

    def _forget(self, task: "asyncio.Task[Answer]") -> None:
        self._stray.discard(task)
        with contextlib.suppress(asyncio.CancelledError):
            task.exception()  # looked at, so that nothing is said about it


def _outcome(task: "asyncio.Task[Answer]") -> Answer | Failure:
    """Raises BackendFailure where that is what the backend raised, or should have."""
    if task.cancelled():
        return Failure("The backend gave up its own request.", None)
    error = task.exception()
    # KeyboardInterrupt and SystemExit are not the backend's to keep.
    if isinstance(error, BackendFailure) or not isinstance(error, Exception | None):
        raise error
    if error is not None:
        return Failure(_clean(f"The backend failed: {type(error).__name__}: {error}"), None)
    answer: object = task.result()
    if not isinstance(answer, Answer) or not isinstance(getattr(answer, "text", None), str):
        told = f"The backend returned {type(answer).__name__}, which is no answer."
        raise BackendFailure(told, FailureKind.MALFORMED)
    return answer.model_copy(update={"text": _encodable(answer.text)})


def _clean(message: str) -> str:
    return _encodable(" ".join(message.split())[:MAX_MESSAGE])


def _encodable(text: str) -> str:
    """Lone surrogates can be held in memory but in no file."""
    return text.encode("utf-8", "replace").decode()
