"""Makers: a task → its solution in a folder; from the store where it was made before."""

import asyncio
import shutil
from pathlib import Path
from typing import NamedTuple, Protocol

from sdkbench.backends import BackendFailure
from sdkbench.backends.retry import CircuitBreaker
from sdkbench.engine.run_events import Answered
from sdkbench.engine.solution_records import Made, made_again, made_of, record_made, told_of
from sdkbench.engine.tasks import SdkTask
from sdkbench.engine.workshop import Workshop
from sdkbench.errors import InputError
from sdkbench.generation import GeneratedSolution, Generator


class Laid(NamedTuple):
    """A solution in its folder, which nobody writes to any more.

    One that is `shared` stands there for other attempts too. `is_stored`: in this run, just now.
    """

    folder: Path
    made: Made
    shared: bool = False
    is_stored: bool = False

    async def remove(self) -> None:
        if not self.shared:
            await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)


class Maker(Protocol):
    """`make` raises BackendFailure where a model gave no answer, InputError where none is there."""

    at_once: int | None

    async def make(self, task: SdkTask, workshop: Workshop) -> Laid: ...


class Generating:
    """Asks the generator for what the store doesn't hold yet.

    `ask` off: nobody is asked, and only what the store or the disk holds is judged.
    """

    def __init__(self, generator: Generator, *, ask: bool) -> None:
        self.at_once = generator.at_once
        self._generator = generator
        self._ask = ask
        self._breaker = CircuitBreaker()
        self._known: dict[Path, asyncio.Task[Laid]] = {}  # by the sample's folder

    async def make(self, task: SdkTask, workshop: Workshop) -> Laid:
        asked = task.origin.generation_key
        if asked is None:
            return await self._at_hand(task, workshop)
        folder = workshop.scratch / task.origin.key
        kept = await asyncio.to_thread(workshop.recall, asked)
        if kept is not None:
            return Laid(folder, await asyncio.to_thread(made_again, kept, folder))
        if not self._ask:
            raise InputError(
                f"No solution of {task.sample.id} by {task.origin.model} was stored, and asking "
                "was switched off. Run once without --skip-generation."
            )
        generated = await self._generated(task, folder, workshop)
        made = await asyncio.to_thread(made_of, generated)
        await workshop.recorder.save(record_made(made, task.origin))
        told = told_of(made, task.origin)
        workshop.emit(
            Answered(told.key, told.model, told.input_tokens, told.output_tokens, told.cost_usd)
        )
        return Laid(folder, made, is_stored=True)

    async def _generated(
        self, task: SdkTask, folder: Path, workshop: Workshop
    ) -> GeneratedSolution:
        self._breaker.check()
        workshop.began(task.origin, "asking")
        try:
            generated = await self._generator.generate(task.sample, folder)
        except BackendFailure as failure:
            self._breaker.failed(failure)
            raise
        self._breaker.succeeded()
        return generated

    async def _at_hand(self, task: SdkTask, workshop: Workshop) -> Laid:
        """The same for every trial: laid out once."""
        root = task.sample.root
        if root not in self._known:
            self._known[root] = asyncio.ensure_future(self._lay(task, workshop))
        return await asyncio.shield(self._known[root])

    async def _lay(self, task: SdkTask, workshop: Workshop) -> Laid:
        folder = workshop.scratch / f"known-{task.origin.key}"
        generated = await self._generator.generate(task.sample, folder)
        return Laid(folder, await asyncio.to_thread(made_of, generated), shared=True)


class Restoring:
    """Solutions of another run, to be judged again."""

    at_once: int | None = None

    def __init__(self, run_id: str, keys: dict[str, str]) -> None:
        self._run_id = run_id
        self._keys = keys  # of the attempts to be: those of the attempts that were

    async def make(self, task: SdkTask, workshop: Workshop) -> Laid:
        folder, key = workshop.scratch / task.origin.key, self._keys[task.origin.key]
        return Laid(folder, await asyncio.to_thread(self._made, workshop, key, folder))

    def _made(self, workshop: Workshop, key: str, folder: Path) -> Made:
        return made_again(workshop.store.stored(self._run_id, key), folder)
