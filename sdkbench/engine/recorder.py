"""RunContext: what all workers of a run share. Recorder: records into the store as they come, those
that come at once in one transaction.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sdkbench.engine.events import Event, Finished, Started
from sdkbench.engine.records import Origin
from sdkbench.shell import TestResult as ShellResult
from sdkbench.store import Stored
from sdkbench.test_harness import FCorrResult

if TYPE_CHECKING:
    from sdkbench.store.database import Store

MOST_AT_ONCE = 200  # more only makes others wait for their turn


class _Waiting(NamedTuple):
    record: Stored
    stored: "asyncio.Future[bool]"
    event: Callable[[bool], Event] | None


class Recorder:
    """For one run, on one event loop. `save` and `finish` return when the record is on disk; at
    once where there is no store, and results are in the events alone.
    """

    def __init__(self, store: "Store | None", run_id: str, emit: Callable[[Event], None]) -> None:
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
            writing = asyncio.to_thread(self._save, [each.record for each in batch])
            (stored,) = await asyncio.gather(writing, return_exceptions=True)
            for number, each in enumerate(batch):
                self._settle(each, stored if isinstance(stored, BaseException) else stored[number])

    def _save(self, records: list[Stored]) -> list[bool]:
        if self._store is None:
            return [True] * len(records)
        return self._store.save_attempts(self._run_id, records)

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


class Regraded(NamedTuple):
    """The run that is judged again, and by the key of each attempt to be that of the old one."""

    run_id: str
    keys: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RunContext:
    """Everything here is used on the event loop only, but for the store."""

    store: "Store | None"  # None: nothing is kept, and nothing known of earlier runs
    recorder: Recorder
    emit: Callable[[Event], None]
    scratch: Path  # solutions stand here, each in a folder named by its key, until they are judged
    own_run: str | None = None  # of a run begun afresh: no other's answers are used
    regraded: Regraded | None = None

    def started(self, origin: Origin, activity: str) -> None:
        self.emit(Started(origin.key, origin.model, origin.sample, activity))

    def recall(self, origin: Origin) -> Stored | None:
        """What was answered before; from any thread."""
        if self.store is None:
            return None
        if self.regraded is not None:
            return self.store.stored(self.regraded.run_id, self.regraded.keys[origin.key])
        if origin.generation_key is None:
            return None
        return self.store.generated(origin.generation_key, run_id=self.own_run)
