"""RayJudge: solutions judged on the nodes of a Ray cluster, by the same code as here."""

import asyncio
import threading
from pathlib import Path
from typing import NamedTuple

import ray

from sdkbench.core import Solution
from sdkbench.datasets import Sample
from sdkbench.engine.ray.archive import pack, pack_sample
from sdkbench.engine.ray.cluster import Cluster
from sdkbench.engine.ray.node import JudgeOrder, Sent, judge_here
from sdkbench.engine.ray.tasks import Tasks
from sdkbench.engine.ray.versions import versions
from sdkbench.errors import Cancelled, InputError
from sdkbench.judge.attempt import fault_result
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import FCorrResult


class Samples:
    """Each put into Ray's object store once, as it was when it was first asked for."""

    def __init__(self) -> None:
        self._sent: dict[Path, Sent] = {}
        self._lock = threading.Lock()

    def send(self, sample: Sample) -> Sent:
        """Raises SampleError for one that can't be read or can't travel."""
        with self._lock:
            if sample.root not in self._sent:
                archive = pack_sample(sample)
                ref = ray.put(archive)
                self._sent[sample.root] = Sent(archive.digest, archive.place, (ref,))
            return self._sent[sample.root]


class NodeSettings(NamedTuple):
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

    def __init__(self, cluster: Cluster, settings: NodeSettings, workers: int | None) -> None:
        self.at_once = workers or 2 * cluster.slots() + 2
        self.cluster = cluster
        self.tasks = Tasks(cluster)
        self.samples = Samples()
        self.settings = settings

    async def judge(self, subject: Subject) -> FCorrResult:
        try:
            return await self._judge(subject)
        except Cancelled:
            raise
        except Exception as error:  # noqa: BLE001 - one attempt must not end the others
            return fault_result(subject, self.settings.options, error)

    async def close(self) -> None:
        """Waits for what is under way, and leaves Ray."""
        await self.tasks.settle()
        self.cluster.leave()

    async def _judge(self, subject: Subject) -> FCorrResult:
        solution = await asyncio.to_thread(Solution, subject.solution_dir)
        order = await asyncio.to_thread(self._order, subject)
        result = FCorrResult.model_validate_json(await self.tasks.run(judge_here, order))
        # What isn't judged isn't sent either, so the node could not tell.
        return result.model_copy(update={"notes": [*solution.left_out, *result.notes]})

    def _order(self, subject: Subject) -> JudgeOrder:
        if subject.sample is None:
            raise InputError(
                "A folder without a sample can't be judged on a cluster: judge it here."
            )
        return JudgeOrder(
            driver=versions(),
            sample=self.samples.send(subject.sample),
            solution=pack(subject.solution_dir),
            options=self.settings.options,
            sandbox=self.settings.sandbox,
            install=self.settings.install,
        )
