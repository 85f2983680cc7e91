"""run_local: attempts on this machine's cores."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from sdkbench.engine.events import Event, Finished, Planned, Started
from sdkbench.errors import Cancelled
from sdkbench.judge.subject import Subject
from sdkbench.sandbox import Cancellation
from sdkbench.test_harness import FCorrResult


def run_local(
    subjects: Sequence[Subject],
    work: Callable[[Subject], FCorrResult],
    *,
    workers: int,
    emit: Callable[[Event], None],
    cancellation: Cancellation,
) -> list[FCorrResult]:
    """Judge all `subjects`, results in their order.

    On SIGINT or SIGTERM every process of the run is killed and Cancelled is raised; what had
    finished by then has been emitted.
    """
    emit(Planned(len(subjects)))
    return asyncio.run(_run(subjects, work, workers, emit, cancellation))


async def _run(
    subjects: Sequence[Subject],
    work: Callable[[Subject], FCorrResult],
    workers: int,
    emit: Callable[[Event], None],
    cancellation: Cancellation,
) -> list[FCorrResult]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, cancellation.cancel)
    slots = asyncio.Semaphore(workers)
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="judge") as pool:

        async def one(index: int, subject: Subject) -> FCorrResult:
            async with slots:
                cancellation.raise_if_requested()
                emit(Started(index, subject))
                result = await loop.run_in_executor(pool, work, subject)
                emit(Finished(index, subject, result))
                return result

        tasks = [asyncio.ensure_future(one(i, s)) for i, s in enumerate(subjects)]
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    if cancellation.requested:
        raise Cancelled("Stopped on request.")
    return [outcome for outcome in outcomes if isinstance(outcome, FCorrResult)]
