"""SolutionSource: a task → its solution in a folder; from the disk, the store or a generator."""

import asyncio
from pathlib import Path

from pydantic import ValidationError

from sdkbench.backends import BackendFailure
from sdkbench.backends.retry import CircuitBreaker
from sdkbench.datasets import Sample
from sdkbench.engine.events import Answered
from sdkbench.engine.recorder import RunContext
from sdkbench.engine.records import Origin, record_unjudged
from sdkbench.engine.tasks import SdkTask
from sdkbench.errors import DiskFault, HarnessFault, InputError, SdkbenchError
from sdkbench.generation import GeneratedSolution, Generator


class SolutionSource:
    """The solutions of one model.

    What the store holds is not asked for again. Without a generator, or with `ask` off, nobody is
    asked, and only what the store or the disk holds is judged.
    """

    def __init__(self, generator: Generator | None = None, *, ask: bool = True) -> None:
        self.at_once = generator.at_once if generator else None
        self._generator = generator
        self.ask = ask
        self._breaker = CircuitBreaker()
        # Solutions that are the same for every trial, by the sample's folder.
        self._laid_out: dict[Path, asyncio.Task[GeneratedSolution]] = {}

    async def obtain(self, task: SdkTask, context: RunContext) -> GeneratedSolution:
        """Raises BackendFailure where a model gave no answer, InputError where there is no
        solution, HarnessFault for whatever else goes wrong: it stays in its attempt.
        """
        try:
            return await self._obtain(task, context)
        except SdkbenchError:
            raise
        except ValidationError as error:
            raise InputError("The solution holds a name that can't be stored.") from error
        except OSError as error:
            raise DiskFault(f"The solution can't be laid out: {error}. Make room.") from error
        except Exception as error:
            raise HarnessFault(
                f"A fault in making the solution: {type(error).__name__}: {error}. "
                "Please report it."
            ) from error

    async def _obtain(self, task: SdkTask, context: RunContext) -> GeneratedSolution:
        origin, sample = task.origin, task.sample
        if task.folder is not None:
            return GeneratedSolution(
                folder=task.folder, sample_id=origin.sample, model=origin.model, is_shared=True
            )
        stored = await asyncio.to_thread(context.recall, origin)
        folder = context.scratch / origin.key
        if stored is not None:
            return await asyncio.to_thread(GeneratedSolution.restored, stored, folder)
        if self._generator is None or sample is None:
            raise HarnessFault(f"Nobody can be asked for a solution of {origin.sample}.")
        if origin.generation_key is None:
            return await self._at_hand(origin, self._generator, sample, context)
        if not self.ask:
            raise InputError(
                f"No solution of {sample.id} by {origin.model} was stored, and asking was switched "
                "off. Run once without --skip-generation."
            )
        self._breaker.check()
        context.started(origin, "asking")
        try:
            generated = await self._generator.generate(sample, folder)
        except BackendFailure as failure:
            self._breaker.failed(failure)
            raise
        self._breaker.succeeded()
        solution = await asyncio.to_thread(generated.packed)
        await context.recorder.save(record_unjudged(solution, origin))
        usage = solution.usage
        context.emit(
            Answered(origin.key, origin.model, usage.input_tokens, usage.output_tokens, usage.cost)
        )
        return solution.model_copy(update={"is_stored": True})

    async def _at_hand(
        self, origin: Origin, generator: Generator, sample: Sample, context: RunContext
    ) -> GeneratedSolution:
        """The same for every trial: laid out once."""

        async def lay_out() -> GeneratedSolution:
            generated = await generator.generate(sample, context.scratch / f"known-{origin.key}")
            packed = await asyncio.to_thread(generated.packed)
            return packed.model_copy(update={"is_shared": True})

        if sample.root not in self._laid_out:
            self._laid_out[sample.root] = asyncio.ensure_future(lay_out())
        return await asyncio.shield(self._laid_out[sample.root])
