"""The models of a run, opened for the suites that they are measured by, and planned."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sdkbench.backends import Backend
from sdkbench.backends.retry import RetryPolicy
from sdkbench.datasets import (
    Sample,
    bundled_shell,
    check_private_tests,
    default_samples_dir,
    load_sdk,
    with_private_tests,
)
from sdkbench.engine.judging import JudgeSetup
from sdkbench.engine.measuring import code_measure
from sdkbench.engine.plan import ModelPlan, NodeAgent, Plan, ShellPart
from sdkbench.engine.resuming import ResumeRequest
from sdkbench.engine.run import Emit, conduct, run_plan
from sdkbench.engine.settings import EngineKind, RunSettings
from sdkbench.engine.solutions import SolutionSource
from sdkbench.engine.tasks import SdkTask, sdk_tasks, shell_tasks
from sdkbench.errors import InputError
from sdkbench.generation import Generator, Settings, TextGenerator, open_generator, read_docs
from sdkbench.shell import EvaluationSettings, Selection, TestCase, TestDataset
from sdkbench.shell.evaluation import close, open_for
from sdkbench.store import Run

if TYPE_CHECKING:
    from sdkbench.store.database import Store

AGENT = "agent"
REPLAY = "replay"
ANSWERED_BY_SET = frozenset({"reference", REPLAY})  # these answer by what a dataset holds


class ShellSet(NamedTuple):
    """The chosen cases of a dataset."""

    dataset: TestDataset
    cases: tuple[TestCase, ...]


class Suites(NamedTuple):
    """What the models are measured by."""

    samples: tuple[Sample, ...]
    sets: tuple[ShellSet, ...]


class OpenedModel(NamedTuple):
    """`backends` go with the shell sets of the run, in their order."""

    spec: str
    name: str
    generator: Generator | None
    backends: tuple[Backend, ...]


def run_models(
    settings: RunSettings, suites: Suites, judging: JudgeSetup, store: "Store", emit: Emit
) -> Run:
    """Every model over every sample and shell case. The run, finished.

    Raises Cancelled on SIGINT or SIGTERM, InputError for models that don't exist, StoreFault where
    the store can't be written: what had ended by then is stored.
    """

    async def work() -> Run:
        async with _opened(settings, suites) as models:
            # Beside the loop, which must hear a signal: whole folders are read.
            plan = await asyncio.to_thread(plan_models, models, suites, settings, judging)
            return await run_plan(plan, store, judging.open, emit)

    return conduct(work(), judging.cancellation)


def find_dataset(name: str) -> Path:
    """`core` is the bundled one unless a file of that name is there."""
    path = Path(name)
    bundled = bundled_shell() / f"{name}.toml"
    if not path.exists() and path.name == name and bundled.is_file():
        return bundled
    return path


def load_shell_set(path: Path, limit: int | None) -> ShellSet:
    dataset = TestDataset.from_toml(path)
    return ShellSet(dataset, Selection(limit=limit).of(dataset))


def load_suites(settings: RunSettings) -> Suites:
    if not settings.sdk and not settings.dataset:
        raise InputError(
            "Name what to measure by: --sdk NAME (or all), --dataset FILE (or core), or both."
        )
    samples: dict[Path, Sample] = {}
    samples_dir = settings.samples_dir or default_samples_dir()
    check_private_tests(settings.private_tests, samples_dir)
    for name in settings.sdk:
        taken: Counter[str] = Counter()
        for sample in load_sdk(samples_dir, name):
            taken[sample.sdk] += 1
            if settings.limit is None or taken[sample.sdk] <= settings.limit:
                samples[sample.root] = with_private_tests(sample, settings.private_tests)
    paths = dict.fromkeys(find_dataset(name) for name in settings.dataset)
    sets = tuple(load_shell_set(path, settings.limit) for path in paths)
    names = Counter(each.dataset.title for each in sets)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise InputError(f"Two of the datasets are called {twice[0]!r}. Give one another name.")
    return Suites(tuple(samples.values()), sets)


def generation_settings(settings: RunSettings) -> Settings:
    return Settings(
        docs=None if settings.docs is None else read_docs(settings.docs),
        template=settings.template,
        max_tokens=settings.max_tokens,
        retry=RetryPolicy(total_seconds=settings.request_seconds),
        agent=settings.agent,
        sandbox=settings.sandbox,
    )


def plan_models(
    models: Sequence[OpenedModel], suites: Suites, settings: RunSettings, judging: JudgeSetup
) -> Plan:
    names = [model.name for model in models]
    measured_by = [*settings.sdk, *(Path(each).stem for each in settings.dataset)]
    # For a reader of the store. A spec or a URL may hold a password, the names don't.
    kept = settings.model_dump(mode="json", exclude={"store", "address"}) | {"model": names}
    return Plan(
        models=tuple(_plan_model(model, suites, settings, judging) for model in models),
        settings=kept,
        label=settings.label or f"{', '.join(names)} on {', '.join(measured_by)}",
        resume=ResumeRequest(settings.run_id, resume=settings.resume, reuse=settings.resume),
        judge_solutions=not settings.skip_evaluation,
        measure=code_measure(settings) if settings.metrics else None,
    )


def _plan_model(
    model: OpenedModel, suites: Suites, settings: RunSettings, judging: JudgeSetup
) -> ModelPlan:
    asking = EvaluationSettings(concurrency=settings.max_requests)
    retry = RetryPolicy(total_seconds=settings.request_seconds)
    shell = [
        ShellPart(
            each.dataset,
            tuple(
                shell_tasks(model.name, backend, each.dataset, each.cases, settings.trials, asking)
            ),
            None if settings.skip_generation else backend,
            asking,
            retry,
        )
        for backend, each in zip(model.backends, suites.sets, strict=True)
    ]
    sdk: tuple[SdkTask, ...] = ()
    if model.generator is not None:
        options, level = judging.options, judging.level
        sdk = tuple(sdk_tasks(model.generator, suites.samples, settings.trials, options, level))
    on_nodes = settings.engine is EngineKind.RAY and settings.run_fcorr
    is_agent = model.spec.strip().startswith(f"{AGENT}:")
    return ModelPlan(
        shell_parts=tuple(shell),
        sdk_tasks=sdk,
        source=SolutionSource(model.generator, ask=not settings.skip_generation),
        at_once=settings.max_requests,
        agent=NodeAgent(model.spec, generation_settings(settings))
        if on_nodes and is_agent
        else None,
    )


@contextlib.asynccontextmanager
async def _opened(settings: RunSettings, suites: Suites) -> AsyncIterator[list[OpenedModel]]:
    """All models, or an InputError or MissingTool about the first that can't be opened."""
    if len(set(settings.model)) < len(settings.model):
        raise InputError("Each --model must be another one. For more tries there is --trials.")
    generation = generation_settings(settings)
    models: list[OpenedModel] = []
    async with contextlib.AsyncExitStack() as closing:
        for spec in settings.model:
            samples = suites.samples
            generator = open_generator(spec, generation, samples=samples) if samples else None
            if generator is not None:
                closing.push_async_callback(generator.close)
            backends = _backends(spec, generator, suites.sets, closing)
            name = generator.name if generator else backends[0].name
            if name in {model.name for model in models}:
                raise InputError(f"Two of the models have the same name: {name}.")
            models.append(OpenedModel(spec, name, generator, backends))
        yield models


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
        if shared is None or named.partition(":")[0] in ANSWERED_BY_SET:
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
