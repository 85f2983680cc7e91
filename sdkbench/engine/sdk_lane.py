"""SdkLane: one model's samples, made some at a time and handed to the judges."""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from pydantic import ValidationError

from sdkbench.backends import BackendFailure, FailureKind
from sdkbench.engine.making import Laid, Maker
from sdkbench.engine.tasks import SdkTask
from sdkbench.engine.workshop import Workshop
from sdkbench.errors import HarnessFault, InputError, StoreFault
from sdkbench.evaluator.making import record_made, record_unmade
from sdkbench.store import Suite

# After so many requests of which none got through, the rest is not tried.
HOPELESS_AFTER = 3
HOPELESS = frozenset({FailureKind.NETWORK, FailureKind.AUTHENTICATION})


class Ready(NamedTuple):
    """A solution that waits for its judge."""

    task: SdkTask
    laid: Laid


class SdkLane:
    """Made solutions go into `ready`, which holds few: nobody runs far ahead of the judges.

    Without `ready` they are stored and not judged.
    """

    def __init__(
        self,
        tasks: Iterable[SdkTask],
        maker: Maker,
        at_once: int,
        ready: "asyncio.Queue[Ready] | None",
    ) -> None:
        self._tasks = iter(tasks)
        self._maker = maker
        self._at_once = min(at_once, maker.at_once or at_once)
        self._ready = ready
        self._heard = False
        self._lost = 0
        self._hopeless: BackendFailure | None = None

    async def run(self, workshop: Workshop) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(self._at_once):
                group.create_task(self._work(workshop))

    async def _work(self, workshop: Workshop) -> None:
        for task in self._tasks:
            try:
                laid = await self._made(task, workshop)
            except StoreFault:
                raise
            except (BackendFailure, InputError, HarnessFault) as failure:
                await workshop.keep(record_unmade(failure, task.origin, Suite.SDK))
                continue
            if self._ready is None:
                await workshop.keep(record_made(laid.made, task.origin))
                await laid.remove()
            else:
                await self._ready.put(Ready(task, laid))

    async def _made(self, task: SdkTask, workshop: Workshop) -> Laid:
        if self._hopeless is not None:
            raise self._hopeless
        try:
            laid = await self._maker.make(task, workshop)
        except BackendFailure as failure:
            self._count(failure)
            raise
        except ValidationError as error:
            raise InputError("The solution holds a name that can't be stored.") from error
        except OSError as error:
            raise InputError(f"The solution can't be laid out: {error}.") from error
        self._heard = True
        return laid

    def _count(self, failure: BackendFailure) -> None:
        if failure.kind not in HOPELESS:
            self._heard = True
        self._lost += 1
        if not self._heard and self._lost >= HOPELESS_AFTER:
            self._hopeless = failure
