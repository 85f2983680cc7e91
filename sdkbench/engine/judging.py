"""Judge: where solutions are judged, on this machine's cores or elsewhere; and how it is opened."""

import asyncio
import contextlib
import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, Protocol

from sdkbench.core import Fault, Outcome, Solution
from sdkbench.datasets import Sample
from sdkbench.engine.jobs import PREPARED_AT_ONCE
from sdkbench.engine.ray.opening import open_ray_judge
from sdkbench.engine.settings import EngineKind, RunSettings
from sdkbench.environments import Cache, CacheEvent
from sdkbench.errors import InputError
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.reference import prepare_sample
from sdkbench.judge.subject import Options, Subject
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.sandbox import Cancellation, Level, choose
from sdkbench.test_harness import FCorrResult, Harness
from sdkbench.test_harness.warm_start import WarmStarts

# A compiler or a heavy SDK takes so much.
BYTES_PER_WORKER = 512 << 20


class Judge(Protocol):
    """`judge` raises Cancelled, and nothing else: what goes wrong is an outcome of the attempt.

    It may be asked for `at_once` solutions at a time. `close` waits for what is under way.
    """

    at_once: int

    async def judge(self, subject: Subject) -> FCorrResult: ...

    async def close(self) -> None: ...


def default_workers() -> int:
    """One for each core that this process may use, if there is memory for so many."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(cores or 1, _available_bytes() // BYTES_PER_WORKER))


def _available_bytes() -> int:
    """Linux tells what it could give up; elsewhere it is all there is."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        return int(text.split("MemAvailable:")[1].split()[0]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


class LocalJudge:
    """Threads of this process, each waiting for the sandbox of one attempt."""

    def __init__(
        self,
        work: Callable[[Subject], FCorrResult],
        workers: int | None = None,
        on_close: Callable[[], None] | None = None,
        prepare: Callable[[Sample], bool] | None = None,
    ) -> None:
        """`on_close` is called after the last worker has ended. `prepare` makes what solutions of
        a sample need, and tells whether its reference was known before.
        """
        self.at_once = workers or default_workers()
        self._work = work
        self._on_close = on_close
        self._prepare = prepare
        # Beside the workers: installing mostly waits for the network.
        self._preparing = ThreadPoolExecutor(PREPARED_AT_ONCE, thread_name_prefix="prepare")
        self._pool = ThreadPoolExecutor(max_workers=self.at_once, thread_name_prefix="judge")

    async def judge(self, subject: Subject) -> FCorrResult:
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._work, subject)

    @property
    def can_prepare(self) -> bool:
        return self._prepare is not None

    async def prepare(self, sample: Sample) -> bool:
        if self._prepare is None:
            return True
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._preparing, self._prepare, sample)

    async def close(self) -> None:
        for pool in (self._preparing, self._pool):
            await asyncio.to_thread(pool.shutdown)
        if self._on_close is not None:
            await asyncio.to_thread(self._on_close)


class JudgeSetup(NamedTuple):
    """How solutions are judged: `options` and `level` are part of every attempt's key."""

    options: Options
    level: Level
    open: Callable[[], Judge]
    cancellation: Cancellation
    warm: WarmStarts | None = None  # of this process; None also where nodes of a cluster judge


def judge_setup(
    settings: RunSettings, watch: Callable[[CacheEvent], None] | None = None
) -> JudgeSetup:
    """What `settings` ask for: threads here, nodes of a Ray cluster, or reading alone.

    `watch` is told of environments that are made here, from any thread.
    """
    cancellation = Cancellation()
    sandbox = choose(settings.sandbox, cancellation)
    options = Options(mode=settings.mode, integrity=settings.integrity, timeout=settings.timeout)
    here = settings.run_fcorr and settings.engine is EngineKind.LOCAL
    warm = WarmStarts() if here and settings.warm else None

    def open_judge() -> Judge:
        if not settings.run_fcorr:
            return LocalJudge(read_only, settings.workers)
        if settings.engine is EngineKind.RAY:
            # The level is part of every attempt's key, so all nodes must have the driver's.
            return open_ray_judge(
                options,
                address=settings.address,
                sandbox=sandbox.level,
                install=not settings.no_install,
                warm=settings.warm,
                workers=settings.workers,
            )
        cache = Cache(cancellation=cancellation, watch=watch)
        harness = Harness(sandbox, cache, install=not settings.no_install, warm=warm)
        work = functools.partial(judge_attempt, options=options, harness=harness)
        prepare = functools.partial(prepare_sample, harness=harness, options=options)
        return LocalJudge(work, settings.workers, harness.close, prepare)

    return JudgeSetup(options, sandbox.level, open_judge, cancellation, warm)


def judging_here(options: Options, harness: Harness, workers: int | None = None) -> LocalJudge:
    """The caller closes `harness`."""
    return LocalJudge(lambda subject: judge_attempt(subject, options, harness), workers)


def read_only(subject: Subject) -> FCorrResult:
    """Nothing is executed, and no number invented: outcome *not_executed*."""
    truth = subject.sample.ground_truth if subject.sample else None
    try:
        solution = Solution(subject.solution_dir)
        return FCorrEvaluator(solution, truth).evaluate_without_execution()
    except InputError as error:  # nothing in it, say
        return FCorrResult(
            score=0.0,
            outcome=Outcome.NOT_EXECUTED,
            sample_id=subject.name,
            error=str(error),
            fault=Fault.INPUT,
        )
