"""Entrants: the models of a run, opened for the suites it has."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.backends import Backend
from sdkbench.backends.retry import RetryPolicy
from sdkbench.datasets import Sample
from sdkbench.engine.settings import RunSettings
from sdkbench.errors import InputError
from sdkbench.generation import Generator, Settings, TextGenerator, open_generator, read_docs
from sdkbench.shell import Selection, TestCase, TestDataset
from sdkbench.shell.harness import close, open_for

AGENT = "agent"
REPLAY = "replay"
OF_THE_SET = frozenset({"reference", REPLAY})  # these answer by what a dataset holds


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
        retry=RetryPolicy(total_seconds=settings.request_seconds),
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
    async with contextlib.AsyncExitStack() as closing:
        for spec in settings.model:
            generator = open_generator(spec, how, samples=samples) if samples else None
            if generator is not None:
                closing.push_async_callback(generator.close)
            backends = _backends(spec, generator, sets, closing)
            name = generator.name if generator else backends[0].name
            if name in {entrant.name for entrant in entrants}:
                raise InputError(f"Two of the models have the same name: {name}.")
            entrants.append(Entrant(spec, name, generator, backends))
        yield entrants


def _backends(
    spec: str,
    generator: Generator | None,
    sets: Sequence[ShellSet],
    closing: contextlib.AsyncExitStack,
) -> tuple[Backend, ...]:
    """One for each set where its answers are the set's own; else one for all: a model that is
    loaded here is loaded once.
    """
    shared = generator.backend if isinstance(generator, TextGenerator) else None
    backends: list[Backend] = []
    for each in sets:
        named = _for_shell(spec, each)
        if shared is None or named.partition(":")[0] in OF_THE_SET:
            shared = open_for(named, each.cases)
            closing.push_async_callback(close, shared)
        backends.append(shared)
    return tuple(backends)


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
        return f"{REPLAY}:{folder / shell_set.dataset.title}.jsonl"
    return spec
