"""Recorder: records into the store as they come, those that come at once in one transaction."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from sdkbench.engine.events import Event, Finished
from sdkbench.engine.memory_store import RunStore
from sdkbench.shell import TestResult as ShellResult
from sdkbench.store import Stored
from sdkbench.test_harness import FCorrResult

MOST_AT_ONCE = 200  # more only makes others wait for their turn


class _Waiting(NamedTuple):
    record: Stored
    stored: "asyncio.Future[bool]"
    event: Callable[[bool], Event] | None


class Recorder:
    """For one run, on one event loop. `save` and `finish` return when the record is on disk."""

    def __init__(self, store: RunStore, run_id: str, emit: Callable[[Event], None]) -> None:
        self._store = store
        self._run_id = run_id
        self._emit = emit
        self._waiting: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def save(self, record: Stored) -> bool:
        """Whether it was new. Raises StoreFault where the store can't be written."""
        return await self._put(record, None)

    async def finish(self, record: Stored, result: FCorrResult | ShellResult | None = None) -> bool:
        """As `save`, of an attempt that has come to its end: `Finished` is emitted, also where the
        caller has been cancelled meanwhile.
        """
        return await self._put(record, lambda is_new: Finished(record.attempt, is_new, result))

    async def flush(self) -> None:
        """Until nothing is left to write; also where those who asked for it have gone."""
        while self._writing is not None and not self._writing.done():
            await asyncio.wait({self._writing})

    async def _put(self, record: Stored, event: Callable[[bool], Event] | None) -> bool:
        waiting = _Waiting(record, asyncio.get_running_loop().create_future(), event)
        self._waiting.append(waiting)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await waiting.stored

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            writing = asyncio.to_thread(
                self._store.save_attempts, self._run_id, [each.record for each in batch]
            )
            (stored,) = await asyncio.gather(writing, return_exceptions=True)
            for number, each in enumerate(batch):
                self._settle(each, stored if isinstance(stored, BaseException) else stored[number])

    def _settle(self, each: _Waiting, stored: bool | BaseException) -> None:
        failure = stored if isinstance(stored, BaseException) else None
        if not isinstance(stored, BaseException) and each.event is not None:
            try:
                self._emit(each.event(stored))
            except Exception as error:  # noqa: BLE001 - raised again where it is waited for
                failure = error
        if each.stored.cancelled():
            return
        if failure is not None:
            each.stored.set_exception(failure)
        else:
            each.stored.set_result(stored is True)
