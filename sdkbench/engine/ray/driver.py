"""RayJudge, RayGenerator: solutions judged, and agents at work, on the nodes of a Ray cluster, by
the same code as here. The driver gets results and files.
"""

import asyncio
import os
import shlex
import threading
from pathlib import Path

import ray

from sdkbench.core import Solution
from sdkbench.datasets import Sample
from sdkbench.engine.ray.archive import pack, pack_sample, unpack
from sdkbench.engine.ray.cluster import Cluster
from sdkbench.engine.ray.node import (
    AgentOrder,
    JudgeOrder,
    NodeSettings,
    Sent,
    generate_here,
    judge_here,
    versions,
)
from sdkbench.engine.ray.tasks import Tasks
from sdkbench.errors import Cancelled, InputError
from sdkbench.generation import GeneratedSolution, Settings, Source, open_generator
from sdkbench.generation.agent import is_file
from sdkbench.generation.files import make_new_folder
from sdkbench.judge.attempt import fault_result
from sdkbench.judge.subject import Subject
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
        sample = self.samples.send(subject.sample)
        return JudgeOrder(versions(), sample, pack(subject.solution_dir), self.settings)


class RayGenerator:
    """`agent:CMD` on whichever node has room. The program must be on every node, and here.

    Nodes look for it under the name that it has here, and refuse another version of it. Of the
    user's environment only PATH and the variables that the settings name travel. Raises InputError
    as `open_generator` does, and for another kind of generator: those wait for servers, which the
    driver can do itself.
    """

    def __init__(self, spec: str, settings: Settings, tasks: Tasks, samples: Samples) -> None:
        if not spec.strip().startswith("agent:"):
            raise InputError(f"Only agents work on nodes: agent:CMD, not {spec[:80]!r}.")
        self._here = open_generator(spec, settings)
        self.name = self._here.name
        self.at_once = self._here.at_once
        environment = os.environ if settings.environment is None else settings.environment
        names = {*settings.agent.variables, *({"PATH"} & environment.keys())}
        handed_on = {name: environment[name] for name in names}
        self._spec = _with_full_names(spec)
        self._settings = settings._replace(environment=handed_on)
        self._tasks = tasks
        self._samples = samples

    def source(self, sample: Sample) -> Source:
        """The same as that of the agent here: where it works makes no other solution."""
        return self._here.source(sample)

    async def generate(self, sample: Sample, into: Path) -> GeneratedSolution:
        make_new_folder(into)
        sent = await asyncio.to_thread(self._samples.send, sample)
        source = await asyncio.to_thread(self.source, sample)
        order = AgentOrder(versions(), sent, self._spec, self._settings, source)
        result = await self._tasks.run(generate_here, order)
        await asyncio.to_thread(unpack, result.files, into)
        generated = GeneratedSolution.model_validate_json(result.generated)
        return generated.model_copy(update={"folder": into, "model": self.name})

    async def close(self) -> None:
        """Need not be called: the agent here starts nothing, and those on nodes end with their
        tasks.
        """
        await self._here.close()


def _with_full_names(spec: str) -> str:
    """The command for a process in another folder: files of the user's have their full names.

    A program without a slash is looked for in PATH, and never in the folder.
    """
    kind, _, target = spec.strip().partition(":")
    words = shlex.split(target)
    full = [
        str(Path(word).absolute()) if ("/" in word or number) and is_file(Path(word)) else word
        for number, word in enumerate(words)
    ]
    return f"{kind}:{shlex.join(full)}"
