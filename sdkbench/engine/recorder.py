"""Recorder: results into the store as they come, those that come at once in one transaction."""

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from sdkbench.engine.origin import Recorded

if TYPE_CHECKING:
    from sdkbench.store.database import Store

MOST_AT_ONCE = 200  # more only makes others wait for their turn


class _Waiting(NamedTuple):
    recorded: Recorded
    stored: "asyncio.Future[bool]"


class Recorder:
    """For one run, on one event loop. Each `save` returns when its record is on disk."""

    def __init__(self, store: "Store", run_id: str) -> None:
        self._store = store
        self._run_id = run_id
        self._waiting: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def save(self, recorded: Recorded) -> bool:
        """Whether it was new. Raises StoreFault where the store can't be written."""
        waiting = _Waiting(recorded, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await waiting.stored

    async def flush(self) -> None:
        """Until nothing is left to write; also where those who asked for it have gone."""
        while self._writing is not None and not self._writing.done():
            await asyncio.wait({self._writing})

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            writing = asyncio.to_thread(
                self._store.save_attempts, self._run_id, [each.recorded for each in batch]
            )
            (stored,) = await asyncio.gather(writing, return_exceptions=True)
            for number, each in enumerate(batch):
                if each.stored.cancelled():
                    continue
                if isinstance(stored, BaseException):
                    each.stored.set_exception(stored)
                else:
                    each.stored.set_result(stored[number])
