"""SdkLane: one model's samples, made some at a time and handed to the judges."""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from pydantic import ValidationError

from sdkbench.backends import BackendFailure
from sdkbench.engine.making import Laid, Maker
from sdkbench.engine.run_events import Ended
from sdkbench.engine.solution_records import record_made, record_unmade
from sdkbench.engine.tasks import SdkTask
from sdkbench.engine.workshop import Workshop
from sdkbench.errors import DiskFault, HarnessFault, InputError, SdkbenchError, StoreFault
from sdkbench.store import Suite


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
            if self._ready is not None:
                await self._ready.put(Ready(task, laid))
                continue
            made = record_made(laid.made, task.origin)
            if laid.is_stored:
                workshop.emit(Ended(made.attempt, is_new=True))
            else:
                await workshop.keep(made)
            await laid.remove()

    async def _made(self, task: SdkTask, workshop: Workshop) -> Laid:
        """The attempt boundary of making: what a generator does wrong stays in its attempt."""
        try:
            return await self._maker.make(task, workshop)
        except SdkbenchError:
            raise
        except ValidationError as error:
            raise InputError("The solution holds a name that can't be stored.") from error
        except OSError as error:
            raise DiskFault(f"The solution can't be laid out: {error}. Make room.") from error
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise HarnessFault(
                f"A fault in making the solution: {told}. Please report it."
            ) from error
