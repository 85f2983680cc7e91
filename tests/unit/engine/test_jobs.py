"""Which solution is judged next, while environments are made beside."""

import asyncio
import json
from pathlib import Path

import pytest

from sdkbench.datasets import Sample, load_sample
from sdkbench.engine.jobs import JobQueue, JudgeJob
from sdkbench.engine.records import Origin
from sdkbench.engine.tasks import SdkTask
from sdkbench.generation import GeneratedSolution
from tests.support.projects import write


def sample(root: Path, name: str, sdk: str = "demo") -> Sample:
    metadata = {"sample_id": name, "sdk": sdk, "task_type": 1}
    files = {
        "input/app.py": "", "tests/test_app.py": "", "expected/metadata.json": json.dumps(metadata)
    }  # fmt: skip
    return load_sample(write(root / sdk / name, files))


def job(of: Sample | None, model: str = "model") -> JudgeJob:
    name = of.id if of else "folder"
    origin = Origin(f"{name} {model}", "demo", name, "1", model)
    return JudgeJob(
        SdkTask(origin, of), GeneratedSolution(sample_id=name, model=model, folder=Path())
    )


async def taken(jobs: JobQueue) -> str:
    async with jobs.next() as chosen:
        return chosen.task.origin.key


def test_a_solution_waits_for_its_environment_and_others_go_first(tmp_path: Path) -> None:
    slow, quick = sample(tmp_path, "slow"), sample(tmp_path, "quick")
    installed = asyncio.Event()

    async def install(wanted: Sample) -> bool:
        if wanted == slow:
            await installed.wait()
        return True

    async def work() -> list[str]:
        jobs = JobQueue()
        preparing = asyncio.create_task(jobs.prepare([slow, slow, quick], install))
        await asyncio.sleep(0.01)
        for each in (job(slow), job(quick), job(None)):
            await jobs.put(each)
        order = [await taken(jobs), await taken(jobs)]
        third = asyncio.create_task(taken(jobs))
        await asyncio.sleep(0.01)
        assert not third.done()
        installed.set()
        await preparing
        return [*order, await third]

    assert asyncio.run(work()) == ["quick model", "folder model", "slow model"]


@pytest.mark.parametrize("known", [False, True])
def test_the_second_solution_waits_for_one_that_also_proves_the_reference(
    tmp_path: Path, known: bool
) -> None:
    one, other = sample(tmp_path, "one"), sample(tmp_path, "other")

    async def install(_: Sample) -> bool:
        return known

    async def work() -> list[str]:
        jobs = JobQueue()
        await jobs.prepare([one, other], install)
        for each in (job(one, "a"), job(one, "b"), job(other, "a")):
            await jobs.put(each)
        async with jobs.next() as first:
            second = await taken(jobs)
        return [first.task.origin.key, second, await taken(jobs)]

    in_order = ["one a", "one b", "other a"]
    assert asyncio.run(work()) == (in_order if known else ["one a", "other a", "one b"])


def test_the_longest_goes_first_where_that_is_known(tmp_path: Path) -> None:
    short, long = sample(tmp_path, "short"), sample(tmp_path, "long")

    async def work() -> list[str]:
        jobs = JobQueue()
        for each, seconds in ((short, 0.0), (long, 0.02)):
            await jobs.put(job(each, "a"))
            async with jobs.next():
                await asyncio.sleep(seconds)
        for each in (short, long):
            await jobs.put(job(each, "b"))
        return [await taken(jobs), await taken(jobs)]

    assert asyncio.run(work()) == ["long b", "short b"]


def test_every_sdk_is_prepared_before_the_second_sample_of_one(tmp_path: Path) -> None:
    samples = [sample(tmp_path, f"a{n}", "a") for n in range(3)] + [sample(tmp_path, "b0", "b")]
    prepared = []

    async def install(wanted: Sample) -> bool:
        prepared.append(wanted.id)
        return True

    asyncio.run(JobQueue().prepare(samples, install))
    assert prepared == ["a0", "b0", "a1", "a2"]


def test_a_full_queue_is_waited_for_and_an_empty_one_is_the_end(tmp_path: Path) -> None:
    one = sample(tmp_path, "one")

    async def work() -> None:
        jobs = JobQueue(most=1)
        await jobs.put(job(one, "a"))
        putting = asyncio.create_task(jobs.put(job(one, "b")))
        await asyncio.sleep(0.01)
        assert not putting.done()
        for _ in range(2):
            await taken(jobs)
            await jobs.finish()
        await putting
        await jobs.join()

    asyncio.run(work())
