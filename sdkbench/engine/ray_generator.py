"""RayGenerator: agents at work on the nodes of a Ray cluster; the driver gets their files."""

import asyncio
import os
from pathlib import Path

from sdkbench.backends.redact import quoted, secrets_in
from sdkbench.datasets import Sample
from sdkbench.engine.ray_node import AgentOrder, generate_here
from sdkbench.engine.ray_parcel import unpack
from sdkbench.engine.ray_samples import Samples
from sdkbench.engine.ray_tasks import Tasks
from sdkbench.engine.ray_versions import versions
from sdkbench.errors import InputError
from sdkbench.generation import Generated, Settings
from sdkbench.generation.files import fresh


class RayGenerator:
    """`agent:CMD` on whichever node has room. The program must be on every node.

    Of the user's environment only the variables that the settings name travel. Raises InputError
    for another kind of generator: those wait for servers, which the driver can do itself.
    """

    def __init__(self, spec: str, settings: Settings, tasks: Tasks, samples: Samples) -> None:
        kind, _, target = (part.strip() for part in spec.strip().partition(":"))
        if kind != "agent" or not target:
            raise InputError(f"Only agents work on nodes: agent:CMD, not {spec[:80]!r}.")
        environment = os.environ if settings.environment is None else settings.environment
        missing = [name for name in settings.agent.variables if name not in environment]
        if missing:
            raise InputError(f"The agent needs {missing[0]}, which the environment does not set.")
        handed_on = {name: environment[name] for name in settings.agent.variables}
        self.name = quoted(secrets_in(environment), f"agent:{target}")
        self._spec = spec
        self._settings = settings._replace(environment=handed_on)
        self._tasks = tasks
        self._samples = samples

    async def generate(self, sample: Sample, into: Path) -> Generated:
        fresh(into)
        sent = await asyncio.to_thread(self._samples.send, sample)
        order = AgentOrder(versions(), sent, self._spec, self._settings)
        made = await self._tasks.run(generate_here, order)
        await asyncio.to_thread(unpack, made.files, into)
        generated = Generated.model_validate_json(made.generated)
        return generated.model_copy(update={"model": self.name})

    async def close(self) -> None:
        """Nothing is open: what is under way ends with its tasks."""
