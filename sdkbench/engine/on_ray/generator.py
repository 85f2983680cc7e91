"""RayGenerator: agents at work on the nodes of a Ray cluster; the driver gets their files."""

import asyncio
import os
from pathlib import Path

from sdkbench.datasets import Sample
from sdkbench.engine.on_ray.node import AgentOrder, generate_here
from sdkbench.engine.on_ray.parcel import unpack
from sdkbench.engine.on_ray.samples import Samples
from sdkbench.engine.on_ray.tasks import Tasks
from sdkbench.engine.on_ray.versions import versions
from sdkbench.errors import InputError
from sdkbench.generation import Generated, Settings, Source, open_generator
from sdkbench.generation.files import fresh


class RayGenerator:
    """`agent:CMD` on whichever node has room. The program must be on every node, and here.

    Of the user's environment only the variables that the settings name travel. Raises InputError
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
        handed_on = {name: environment[name] for name in settings.agent.variables}
        self._spec = spec
        self._settings = settings._replace(environment=handed_on)
        self._tasks = tasks
        self._samples = samples

    def source(self, sample: Sample) -> Source:
        """The same as that of the agent here: where it works makes no other solution."""
        return self._here.source(sample)

    async def generate(self, sample: Sample, into: Path) -> Generated:
        fresh(into)
        sent = await asyncio.to_thread(self._samples.send, sample)
        order = AgentOrder(versions(), sent, self._spec, self._settings)
        made = await self._tasks.run(generate_here, order)
        await asyncio.to_thread(unpack, made.files, into)
        return Generated.model_validate_json(made.generated)

    async def close(self) -> None:
        """What is under way on nodes ends with its tasks."""
        await self._here.close()
