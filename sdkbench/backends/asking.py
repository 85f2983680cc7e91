"""Questions to one backend: each within its limit, some at a time, answers taken in batches."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Self

from sdkbench.backends.protocol import Answer, Backend, BackendFailure, FailureKind
from sdkbench.backends.retry import CircuitBreaker, RetryPolicy, retrying

# How long a backend that was cancelled may take to end its request.
CANCEL_SECONDS = 1.0
CANCEL_TRIES = 3
MAX_MESSAGE = 500


class Question(NamedTuple):
    prompt: str
    system: str | None


class AskingFailure(NamedTuple):
    message: str
    kind: FailureKind | None  # None: something else than a BackendFailure


class Asked(NamedTuple):
    """What came of the question at `place`. The duration is that of the last try: waiting for a
    server that is busy is not answering.
    """

    place: int
    outcome: Answer | AskingFailure
    duration_seconds: float


class AskingLimits(NamedTuple):
    """`seconds` are for each try. A batch has at most `batch` answers, and an answer waits at most
    `linger_seconds` for others.
    """

    seconds: float
    max_tokens: int
    concurrency: int
    retry: RetryPolicy
    batch: int
    linger_seconds: float


class Asker:
    """Puts all questions; use it as a context, and take batches until one is empty.

    Whatever a backend does becomes an outcome, within the limit even where the backend ignores its
    cancellation. Once the circuit breaker is open, the last failure stands for the other answers.
    """

    def __init__(
        self,
        backend: Backend,
        questions: Sequence[Question],
        limits: AskingLimits,
        *,
        known: Mapping[int, Answer],
        on_ask: Callable[[int], None],
    ) -> None:
        """`known` are answers by the place of their question, which is then not put. `on_ask` is
        called with the place of each other one before it is put the first time.
        """
        self._backend = backend
        self._questions = questions
        self._limits = limits
        self._known = known
        self._on_ask = on_ask
        self._breaker = CircuitBreaker()
        self._waiting = iter(enumerate(questions))
        self._answered: asyncio.Queue[Asked | BaseException] = asyncio.Queue()
        self._left = len(questions)
        self._batch: list[Asked] = []
        self._batch_at = time.monotonic()
        self._workers: list[asyncio.Task[None]] = []
        self._stray: set[asyncio.Task[Answer]] = set()

    async def __aenter__(self) -> Self:
        # A backend that answers one prompt at a time says so: others would wait on the clock.
        at_once = getattr(self._backend, "parallel", self._limits.concurrency)
        count = min(at_once, self._limits.concurrency, self._left)
        self._workers = [asyncio.ensure_future(self._work()) for _ in range(count)]
        for worker in self._workers:
            worker.add_done_callback(self._worker_ended)
        return self

    async def __aexit__(self, *_failure: object) -> None:
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        for _ in range(CANCEL_TRIES):  # what still hangs on after that is left alone
            if self._stray:
                for task in self._stray:
                    task.cancel()
                await asyncio.wait(self._stray, timeout=CANCEL_SECONDS)

    async def next_batch(self) -> list[Asked]:
        """The answers that have come since the last batch; empty once all have been taken."""
        due = self._batch_at + self._limits.linger_seconds
        while len(self._batch) < min(self._limits.batch, self._left):
            wait = max(due - time.monotonic(), 0) if self._batch else None
            try:
                async with asyncio.timeout(wait):
                    asked = await self._answered.get()
            except TimeoutError:
                break
            if isinstance(asked, BaseException):
                raise asked
            self._batch.append(asked)
        batch, self._batch = self._batch, []
        self._left -= len(batch)
        self._batch_at = time.monotonic()
        return batch

    def rest(self) -> list[Asked]:
        """What has been answered and not been taken; nothing is waited for."""
        answered = [self._answered.get_nowait() for _ in range(self._answered.qsize())]
        return self._batch + [asked for asked in answered if isinstance(asked, Asked)]

    async def _work(self) -> None:
        for place, question in self._waiting:
            self._answered.put_nowait(await self._ask(place, question))

    def _worker_ended(self, worker: asyncio.Task[None]) -> None:
        """What a worker raised is raised again where batches are taken."""
        failure = None if worker.cancelled() else worker.exception()
        if failure is not None:
            self._answered.put_nowait(failure)

    async def _ask(self, place: int, question: Question) -> Asked:
        if place in self._known:
            return Asked(place, self._known[place], 0.0)
        try:
            self._breaker.check()
        except BackendFailure as failure:
            return Asked(place, AskingFailure(_clean(str(failure)), failure.kind), 0.0)
        self._on_ask(place)
        tried = await retrying(lambda _left_seconds: self._try(question), self._limits.retry)
        outcome = tried.outcome
        if isinstance(outcome, BackendFailure):
            self._breaker.failed(outcome)
            outcome = AskingFailure(_clean(str(outcome)), outcome.kind)
        else:
            self._breaker.succeeded()
        return Asked(place, outcome, tried.last_seconds)

    async def _try(self, question: Question) -> Answer | AskingFailure:
        limit = self._limits.seconds
        task = asyncio.ensure_future(
            self._backend.generate(
                question.prompt,
                system=question.system,
                deadline_seconds=limit,
                max_tokens=self._limits.max_tokens,
            )
        )
        try:
            # Not asyncio.timeout: that waits for as long as the backend ignores its cancellation.
            await asyncio.wait({task}, timeout=limit)
        finally:
            if not task.done():
                self._stray.add(task)
                task.add_done_callback(self._forget)
                task.cancel()
        if not task.done():
            raise BackendFailure(f"No answer within {limit:g} s.", FailureKind.TIMEOUT)
        return _outcome(task)

    def _forget(self, task: "asyncio.Task[Answer]") -> None:
        self._stray.discard(task)
        with contextlib.suppress(asyncio.CancelledError):
            task.exception()  # looked at, so that nothing is said about it


def _outcome(task: "asyncio.Task[Answer]") -> Answer | AskingFailure:
    """Raises BackendFailure where that is what the backend raised, or should have."""
    if task.cancelled():
        return AskingFailure("The backend gave up its own request.", None)
    error = task.exception()
    # KeyboardInterrupt and SystemExit are not the backend's to keep.
    if isinstance(error, BackendFailure) or not isinstance(error, Exception | None):
        raise error
    if error is not None:
        return AskingFailure(_clean(f"The backend failed: {type(error).__name__}: {error}"), None)
    answer: object = task.result()
    if not isinstance(answer, Answer) or not isinstance(getattr(answer, "text", None), str):
        message = f"The backend returned {type(answer).__name__}, which is no answer."
        raise BackendFailure(message, FailureKind.MALFORMED)
    return answer.model_copy(update={"text": _encodable(answer.text)})


def _clean(message: str) -> str:
    return _encodable(" ".join(message.split())[:MAX_MESSAGE])


def _encodable(text: str) -> str:
    """Lone surrogates can be held in memory but in no file."""
    return text.encode("utf-8", "replace").decode()
