"""RayGenerator: agents at work on the nodes of a Ray cluster; the driver gets their files."""

import asyncio
import os
import shlex
from pathlib import Path

from sdkbench.datasets import Sample
from sdkbench.engine.ray.archive import unpack
from sdkbench.engine.ray.judge import Samples
from sdkbench.engine.ray.node import AgentOrder, generate_here
from sdkbench.engine.ray.tasks import Tasks
from sdkbench.engine.ray.versions import versions
from sdkbench.errors import InputError
from sdkbench.generation import GeneratedSolution, Settings, Source, open_generator
from sdkbench.generation.files import make_new_folder


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
        str(Path(word).absolute()) if ("/" in word or number) and _is_file(word) else word
        for number, word in enumerate(words)
    ]
    return f"{kind}:{shlex.join(full)}"


def _is_file(word: str) -> bool:
    """False also for a word that is too long to be the name of anything."""
    return os.path.isfile(word)  # noqa: PTH113 - Path.is_file raises for such a word
