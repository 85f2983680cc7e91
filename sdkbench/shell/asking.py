"""One question to a backend: an answer, or one sentence why there is none, within the limit.

Where it is asked again (a rate limit, a broken connection), each try has the whole limit.
"""

import asyncio
import contextlib
import time
from typing import NamedTuple

from sdkbench.backends.patience import Patience
from sdkbench.backends.protocol import Answer, Backend, BackendFailure, FailureKind
from sdkbench.shell.dataset import TestCase
from sdkbench.shell.prompts import system_prompt
from sdkbench.shell.results import EvaluationSettings

# How long a backend that was told to stop may take to say goodbye.
FAREWELL_SECONDS = 1.0
MAX_MESSAGE = 500


class Failure(NamedTuple):
    message: str
    kind: FailureKind | None
    retry_after_seconds: float | None = None


class Asked(NamedTuple):
    outcome: Answer | Failure
    duration_seconds: float


class Asker:
    """Asks one backend, and holds its limit whatever the backend does with a cancellation."""

    def __init__(
        self, backend: Backend, settings: EvaluationSettings, patience: Patience | None = None
    ) -> None:
        self._backend = backend
        self._settings = settings
        self._patience = patience or Patience(tries=1)
        self._stray: set[asyncio.Task[Answer]] = set()

    async def ask(self, case: TestCase) -> Asked:
        """The duration is that of the last try: waiting for a server's leave is not answering."""
        began, tries = time.monotonic(), 0
        while True:
            asked = await self._try(case)
            tries += 1
            failure = asked.outcome
            if not isinstance(failure, Failure) or failure.kind is None:
                return asked
            wait = self._patience.wait_seconds(
                failure.kind,
                failure.retry_after_seconds,
                tries=tries,
                spent_seconds=time.monotonic() - began,
            )
            if wait is None:
                return asked
            await asyncio.sleep(wait)

    async def _try(self, case: TestCase) -> Asked:
        began = time.monotonic()
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
        taken = time.monotonic() - began
        if not task.done():
            failure = Failure(f"No answer within {limit:g} s.", FailureKind.TIMEOUT)
            return Asked(failure, taken)
        return Asked(_outcome(task), taken)

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
    if task.cancelled():
        return Failure("The backend gave up its own request.", None)
    error = task.exception()
    if isinstance(error, BackendFailure):
        return Failure(_clean(str(error)), error.kind, error.retry_after_seconds)
    if error is not None and not isinstance(error, Exception):
        raise error  # KeyboardInterrupt and SystemExit are not the backend's to keep
    if error is not None:
        return Failure(_clean(f"The backend failed: {type(error).__name__}: {error}"), None)
    answer: object = task.result()
    if not isinstance(answer, Answer) or not isinstance(getattr(answer, "text", None), str):
        told = f"The backend returned {type(answer).__name__}, which is no answer."
        return Failure(told, FailureKind.MALFORMED)
    return answer.model_copy(update={"text": _encodable(answer.text)})


def _clean(message: str) -> str:
    return _encodable(" ".join(message.split())[:MAX_MESSAGE])


def _encodable(text: str) -> str:
    """Lone surrogates can be held in memory but in no file."""
    return text.encode("utf-8", "replace").decode()
