"""JudgingService: from a submission that is accepted to its answer, whatever happens in between.

What is accepted is in the store before anybody is told so, with its solution. All that is in memory
can be made again from there: that is how a service goes on after a crash.
"""

import asyncio
import contextlib
import secrets
import time
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench import __version__
from sdkbench.client.wire import Health, Judgement, JudgementState, ServiceState
from sdkbench.engine import JudgeSetup, LocalJudge
from sdkbench.engine.records import record_unjudged, record_verdict
from sdkbench.errors import Cancelled, InputError, SampleError, StoreFault
from sdkbench.generation import GeneratedSolution
from sdkbench.judge.attempt import fault_result
from sdkbench.judge.subject import Subject
from sdkbench.serve.judging.catalogue import OWN_TESTS, Catalogue, Planned
from sdkbench.serve.judging.fair_queue import FairQueue, QueuedAttempt
from sdkbench.serve.judging.journal import Accepting, Journal
from sdkbench.serve.judging.limits import ServiceLimits
from sdkbench.serve.judging.measurements import Measurements
from sdkbench.serve.judging.problems import RequestProblem, come_again, store_away
from sdkbench.serve.judging.submissions import Submission
from sdkbench.serve.judging.tokens import Token
from sdkbench.serve.judging.webhooks import WebhookPolicy, Webhooks
from sdkbench.store import JudgementRecord, Stored, WebhookState
from sdkbench.store.database import Store
from sdkbench.test_harness import FCorrResult

PLANNED_AT_ONCE = 4  # solutions laid out side by side
RECENT = 50  # attempts whose time says how long a queue will take
LONGEST_RETRY_SECONDS = 300.0
LONGEST_PAUSE_SECONDS = 60.0
ID_BYTES = 15
LOOK_SECONDS = 1.0  # at what is answered, for those who listen


class ServiceSetup(NamedTuple):
    """`scratch` is a folder of this process alone."""

    store: Store
    run_id: str
    judging: JudgeSetup
    catalogue: Catalogue
    scratch: Path
    limits: ServiceLimits = ServiceLimits()
    webhooks: WebhookPolicy = WebhookPolicy()


class Caller(NamedTuple):
    """Who asks: nobody in particular where there are no tokens."""

    name: str = ""
    token: Token | None = None


class JudgingService:
    """On one event loop. `digest_of` tells the digest of an owner's token, which signs webhooks."""

    def __init__(
        self,
        setup: ServiceSetup,
        measurements: Measurements,
        digest_of: Callable[[str], str | None],
    ) -> None:
        self.setup = setup
        self.measurements = measurements
        self.draining = False
        self._drain: asyncio.Task[None] | None = None
        self._ended = False  # nobody waits for an answer any more
        self._judge = setup.judging.open()
        prepare = None
        if isinstance(self._judge, LocalJudge) and self._judge.can_prepare:
            prepare = self._judge.prepare
        self._queue = FairQueue(prepare)
        self._journal = Journal(setup.store, setup.run_id, self._on_accepted, self._on_answered)
        self._open: dict[str, JudgementRecord] = {}
        self._by_key: dict[str, set[str]] = defaultdict(set)  # open judgements of an attempt
        self._under_way: dict[str, float] = {}  # attempts being judged, and since when
        self._idle = asyncio.Event()
        self._idle.set()
        self._failures: Counter[str] = Counter()  # of attempts that could not be read or laid out
        self._reserved: Counter[str] = Counter()  # judgements on their way to the store, by owner
        self._waiters: dict[str, set[asyncio.Future[None]]] = defaultdict(set)
        self._recent: deque[float] = deque(maxlen=RECENT)
        self._planning = asyncio.Semaphore(PLANNED_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._webhooks = Webhooks(
            setup.webhooks, self.shown, self._settle, digest_of, self._count_webhook
        )

    async def start(self) -> int:
        """Takes up what was accepted before; how many judgements that is."""
        store, run_id = self.setup.store, self.setup.run_id
        left = await asyncio.to_thread(store.open_judgements, run_id)
        self._on_accepted(left)
        self._webhooks.tell(await asyncio.to_thread(store.waiting_webhooks, run_id))
        self.measurements.workers.set(self._judge.at_once)
        for _ in range(self._judge.at_once):
            self._start(self._work())
        return len(left)

    def begin_drain(self) -> None:
        """Nothing more is taken; what is being judged has some time to end. The rest stays
        accepted, and is judged after the next start.
        """
        if not self.draining:
            self.draining = True
            self._drain = asyncio.create_task(self._drained())

    async def _drained(self) -> None:
        for judgement_id in [*self._waiters]:
            if self._open[judgement_id].key not in self._under_way:
                self._wake(judgement_id)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.setup.limits.drain_seconds):
                await self._idle.wait()
        await self._journal.flush()
        self._ended = True
        for judgement_id in [*self._waiters]:
            self._wake(judgement_id)

    async def close(self) -> None:
        self.begin_drain()
        if self._drain is not None:
            await self._drain
        self.setup.judging.cancellation.cancel()
        await self._queue.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._judge.close()
        await self._webhooks.close()
        await self._journal.flush()
        self._journal.close()

    def health(self) -> Health:
        state = ServiceState.DEGRADED if self._journal.failed else ServiceState.OK
        return Health(
            state=ServiceState.DRAINING if self.draining else state,
            version=__version__,
            queued=len(self._queue),
            judging=len(self._under_way),
            workers=self._judge.at_once,
        )

    async def accept(
        self, submissions: Sequence[Submission], caller: Caller, batch: str | None = None
    ) -> list[JudgementRecord]:
        """All of them, or a RequestProblem and none; on disk when this returns."""
        for submission in submissions:
            if submission.webhook is not None:
                self.setup.webhooks.check(submission.webhook)
        known = await self._known(submissions, caller)
        new = [each for each in submissions if each.idempotency_key not in known]
        if self.draining and new:
            raise come_again(503, "draining", "The service ends. Send it again when it is back.", 5)
        with self._place_for(len(new), caller):
            planned = [await self._planned(each) for each in new]
            parts = [self._part(each, caller, batch) for each in planned]
            try:
                records = await self._journal.accept(parts) if parts else []
            except StoreFault as error:
                raise store_away() from error
        self.measurements.accepted.inc(len(new))
        for submission, record in zip(new, records, strict=True):
            _require_same(submission, record)
        made = iter(records)
        return [known.get(each.idempotency_key or "") or next(made) for each in submissions]

    async def find(self, judgement_id: str, caller: Caller) -> JudgementRecord:
        """RequestProblem where it is not there, or somebody else's."""
        store = self.setup.store
        record = self._open.get(judgement_id)
        if record is None:
            record = await asyncio.to_thread(store.judgement, judgement_id)
        if record is None or record.owner != caller.name:
            raise RequestProblem(404, "judgement", "There is no judgement of this id.")
        return record

    async def find_batch(self, batch_id: str, caller: Caller) -> list[JudgementRecord]:
        records = await asyncio.to_thread(
            self.setup.store.judgements_of_batch, caller.name, batch_id
        )
        if not records:
            raise RequestProblem(404, "batch", "There is no batch of this id.")
        return records

    async def wait(self, judgement_id: str, seconds: float) -> None:
        """Until it is answered, but at most so long."""
        record = self._open.get(judgement_id)
        if record is None or seconds <= 0 or self._ended:
            return
        if self.draining and record.key not in self._under_way:
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiters[judgement_id].add(waiter)
        try:
            await asyncio.wait({waiter}, timeout=seconds)
        finally:
            waiting = self._waiters.get(judgement_id)
            if waiting is not None:
                waiting.discard(waiter)
                if not waiting:
                    del self._waiters[judgement_id]

    async def answers(self, records: Sequence[JudgementRecord]) -> AsyncIterator[Judgement | None]:
        """Each judgement once it is answered; None now and then, as a sign of life."""
        left = {record.id for record in records}
        for record in records:
            if record.answered_at is not None:
                left.discard(record.id)
                yield await self.shown(record)
        while left and not self._ended:
            ended = [each for each in left if each not in self._open]
            for judgement_id in ended:
                left.discard(judgement_id)
                stored = await asyncio.to_thread(self.setup.store.judgement, judgement_id)
                if stored is not None:
                    yield await self.shown(stored)
            if left and not ended:
                yield None
                await self.wait(next(iter(left)), LOOK_SECONDS)
                if self.draining:
                    await asyncio.sleep(LOOK_SECONDS)

    async def shown(self, record: JudgementRecord) -> Judgement:
        """As its owner sees it, with the result where there is one."""
        if record.answered_at is None:
            return self.listed(record)
        result = await asyncio.to_thread(self.setup.store.answer, record)
        return self.listed(record).model_copy(
            update={"result": FCorrResult.model_validate(result), "score": result.get("score")}
        )

    def listed(self, record: JudgementRecord) -> Judgement:
        if record.answered_at is not None:
            state = JudgementState.ANSWERED
        else:
            judging = record.key in self._under_way
            state = JudgementState.JUDGING if judging else JudgementState.QUEUED
        return Judgement(
            id=record.id,
            state=state,
            sample=None if record.sample == OWN_TESTS else f"{record.sdk}/{record.sample}",
            model=record.model,
            batch=record.batch,
            key=record.key,
            notes=record.notes,
            accepted_at=record.accepted_at,
            answered_at=record.answered_at,
            outcome=record.outcome,
        )

    async def _known(
        self, submissions: Sequence[Submission], caller: Caller
    ) -> dict[str | None, JudgementRecord]:
        """What was asked for before under the same idempotency keys."""
        known: dict[str | None, JudgementRecord] = {}
        for submission in submissions:
            key = submission.idempotency_key
            if key is None:
                continue
            try:
                record = await asyncio.to_thread(self.setup.store.judgement_of, caller.name, key)
            except StoreFault as error:
                raise store_away() from error
            if record is not None:
                _require_same(submission, record)
                known[key] = record
        return known

    @contextlib.contextmanager
    def _place_for(self, number: int, caller: Caller) -> Iterator[None]:
        """Kept until they are open, or refused. RequestProblem where there is none."""
        limits = self.setup.limits
        if number > limits.waiting:
            raise RequestProblem(
                413, "too-large", f"At most {limits.waiting} judgements can wait here. Send fewer."
            )
        if len(self._open) + self._reserved.total() + number > limits.waiting:
            raise come_again(
                429, "queue-full", "The queue is full. Come again.", self._expected_seconds(number)
            )
        most = caller.token.waiting if caller.token else None
        if most is not None:
            own = sum(record.owner == caller.name for record in self._open.values())
            if own + self._reserved[caller.name] + number > most:
                raise come_again(
                    429,
                    "token-full",
                    f"{caller.name} may have {most} judgements waiting. Come again.",
                    self._expected_seconds(number),
                )
        self._reserved[caller.name] += number
        try:
            yield
        finally:
            self._reserved[caller.name] -= number

    def _expected_seconds(self, number: int) -> float:
        """Until there is room for so many more, as far as can be told."""
        mean = sum(self._recent) / len(self._recent) if self._recent else 1.0
        return min(LONGEST_RETRY_SECONDS, max(1.0, number * mean / self._judge.at_once))

    async def _planned(self, submission: Submission) -> Planned:
        folder = self.setup.scratch / f"plan-{secrets.token_hex(8)}"
        async with self._planning:
            planned = await asyncio.to_thread(self.setup.catalogue.plan, submission, folder)
            await asyncio.to_thread(planned.solution.remove)
        return planned

    def _part(self, planned: Planned, caller: Caller, batch: str | None) -> Accepting:
        submission, task, solution = planned
        origin = task.origin
        hooked = WebhookState.WAITING if submission.webhook else WebhookState.NONE
        refused = [f"{each.path}: {each.reason}" for each in solution.refusals]
        record = JudgementRecord(
            id=f"j_{secrets.token_urlsafe(ID_BYTES)}",
            run_id=self.setup.run_id,
            key=origin.key,
            owner=caller.name,
            idempotency_key=submission.idempotency_key,
            request=submission.digest,
            batch=batch,
            sdk=origin.sdk,
            sample=origin.sample,
            model=submission.model,
            notes=(*solution.remarks(), *refused),
            webhook=submission.webhook,
            webhook_state=hooked,
        )
        stored = record_unjudged(solution, origin)
        return record, stored.attempt, stored.artefacts

    def _on_accepted(self, records: Sequence[JudgementRecord]) -> None:
        for record in records:
            if record.answered_at is not None:
                self._count_answer(record)
                self._tell([record])
                continue
            self._open[record.id] = record
            is_new = not self._by_key[record.key]
            self._by_key[record.key].add(record.id)
            if is_new:
                sample = self.setup.catalogue.sample_named(f"{record.sdk}/{record.sample}")
                self._start(self._queue.put(QueuedAttempt(record.key, record.owner, sample)))
        self._show_numbers()

    def _on_answered(self, keys: Sequence[str], records: Sequence[JudgementRecord]) -> None:
        for record in records:
            self._open.pop(record.id, None)
            self._count_answer(record)
            self._wake(record.id)
        for key in keys:
            self._by_key.pop(key, None)
        self._tell(records)
        self._show_numbers()

    def _wake(self, judgement_id: str) -> None:
        for waiter in self._waiters.pop(judgement_id, ()):
            if not waiter.done():
                waiter.set_result(None)

    def _tell(self, records: Sequence[JudgementRecord]) -> None:
        if not self.draining:
            waiting = WebhookState.WAITING
            self._webhooks.tell([each for each in records if each.webhook_state is waiting])

    async def _work(self) -> None:
        while True:
            async with self._queue.next() as attempt:
                if self.draining:
                    return
                began = time.monotonic()
                self._under_way[attempt.key] = began
                self._idle.clear()
                self._show_numbers()
                try:
                    answer = await self._judged(attempt)
                except Cancelled:
                    return
                except (StoreFault, InputError, OSError):
                    self._start(self._again(attempt))
                    continue
                finally:
                    del self._under_way[attempt.key]
                    if not self._under_way:
                        self._idle.set()
                seconds = time.monotonic() - began
                self._recent.append(seconds)
                self.measurements.judged.observe(seconds)
                self._journal.answer(answer)

    async def _again(self, attempt: QueuedAttempt) -> None:
        """The store could not be read, or the disk not be written: no verdict on the solution."""
        self._failures[attempt.key] += 1
        await asyncio.sleep(min(LONGEST_PAUSE_SECONDS, 2.0 ** self._failures[attempt.key]))
        await self._queue.put(attempt)

    async def _judged(self, attempt: QueuedAttempt) -> Stored:
        store, run_id = self.setup.store, self.setup.run_id
        stored = await asyncio.to_thread(store.stored, run_id, attempt.key)
        folder = self.setup.scratch / attempt.key
        solution = await asyncio.to_thread(GeneratedSolution.restored, stored, folder)
        try:
            return await self._verdict(attempt, stored, solution)
        finally:
            await asyncio.to_thread(solution.remove)

    async def _verdict(
        self, attempt: QueuedAttempt, stored: Stored, solution: GeneratedSolution
    ) -> Stored:
        sample, kept = attempt.sample, stored.attempt
        catalogue = self.setup.catalogue
        if sample is None and kept.sample != OWN_TESTS:
            subject = Subject(solution.folder)
            options = self.setup.judging.options
            gone = SampleError(f"The service has no sample {kept.sdk}/{kept.sample} any more.")
            result = fault_result(subject, options, gone)
        else:
            result = await self._judge.judge(Subject(solution.folder, sample))
        # Of what judges now, which may be newer than what it was accepted by.
        task = await asyncio.to_thread(catalogue.task_of, sample, kept.model, solution)
        origin = task.origin._replace(key=attempt.key, sdk=kept.sdk, sample=kept.sample)
        difficulty = sample.ground_truth.metadata.difficulty if sample else ""
        return record_verdict(result, solution, origin, difficulty)

    async def _settle(self, judgement_id: str, state: WebhookState) -> None:
        await asyncio.to_thread(self.setup.store.settle_webhook, judgement_id, state)

    def _count_webhook(self, result: str) -> None:
        self.measurements.webhooks.labels(result).inc()

    def _count_answer(self, record: JudgementRecord) -> None:
        self.measurements.answered.labels(str(record.outcome)).inc()
        if record.answered_at is not None:
            seconds = (record.answered_at - record.accepted_at).total_seconds()
            self.measurements.waited.observe(max(0.0, seconds))

    def _show_numbers(self) -> None:
        self.measurements.open.set(len(self._open))
        self.measurements.queued.set(len(self._queue))
        self.measurements.judging.set(len(self._under_way))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _require_same(submission: Submission, record: JudgementRecord) -> None:
    if record.request != submission.digest:
        raise RequestProblem(
            422,
            "idempotency-key",
            "This idempotency key was used for another request. Use a new one for each request.",
        )
