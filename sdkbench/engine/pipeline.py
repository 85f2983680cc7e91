"""run_lanes: solutions are made and judged side by side, each stored when its verdict is there."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from sdkbench.engine.judging import Judge
from sdkbench.engine.recording import record_sdk
from sdkbench.engine.sdk_lane import Ready
from sdkbench.engine.solution_records import Made
from sdkbench.engine.workshop import Workshop
from sdkbench.test_harness import FCorrResult

STORING_AT_ONCE = 32  # verdicts of one judge on their way to the disk


class Lane(Protocol):
    async def run(self, workshop: Workshop) -> None: ...


async def run_lanes(
    models: Sequence[Sequence[Lane]],
    judge: Judge,
    ready: "asyncio.Queue[Ready]",
    workshop: Workshop,
) -> None:
    """The lanes of a model run one after the other, so that it is never asked more than allowed.

    Raises what a lane or the store raised; everything that had ended by then is stored.
    """
    try:
        async with asyncio.TaskGroup() as judges:
            waiting = [
                judges.create_task(_judge_ready(ready, judge, workshop))
                for _ in range(judge.at_once)
            ]
            async with asyncio.TaskGroup() as lanes:
                for each in models:
                    lanes.create_task(_one_by_one(each, workshop))
            await ready.join()
            for task in waiting:
                task.cancel()
    except BaseExceptionGroup as failures:
        raise _first(failures) from failures
    finally:
        await workshop.recorder.flush()


async def _one_by_one(lanes: Sequence[Lane], workshop: Workshop) -> None:
    for lane in lanes:
        await lane.run(workshop)


async def _judge_ready(ready: "asyncio.Queue[Ready]", judge: Judge, workshop: Workshop) -> None:
    """A judge goes on while its last verdicts are being stored: many share one transaction."""
    storing = asyncio.Semaphore(STORING_AT_ONCE)
    async with asyncio.TaskGroup() as keeping:
        while True:
            waiting = await ready.get()
            workshop.began(waiting.task.origin, "judging")
            result = await judge.judge(waiting.task.sample, waiting.laid.folder)
            await storing.acquire()
            keeping.create_task(_keep(waiting, result, workshop, ready, storing))


async def _keep(
    judged: Ready,
    result: FCorrResult,
    workshop: Workshop,
    ready: "asyncio.Queue[Ready]",
    storing: asyncio.Semaphore,
) -> None:
    task, laid = judged
    try:
        await workshop.keep(record_sdk(_noted(result, laid.made), task.origin, laid.made))
        await laid.remove()
    finally:
        storing.release()
        ready.task_done()


def _noted(result: FCorrResult, made: Made) -> FCorrResult:
    """With what a reader must know of how the solution came about."""
    told = made.generation
    notes = [str(note) for note in _listed(told.get("notes"))]
    if told.get("refused"):
        notes.append("the model declined")
    if told.get("truncated"):
        notes.append("the answer was cut off")
    refusals = _listed(told.get("refusals"))
    if refusals:
        notes.append(f"{len(refusals)} files of the answer were not taken")
    return result.model_copy(update={"notes": [*result.notes, *notes]}) if notes else result


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one that brought the others about, or the only one that matters to a reader."""
    first = failures.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
