"""Entrants: the models of a run, opened for the suites it has."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.backends import Backend
from sdkbench.backends.patience import Patience
from sdkbench.datasets import Sample
from sdkbench.engine.settings import RunSettings
from sdkbench.errors import InputError
from sdkbench.generation import Generator, Settings, open_generator, read_docs
from sdkbench.shell import Selection, TestCase, TestDataset
from sdkbench.shell.harness import close, open_for

AGENT = "agent"
REPLAY = "replay"


class ShellSet(NamedTuple):
    """The chosen cases of a dataset."""

    dataset: TestDataset
    cases: tuple[TestCase, ...]


class Entrant(NamedTuple):
    """One model. `backends` go with the shell sets of the run, in their order."""

    spec: str
    name: str
    generator: Generator | None
    backends: tuple[Backend, ...]


def load_shell_set(path: Path, limit: int | None) -> ShellSet:
    dataset = TestDataset.from_toml(path)
    return ShellSet(dataset, Selection(limit=limit).of(dataset))


def generation_settings(settings: RunSettings) -> Settings:
    return Settings(
        docs=None if settings.docs is None else read_docs(settings.docs),
        template=settings.template,
        max_tokens=settings.max_tokens,
        patience=Patience(total_seconds=settings.request_seconds),
        agent=settings.agent.settings(),
        sandbox=settings.sandbox,
    )


@contextlib.asynccontextmanager
async def opened(
    settings: RunSettings, samples: Sequence[Sample], sets: Sequence[ShellSet]
) -> AsyncIterator[list[Entrant]]:
    """All models, or an InputError or MissingTool about the first that can't be opened."""
    if len(set(settings.model)) < len(settings.model):
        raise InputError("Each --model must be another one. For more tries there is --trials.")
    how = generation_settings(settings)
    entrants: list[Entrant] = []
    try:
        for spec in settings.model:
            generator = open_generator(spec, how, samples=samples) if samples else None
            entrants.append(Entrant(spec, spec, generator, ()))
            backends = tuple(open_for(_for_shell(spec, each), each.cases) for each in sets)
            name = generator.name if generator else backends[0].name
            if name in {entrant.name for entrant in entrants[:-1]}:
                raise InputError(f"Two of the models have the same name: {name}.")
            entrants[-1] = Entrant(spec, name, generator, backends)
        yield entrants
    finally:
        for entrant in entrants:
            for backend in entrant.backends:
                await close(backend)
            if entrant.generator is not None:
                await entrant.generator.close()


def _for_shell(spec: str, shell_set: ShellSet) -> str:
    """A replay folder has the answers to a dataset in a file of the dataset's name."""
    name, _, target = spec.partition(":")
    if name == AGENT:
        raise InputError(
            f"{spec} makes folders, and a shell dataset asks for commands. Leave out --dataset, "
            "or measure a program that prints a command as command:PROGRAM."
        )
    folder = Path(target).expanduser()
    if name == REPLAY and folder.is_dir():
        return f"{REPLAY}:{folder / (shell_set.dataset.name or 'unnamed')}.jsonl"
    return spec
