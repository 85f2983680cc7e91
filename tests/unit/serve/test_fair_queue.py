"""Whose turn it is."""

import asyncio
from pathlib import Path

from sdkbench.core import GroundTruth
from sdkbench.datasets import Sample
from sdkbench.serve.judging.fair_queue import FairQueue, QueuedAttempt
from tests.support.judging_service import SAMPLE, write_samples


def attempt(key: str, owner: str = "", sample: Sample | None = None) -> QueuedAttempt:
    return QueuedAttempt(key, owner, sample)


def a_sample(folder: Path) -> Sample:
    root = write_samples(folder) / SAMPLE
    return Sample(root, GroundTruth(root / "expected" / "metadata.json"))


async def taken(queue: FairQueue, number: int) -> list[str]:
    keys = []
    for _ in range(number):
        async with asyncio.timeout(10), queue.next() as each:
            keys.append(each.key)
    return keys


def test_owners_take_turns_and_each_is_served_in_order() -> None:
    async def work() -> list[str]:
        queue = FairQueue(None)
        for key in ("a1", "a2", "a3", "a4"):
            await queue.put(attempt(key, "a"))
        await queue.put(attempt("b1", "b"))
        await queue.put(attempt("b2", "b"))
        assert len(queue) == 6
        return await taken(queue, 6)

    assert asyncio.run(work()) == ["a1", "b1", "a2", "b2", "a3", "a4"]


def test_nobody_waits_for_what_another_needs(tmp_path: Path) -> None:
    sample = a_sample(tmp_path)

    async def work() -> list[str]:
        installed = asyncio.Event()

        async def prepare(_sample: Sample) -> bool:
            await installed.wait()
            return True

        queue = FairQueue(prepare)
        await queue.put(attempt("slow", "", sample))
        await queue.put(attempt("quick"))
        first = await taken(queue, 1)
        installed.set()
        return first + await taken(queue, 1)

    assert asyncio.run(work()) == ["quick", "slow"]


def test_the_first_of_a_new_sample_is_judged_alone(tmp_path: Path) -> None:
    sample = a_sample(tmp_path)

    async def work() -> list[str]:
        async def prepare(_sample: Sample) -> bool:
            return False

        queue = FairQueue(prepare)
        for key in ("one", "two", "three"):
            await queue.put(attempt(key, "", sample))
        order: list[str] = []

        async def judge(seconds: float) -> None:
            async with queue.next() as each:
                order.append(each.key)
                await asyncio.sleep(seconds)
                order.append(f"{each.key} ended")

        await asyncio.gather(judge(0.2), judge(0), judge(0))
        return order

    assert asyncio.run(work())[:2] == ["one", "one ended"]


def test_a_sample_that_can_not_be_prepared_is_judged_all_the_same(tmp_path: Path) -> None:
    sample = a_sample(tmp_path)

    async def work() -> list[str]:
        async def prepare(_sample: Sample) -> bool:
            raise OSError("no packages today")

        queue = FairQueue(prepare)
        await queue.put(attempt("one", "", sample))
        keys = await taken(queue, 1)
        await queue.close()
        return keys

    assert asyncio.run(work()) == ["one"]
