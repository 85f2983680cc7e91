"""Makers: a task → its solution in a folder; from the store where it was made before."""

import asyncio
from pathlib import Path
from typing import Protocol

from sdkbench.engine.run_events import Generated
from sdkbench.engine.tasks import SdkTask
from sdkbench.engine.workshop import Workshop
from sdkbench.errors import InputError
from sdkbench.evaluator.making import Made, made_again, made_of, record_made, told_of
from sdkbench.generation import Generator


class Maker(Protocol):
    """`make` raises BackendFailure where a model gave no answer, InputError where none is there."""

    at_once: int | None

    async def make(self, task: SdkTask, folder: Path, workshop: Workshop) -> Made: ...


class Generating:
    """Asks the generator for what the store doesn't hold yet.

    `remember` off: what the store holds is asked for again. `ask` off: nobody is asked, and only
    what the store or the disk holds is judged.
    """

    def __init__(self, generator: Generator, *, remember: bool, ask: bool) -> None:
        self.at_once = generator.at_once
        self._generator = generator
        self._remember = remember
        self._ask = ask

    async def make(self, task: SdkTask, folder: Path, workshop: Workshop) -> Made:
        asked = task.origin.generation_key
        if asked is not None and self._remember:
            kept = await asyncio.to_thread(workshop.store.generated, asked)
            if kept is not None:
                return made_again(kept, folder)
        if asked is not None and not self._ask:
            raise InputError(
                f"No solution of {task.sample.id} by {task.origin.model} was stored, and asking "
                "was switched off. Run once without --skip-generation."
            )
        workshop.began(task.origin, "asking")
        generated = await self._generator.generate(task.sample, folder)
        made = made_of(generated, folder)
        if asked is not None:
            await workshop.recorder.save(record_made(made, task.origin))
        told = told_of(made, task.origin)
        workshop.emit(
            Generated(told.key, told.model, told.input_tokens, told.output_tokens, told.cost_usd)
        )
        return made


class Restoring:
    """Solutions of another run, to be judged again."""

    at_once: int | None = None

    def __init__(self, run_id: str, keys: dict[str, str]) -> None:
        self._run_id = run_id
        self._keys = keys  # of the attempts to be: those of the attempts that were

    async def make(self, task: SdkTask, folder: Path, workshop: Workshop) -> Made:
        key = self._keys[task.origin.key]
        return await asyncio.to_thread(self._made, workshop, key, folder)

    def _made(self, workshop: Workshop, key: str, folder: Path) -> Made:
        return made_again(workshop.store.stored(self._run_id, key), folder)
