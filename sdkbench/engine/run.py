"""run_models: every model over every sample and shell case, from the plan to the store."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from sdkbench.backends.retry import RetryPolicy
from sdkbench.datasets import Sample
from sdkbench.engine.entrants import AGENT, Entrant, ShellSet, opened
from sdkbench.engine.judging import Judge
from sdkbench.engine.making import Generating
from sdkbench.engine.pipeline import Lane, run_lanes
from sdkbench.engine.resuming import Standing, Wish, stand
from sdkbench.engine.run_events import RunEvent, RunPlanned
from sdkbench.engine.sdk_lane import Ready, SdkLane
from sdkbench.engine.session import conduct, under_way
from sdkbench.engine.settings import RunSettings
from sdkbench.engine.shell_lane import ShellLane
from sdkbench.engine.tasks import SdkTask, ShellTask, sdk_tasks, shell_tasks
from sdkbench.engine.workshop import Workshop
from sdkbench.generation import Generator
from sdkbench.judge.subject import Options
from sdkbench.sandbox import Cancellation, Level
from sdkbench.shell import EvaluationSettings
from sdkbench.store import Run, Stored, Suite

if TYPE_CHECKING:
    from sdkbench.store.database import Store

Emit = Callable[[RunEvent], None]


class Suites(NamedTuple):
    """What the models are measured by."""

    samples: tuple[Sample, ...]
    sets: tuple[ShellSet, ...]


class Bench(NamedTuple):
    """Where it is measured: the judges, and what is part of every attempt's key."""

    options: Options
    level: Level
    open_judge: Callable[[], Judge]
    cancellation: Cancellation
    # Where agents work, if not in this process: beside the judges.
    agents_beside: Callable[[str, Judge], Generator] | None = None


class Lot(NamedTuple):
    """One model's part of the plan; the shell tasks by dataset, in the order of its backends."""

    entrant: Entrant
    sdk: tuple[SdkTask, ...]
    shell: tuple[tuple[ShellTask, ...], ...]

    def planned(self) -> Iterator[str]:
        for task in self.sdk:
            yield task.origin.key
        for tasks in self.shell:
            for case in tasks:
                yield case.origin.key


def run_models(
    settings: RunSettings, suites: Suites, bench: Bench, store: "Store", emit: Emit
) -> Run:
    """The run, finished. Raises Cancelled on SIGINT or SIGTERM, InputError for models that can't
    be meant, StoreFault where the store can't be written: what had ended by then is stored.
    """
    asking = EvaluationSettings(concurrency=settings.max_requests)
    order = _Order(settings, suites, bench, asking)
    return conduct(_run(order, store, emit), bench.cancellation)


class _Order(NamedTuple):
    settings: RunSettings
    suites: Suites
    bench: Bench
    asking: EvaluationSettings


async def _run(order: _Order, store: "Store", emit: Emit) -> Run:
    settings = order.settings
    async with opened(settings, order.suites.samples, order.suites.sets) as entrants:
        # Beside the loop, which must hear a signal: whole folders are read, and a store waited for.
        lots = await asyncio.to_thread(lambda: [_lot(entrant, order) for entrant in entrants])
        keys = frozenset(key for lot in lots for key in lot.planned())
        wish = Wish(settings.run_id, resume=settings.resume, take_over=settings.resume)
        told, label = _told(settings, entrants), _label(settings, entrants)
        standing = await asyncio.to_thread(stand, store, wish, keys, told, label)
        emit(_planned(standing, lots))
        with under_way(store, standing.run.id, emit, fresh=standing.fresh) as workshop:
            await _work(lots, order, standing.done, workshop)
    return store.find_run(standing.run.id)


def _lot(entrant: Entrant, order: _Order) -> Lot:
    trials, bench = order.settings.trials, order.bench
    sdk: tuple[SdkTask, ...] = ()
    if entrant.generator is not None:
        samples = order.suites.samples
        tasks = sdk_tasks(entrant.generator, samples, trials, bench.options, bench.level)
        sdk = tuple(tasks)
    shell = tuple(
        tuple(shell_tasks(entrant.name, backend, each.dataset, each.cases, trials, order.asking))
        for backend, each in zip(entrant.backends, order.suites.sets, strict=True)
    )
    return Lot(entrant, sdk, shell)


async def _work(
    lots: Sequence[Lot], order: _Order, done: frozenset[str], workshop: Workshop
) -> None:
    judge = order.bench.open_judge()
    try:
        # As many wait as are judged: judges never wait for a model that is quick enough.
        ready: asyncio.Queue[Ready] = asyncio.Queue(maxsize=judge.at_once)
        models = [
            [
                *_shell_lanes(lot, order, done, workshop),
                *_sdk_lanes(_placed(lot, order.bench, judge), order, done, ready),
            ]
            for lot in lots
        ]
        await run_lanes(models, judge, ready, workshop)
    finally:
        await judge.close()


def _placed(lot: Lot, bench: Bench, judge: Judge) -> Lot:
    """An agent that works where the judges are; the plan has been made by its like here."""
    entrant = lot.entrant
    if bench.agents_beside is None or not entrant.spec.strip().startswith(f"{AGENT}:"):
        return lot
    generator = bench.agents_beside(entrant.spec, judge)
    return lot._replace(entrant=entrant._replace(generator=generator))


def _shell_lanes(
    lot: Lot, order: _Order, done: frozenset[str], workshop: Workshop
) -> Iterator[Lane]:
    """Before the samples: their figures are there while the others are still at work."""
    settings = order.settings
    patience = RetryPolicy(total_seconds=settings.request_seconds)

    def recall(task: ShellTask) -> Stored | None:
        return workshop.recall(task.origin.generation_key)

    sets = zip(order.suites.sets, lot.entrant.backends, lot.shell, strict=True)
    for each, backend, tasks in sets:
        left = [task for task in tasks if task.origin.key not in done]
        asked = None if settings.skip_generation else backend
        yield ShellLane(each.dataset, left, asked, order.asking, patience=patience, recall=recall)


def _sdk_lanes(
    lot: Lot, order: _Order, done: frozenset[str], ready: "asyncio.Queue[Ready]"
) -> Iterator[Lane]:
    settings = order.settings
    if lot.entrant.generator is not None:
        maker = Generating(lot.entrant.generator, ask=not settings.skip_generation)
        left = (task for task in lot.sdk if task.origin.key not in done)
        judged = None if settings.skip_evaluation else ready
        yield SdkLane(left, maker, settings.max_requests, judged)


def _planned(standing: Standing, lots: Sequence[Lot]) -> RunPlanned:
    samples = (task.origin for lot in lots for task in lot.sdk)
    cases = (task.origin for lot in lots for tasks in lot.shell for task in tasks)
    left = {
        Suite.SDK: sum(origin.key not in standing.done for origin in samples),
        Suite.SHELL: sum(origin.key not in standing.done for origin in cases),
    }
    models = tuple(lot.entrant.name for lot in lots)
    return RunPlanned(standing.run.id, models, left, len(standing.done), standing.taken_over)


def _label(settings: RunSettings, entrants: Sequence[Entrant]) -> str:
    if settings.label:
        return settings.label
    what = [*settings.sdk, *(Path(each).stem for each in settings.dataset)]
    return f"{', '.join(entrant.name for entrant in entrants)} on {', '.join(what)}"


def _told(settings: RunSettings, entrants: Sequence[Entrant]) -> dict[str, JsonValue]:
    """For a reader of the store. A spec or a URL may hold a password, the names don't."""
    told = settings.model_dump(mode="json", exclude={"store", "address"})
    return told | {"model": [entrant.name for entrant in entrants]}
