"""FairQueue: attempts that wait for a judge. Owners take turns, and none waits for what is being
installed for another.

As in a run, the solutions of a sample wait while its environment is made, and while the first of
them is judged if that also has to record what the reference does.
"""

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

from sdkbench.datasets import Sample


class QueuedAttempt(NamedTuple):
    key: str
    owner: str
    sample: Sample | None


Prepare = Callable[[Sample], Awaitable[bool]]


class FairQueue:
    """On one event loop. `prepare` makes what solutions of a sample need, once; it tells whether
    everything is known of the sample's reference.
    """

    def __init__(self, prepare: Prepare | None) -> None:
        self._prepare = prepare
        self._waiting: OrderedDict[str, deque[QueuedAttempt]] = OrderedDict()  # by owner
        self._held: set[Sample] = set()
        self._unproven: set[Sample] = set()
        self._known: set[Sample] = set()
        self._preparing: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Condition()

    def __len__(self) -> int:
        return sum(len(waiting) for waiting in self._waiting.values())

    async def put(self, attempt: QueuedAttempt) -> None:
        async with self._changed:
            self._waiting.setdefault(attempt.owner, deque()).append(attempt)
            sample = attempt.sample
            if sample is not None and sample not in self._known and self._prepare is not None:
                self._known.add(sample)
                self._held.add(sample)
                task = asyncio.create_task(self._made_ready(sample, self._prepare))
                self._preparing.add(task)
                task.add_done_callback(self._preparing.discard)
            self._changed.notify_all()

    @contextlib.asynccontextmanager
    async def next(self) -> AsyncIterator[QueuedAttempt]:
        """One to be judged in the block."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._choice() is not None)
            attempt = self._choice()
            assert attempt is not None  # noqa: S101 - it was waited for
            self._take(attempt)
            first = attempt.sample if attempt.sample in self._unproven else None
            if first is not None:
                self._unproven.remove(first)
                self._held.add(first)
        try:
            yield attempt
        finally:
            if first is not None:
                await self._release(first)

    async def close(self) -> None:
        """What is being made ready is given up."""
        for task in self._preparing:
            task.cancel()
        await asyncio.gather(*self._preparing, return_exceptions=True)

    def _choice(self) -> QueuedAttempt | None:
        """The oldest that can be judged, of the owner whose turn it is."""
        for waiting in self._waiting.values():
            for attempt in waiting:
                if attempt.sample not in self._held:
                    return attempt
        return None

    def _take(self, attempt: QueuedAttempt) -> None:
        waiting = self._waiting[attempt.owner]
        waiting.remove(attempt)
        if waiting:
            self._waiting.move_to_end(attempt.owner)
        else:
            del self._waiting[attempt.owner]

    async def _made_ready(self, sample: Sample, prepare: Prepare) -> None:
        try:
            if not await prepare(sample):
                self._unproven.add(sample)
        finally:
            await self._release(sample)

    async def _release(self, sample: Sample) -> None:
        async with self._changed:
            self._held.discard(sample)
            self._changed.notify_all()
