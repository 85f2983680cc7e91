"""JobQueue: the solutions that wait for a judge, and which of them is next.

A worker that waits for packages or for a reference is a core that does nothing. So the solutions
of a sample wait while its environment is made, and while the first of them is judged if that also
has to record what the reference does; others go first. Among those that can be judged, the longest
goes first, as far as this run knows: a long one that starts last is waited for alone.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import NamedTuple

from sdkbench.datasets import Sample
from sdkbench.engine.tasks import SdkTask
from sdkbench.generation import GeneratedSolution

# Solutions on disk that wait for a judge: enough to find one whose packages are there.
MOST_WAITING = 64
# Environments made side by side: one downloads while another is unpacked.
PREPARED_AT_ONCE = 2


class JudgeJob(NamedTuple):
    """A solution that waits for its judge."""

    task: SdkTask
    solution: GeneratedSolution


class JobQueue:
    """On one event loop. Everything that is put is given out once, in an order of its own."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._waiting: list[JudgeJob] = []
        self._unfinished = 0
        self._held: set[Sample] = set()  # being prepared, or judged for the first time
        self._unproven: set[Sample] = set()  # the first solution's judge runs the reference as well
        self._seconds: dict[Sample, float] = {}  # of the last solution, where one was judged
        self._changed = asyncio.Condition()

    async def put(self, job: JudgeJob) -> None:
        """Waits while there are too many."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self._waiting) < self._most)
            self._waiting.append(job)
            self._unfinished += 1
            self._changed.notify_all()

    @contextlib.asynccontextmanager
    async def next(self) -> AsyncIterator[JudgeJob]:
        """One to be judged in the block; `finish` tells that its verdict is stored, too."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._choice() is not None)
            job = self._choice()
            assert job is not None  # noqa: S101 - it was waited for
            self._waiting.remove(job)
            first = job.task.sample if job.task.sample in self._unproven else None
            if first is not None:
                self._unproven.remove(first)
                self._held.add(first)
            self._changed.notify_all()
        began = time.monotonic()
        try:
            yield job
        finally:
            if job.task.sample is not None:
                self._seconds[job.task.sample] = time.monotonic() - began
            await self._release(first)

    async def finish(self) -> None:
        async with self._changed:
            self._unfinished -= 1
            self._changed.notify_all()

    async def join(self) -> None:
        """Until everything that was put is finished."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._unfinished)

    async def prepare(
        self, samples: Iterable[Sample], work: Callable[[Sample], Awaitable[bool]]
    ) -> None:
        """`work` on each, a few at a time; the solutions of a sample wait for its own. It tells
        whether everything is known of the sample's reference.

        The first sample of every SDK comes before the second of any: those of one SDK mostly
        share their packages.
        """
        before: Counter[str] = Counter()
        todo = sorted(dict.fromkeys(samples), key=lambda sample: _ranked(before, sample.sdk))
        self._held.update(todo)
        left = iter(todo)

        async def some() -> None:
            for sample in left:
                try:
                    if not await work(sample):
                        self._unproven.add(sample)
                finally:
                    await self._release(sample)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(PREPARED_AT_ONCE):
                    group.create_task(some())
        finally:
            self._held.difference_update(todo)

    def _choice(self) -> JudgeJob | None:
        free = [job for job in self._waiting if job.task.sample not in self._held]
        return max(free, key=self._expected_seconds, default=None)

    def _expected_seconds(self, job: JudgeJob) -> float:
        """Unknown ones go first: in the order that they came in."""
        if job.task.sample is None:
            return float("inf")
        return self._seconds.get(job.task.sample, float("inf"))

    async def _release(self, sample: Sample | None) -> None:
        async with self._changed:
            if sample is not None:
                self._held.discard(sample)
            self._changed.notify_all()


def _ranked(before: Counter[str], sdk: str) -> int:
    before[sdk] += 1
    return before[sdk]
