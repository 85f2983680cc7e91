"""Journal: what is accepted and what is answered, into the store; what comes at once shares a
transaction. One writes at a time, and what was written is told in the order it was written.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sdkbench.store import Artefact, Attempt, JudgementRecord, Stored
from sdkbench.store.database import Store

LOG = logging.getLogger("sdkbench.serve")
MOST_AT_ONCE = 200  # more only makes others wait for their turn
# A store that can't be written is tried again for as long as the service runs.
AGAIN_SECONDS = 2.0

Accepting = tuple[JudgementRecord, Attempt, Sequence[Artefact]]


class _Group(NamedTuple):
    """Accepted together or not at all."""

    parts: list[Accepting]
    accepted: "asyncio.Future[list[JudgementRecord]]"


class Journal:
    """On one event loop. `on_accepted` and `on_answered` are called there, for all that is new on
    disk, before whoever waits for it goes on.
    """

    def __init__(
        self,
        store: Store,
        run_id: str,
        on_accepted: Callable[[Sequence[JudgementRecord]], None],
        on_answered: Callable[[Sequence[str], Sequence[JudgementRecord]], None],
    ) -> None:
        self._store = store
        self._run_id = run_id
        self._on_accepted = on_accepted
        self._on_answered = on_answered
        self._groups: list[_Group] = []
        self._answers: list[Stored] = []
        self._writing: asyncio.Task[None] | None = None
        self.failed = False  # the last answers could not be written

    async def accept(self, parts: list[Accepting]) -> list[JudgementRecord]:
        """On disk when this returns. Raises StoreFault where the store can't be written: then
        nothing of it is there.
        """
        group = _Group(parts, asyncio.get_running_loop().create_future())
        self._groups.append(group)
        self._wake()
        # Who asked may have gone; what is on its way to the disk stays on its way.
        return await asyncio.shield(group.accepted)

    def answer(self, attempt: Stored) -> None:
        """It will be written, however long the store can't be."""
        self._answers.append(attempt)
        self._wake()

    async def flush(self) -> bool:
        """Whether everything is written, once nothing more can be now."""
        while self._writing is not None and not self._writing.done() and not self.failed:
            await asyncio.wait({self._writing}, timeout=0.1)
        return not self._answers

    def close(self) -> None:
        """What can't be written now is given up: the store still has it as open."""
        if self._writing is not None:
            self._writing.cancel()

    def _wake(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while self._groups or self._answers:
            await self._write_groups()
            if not await self._write_answers():
                await asyncio.sleep(AGAIN_SECONDS)

    async def _write_groups(self) -> None:
        batch, self._groups = self._groups[:MOST_AT_ONCE], self._groups[MOST_AT_ONCE:]
        if not batch:
            return
        parts = [part for group in batch for part in group.parts]
        try:
            records = await asyncio.to_thread(self._store.accept_judgements, self._run_id, parts)
        except Exception as error:  # noqa: BLE001 - raised again where it is waited for
            for group in batch:
                if not group.accepted.done():
                    group.accepted.set_exception(error)
            return
        asked = {part[0].id for part in parts}
        self._on_accepted([record for record in records if record.id in asked])
        for group in batch:
            own, records = records[: len(group.parts)], records[len(group.parts) :]
            if not group.accepted.done():
                group.accepted.set_result(own)

    async def _write_answers(self) -> bool:
        batch = self._answers[:MOST_AT_ONCE]
        if not batch:
            return True
        try:
            records = await asyncio.to_thread(self._store.answer_judgements, self._run_id, batch)
        except Exception as error:  # noqa: BLE001 - what is judged must not be lost to a fault
            LOG.error("answers can't be written, and are tried again: %s", error)  # noqa: TRY400
            self.failed = True
            return False
        self.failed = False
        del self._answers[: len(batch)]
        self._on_answered([stored.attempt.key for stored in batch], records)
        return True
