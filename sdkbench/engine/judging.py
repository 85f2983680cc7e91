"""Judge: where solutions of samples are judged; on this machine's cores, or elsewhere."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from sdkbench.core import Fault, Outcome, Solution
from sdkbench.datasets import Sample
from sdkbench.errors import InputError
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.test_harness import FCorrResult, Harness


class Judge(Protocol):
    """`judge` raises Cancelled, and nothing else: what goes wrong is an outcome of the attempt.

    It may be asked for `at_once` solutions at a time. `close` waits for what is under way.
    """

    at_once: int

    async def judge(self, sample: Sample, solution: Path) -> FCorrResult: ...

    async def close(self) -> None: ...


class LocalJudge:
    """Threads of this process, each waiting for the sandbox of one attempt."""

    def __init__(self, work: Callable[[Subject], FCorrResult], workers: int) -> None:
        self.at_once = workers
        self._work = work
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="judge")

    async def judge(self, sample: Sample, solution: Path) -> FCorrResult:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._work, Subject(solution, sample))

    async def close(self) -> None:
        await asyncio.to_thread(self._pool.shutdown)


def judging_here(options: Options, harness: Harness, workers: int) -> LocalJudge:
    return LocalJudge(lambda subject: judge_attempt(subject, options, harness), workers)


def reading_only(workers: int) -> LocalJudge:
    """Nothing is executed, and no number invented: outcome *not_executed*."""

    def read(subject: Subject) -> FCorrResult:
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

    return LocalJudge(read, workers)
