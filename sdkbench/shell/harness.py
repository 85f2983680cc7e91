"""run_evaluation: every case of a dataset asked, judged, and told in the dataset's order."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import NamedTuple

from sdkbench.backends import Backend, open_backend
from sdkbench.backends.retry import RetryPolicy
from sdkbench.sandbox import choose
from sdkbench.shell.asking import Asker
from sdkbench.shell.dataset import TestCase, TestDataset
from sdkbench.shell.execution import Execution, prepared
from sdkbench.shell.posix import Run
from sdkbench.shell.progress import LINGER_SECONDS, Progress
from sdkbench.shell.prompts import VERSION
from sdkbench.shell.results import (
    EvaluationResult,
    EvaluationSettings,
    TestResult,
    summarise,
)
from sdkbench.shell.safety import SafetyPolicy
from sdkbench.shell.selection import EVERYTHING, Selection

# What `reference` answers to a case that accepts no command, only declining.
DECLINED = "I can't help with that."
CLOSE_SECONDS = 5.0

OnResult = Callable[[TestResult], None]
OnAsk = Callable[[TestCase], None]


class Pace(NamedTuple):
    """How often a failed request is tried again, and how long answers may wait for each other."""

    patience: RetryPolicy = RetryPolicy(tries=1)
    linger_seconds: float = LINGER_SECONDS


async def run_evaluation(
    dataset_path: Path | str | TestDataset,
    backend: Backend | str = "reference",
    *,
    settings: EvaluationSettings | None = None,
    select: Selection = EVERYTHING,
    on_result: OnResult | None = None,
    on_ask: OnAsk | None = None,
    tools: Run | None = None,
    pace: Pace | None = None,
) -> EvaluationResult:
    """Results in dataset order; `on_result` is told of each as soon as it is final, `on_ask` of
    each case before its question is first put to the backend.

    A backend given by name is opened and closed here. Whatever a backend does becomes a result.
    Where the run is cancelled, what was answered is judged and told before CancelledError goes on.
    Raises InputError for a bad dataset or name, HarnessFault where a judge can't work.
    """
    began = time.monotonic()
    dataset = _dataset(dataset_path)
    cases = select.of(dataset)
    chosen = settled(settings or EvaluationSettings(), dataset_path)
    async with _opened(backend, cases) as opened, _execution(chosen, cases) as execution:
        pace = pace or Pace()
        progress = Progress(cases, opened.name, dataset.posix, chosen, execution, tools)
        progress.linger_seconds = pace.linger_seconds
        progress.on_result = on_result or _unheard
        # A backend that answers one prompt at a time says so: others would wait on the clock.
        at_once = min(chosen.concurrency, getattr(opened, "parallel", chosen.concurrency))
        asker = Asker(opened, chosen, pace.patience, on_ask or _unheard)
        await _run(cases, asker, progress, at_once)
        name = opened.name
    return evaluation_result(dataset, name, chosen, progress.results(), len(cases), began)


def evaluation_result(
    dataset: TestDataset,
    backend: str,
    settings: EvaluationSettings,
    results: tuple[TestResult, ...],
    planned: int,
    began: float,
) -> EvaluationResult:
    """Results of a run that began at `began` (monotonic), with their figures."""
    return EvaluationResult(
        dataset=dataset.title,
        dataset_version=dataset.version,
        backend=backend,
        settings=settings.model_copy(update={"prompt_version": VERSION}),
        results=results,
        summary=summarise(results),
        complete=len(results) == planned,
        not_run=planned - len(results),
        duration_seconds=round(time.monotonic() - began, 3),
    )


async def _run(
    cases: tuple[TestCase, ...], asker: Asker, progress: Progress, concurrency: int
) -> None:
    waiting = iter(enumerate(cases))

    async def work() -> None:
        for place, case in waiting:
            asked = progress.hopeless() or await asker.ask(case)
            await progress.take(place, asked)

    workers = [asyncio.ensure_future(work()) for _ in range(min(concurrency, len(cases)))]
    async with _flushed_in_time(progress) as timer:
        try:
            await _all_or_none(workers, timer, progress)
        finally:
            await asker.farewell()
            await progress.flush()


@contextlib.asynccontextmanager
async def _flushed_in_time(progress: Progress) -> AsyncIterator[asyncio.Task[None]]:
    timer = asyncio.ensure_future(progress.flush_in_time())
    try:
        yield timer
    finally:
        timer.cancel()
        await asyncio.gather(timer, return_exceptions=True)


async def _all_or_none(
    workers: list[asyncio.Task[None]], timer: asyncio.Task[None], progress: Progress
) -> None:
    """Wait for all; whatever ends the waiting before they are done ends them too.

    So does `timer`, which ends by a fault alone.
    """
    left = set(workers)
    try:
        while left:
            ended, _ = await asyncio.wait({*left, timer}, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
            left -= ended
    finally:
        if left:
            progress.stop_executing()
            for worker in left:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)


def _dataset(source: Path | str | TestDataset) -> TestDataset:
    return source if isinstance(source, TestDataset) else TestDataset.from_toml(source)


def settled(settings: EvaluationSettings, source: Path | str | TestDataset) -> EvaluationSettings:
    """Fixtures beside the dataset's file are its own."""
    if settings.fixtures is not None or isinstance(source, TestDataset):
        return settings
    beside = Path(source).with_name("fixtures.toml")
    return settings.model_copy(update={"fixtures": beside}) if beside.is_file() else settings


@contextlib.asynccontextmanager
async def _opened(backend: Backend | str, cases: tuple[TestCase, ...]) -> AsyncIterator[Backend]:
    if not isinstance(backend, str):
        yield backend
        return
    opened = open_for(backend, cases)
    try:
        yield opened
    finally:
        await close(opened)


async def close(backend: Backend) -> None:
    """A backend that won't close must not keep the results from their reader."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await backend.close()


def open_for(spec: str, cases: tuple[TestCase, ...]) -> Backend:
    """The backend of that name, told the prompts and what the dataset expects."""
    return open_backend(
        spec,
        prompts={case.id: case.prompt for case in cases},
        references={case.prompt: case.expected_command or DECLINED for case in cases},
    )


@contextlib.asynccontextmanager
async def _execution(
    settings: EvaluationSettings, cases: tuple[TestCase, ...]
) -> AsyncIterator[Execution | None]:
    if not settings.execute:
        yield None
        return
    context = prepared(
        choose(),
        fixtures=settings.fixtures,
        names={case.fixture for case in cases if case.fixture},
        policy=SafetyPolicy(settings.unsafe_from),
    )
    execution = await asyncio.to_thread(context.__enter__)
    try:
        yield execution
    finally:
        await asyncio.to_thread(context.__exit__, None, None, None)


def _unheard(_told: TestResult | TestCase) -> None:
    pass
