"""RayJudge: solutions judged on the nodes of a Ray cluster, by the same code as here."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Solution
from sdkbench.datasets import Sample
from sdkbench.engine.on_ray.cluster import Cluster
from sdkbench.engine.on_ray.node import JudgeOrder, judge_here
from sdkbench.engine.on_ray.parcel import pack
from sdkbench.engine.on_ray.samples import Samples
from sdkbench.engine.on_ray.tasks import Tasks
from sdkbench.engine.on_ray.versions import versions
from sdkbench.errors import Cancelled
from sdkbench.judge.attempt import fault_result
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import FCorrResult


class Manner(NamedTuple):
    """How solutions are judged, on whichever node."""

    options: Options
    sandbox: str
    install: bool


class RayJudge:
    """Each attempt is a task that takes its share of a node's CPUs; only results come back.

    `at_once` attempts may be asked for. Unless the user set a bound, that is more than run: what
    waits in Ray's queue keeps the nodes busy while results are stored, gives work to nodes that
    join, and makes an autoscaler start some.
    """

    def __init__(self, cluster: Cluster, manner: Manner, workers: int | None) -> None:
        self.at_once = workers or 2 * cluster.slots() + 2
        self.cluster = cluster
        self.tasks = Tasks(cluster)
        self.samples = Samples()
        self.manner = manner

    async def judge(self, sample: Sample, solution: Path) -> FCorrResult:
        try:
            return await self._judge(sample, solution)
        except Cancelled:
            raise
        except Exception as error:  # noqa: BLE001 - one attempt must not end the others
            return fault_result(Subject(solution, sample), self.manner.options, error)

    async def close(self) -> None:
        """Waits for what is under way, and leaves Ray."""
        await self.tasks.settle()
        self.cluster.leave()

    async def _judge(self, sample: Sample, solution: Path) -> FCorrResult:
        found = await asyncio.to_thread(Solution, solution)
        order = await asyncio.to_thread(self._order, sample, solution)
        result = FCorrResult.model_validate_json(await self.tasks.run(judge_here, order))
        # What isn't judged isn't sent either, so the node could not tell.
        return result.model_copy(update={"notes": [*found.left_out, *result.notes]})

    def _order(self, sample: Sample, solution: Path) -> JudgeOrder:
        manner = self.manner
        return JudgeOrder(
            driver=versions(),
            sample=self.samples.send(sample),
            solution=pack(solution),
            options=manner.options,
            sandbox=manner.sandbox,
            install=manner.install,
        )
