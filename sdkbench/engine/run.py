"""run_plan: the one engine. Solutions come and are judged side by side, each stored at once."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, NamedTuple, TypeVar

from sdkbench.backends import BackendFailure
from sdkbench.engine.context import Regraded, RunContext
from sdkbench.engine.events import Event, Finished
from sdkbench.engine.judging import Judge
from sdkbench.engine.memory_store import MemoryStore, RunStore
from sdkbench.engine.plan import ModelPlan, Plan
from sdkbench.engine.ray.opening import open_ray_generator
from sdkbench.engine.recorder import Recorder
from sdkbench.engine.records import record_failure, record_unjudged, record_verdict
from sdkbench.engine.resuming import ResumeState, resume_or_start
from sdkbench.engine.shell_worker import run_shell_part
from sdkbench.engine.solutions import SolutionSource
from sdkbench.engine.tasks import SdkTask
from sdkbench.engine.worker import scratch_folder
from sdkbench.errors import Cancelled, HarnessFault, InputError, StoreFault
from sdkbench.generation import GeneratedSolution
from sdkbench.judge.subject import Subject
from sdkbench.sandbox import Cancellation
from sdkbench.store import Run, RunState, Suite
from sdkbench.test_harness import FCorrResult

STORING_AT_ONCE = 32  # verdicts of one judge on their way to the disk

Emit = Callable[[Event], None]
T = TypeVar("T")


class JudgeJob(NamedTuple):
    """A solution that waits for its judge."""

    task: SdkTask
    solution: GeneratedSolution


def conduct(work: Coroutine[Any, Any, T], cancellation: Cancellation) -> T:
    """`work` on a loop of its own. SIGINT and SIGTERM end it alike: sandboxes are killed, what had
    ended is stored and emitted, and Cancelled is raised.
    """
    return asyncio.run(_stoppable(work, cancellation))


async def _stoppable(work: Coroutine[Any, Any, T], cancellation: Cancellation) -> T:
    task = asyncio.ensure_future(work)

    def stop() -> None:
        cancellation.cancel()
        task.cancel()

    loop = asyncio.get_running_loop()
    # Both are asked for by name: started in the background, a shell has SIGINT ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        return await task
    except asyncio.CancelledError:
        raise Cancelled("Stopped on request.") from None


async def run_plan(
    plan: Plan, store: RunStore, open_judge: Callable[[], Judge] | None, emit: Emit
) -> Run:
    """The run, finished. Without `open_judge` there must be no solutions to judge.

    Raises StoreFault where the store can't be written, and what `open_judge` raises: whatever had
    ended by then is stored.
    """
    # Beside the loop, which must hear a signal: a store may have to be waited for.
    state = await asyncio.to_thread(
        resume_or_start, store, plan.resume, plan.keys(), plan.settings, plan.label
    )
    emit(plan.planned(state, "" if isinstance(store, MemoryStore) else state.run.id))
    with under_way(store, state, emit, plan.regraded) as context:
        judge = open_judge() if open_judge is not None else None
        try:
            await _work(plan.without(state.done), judge, context)
        finally:
            if judge is not None:
                await judge.close()
    return store.find_run(state.run.id)


@contextlib.contextmanager
def under_way(
    store: RunStore, run: ResumeState, emit: Emit, regraded: Regraded | None = None
) -> Iterator[RunContext]:
    """The run is finished where the block ends, and stopped where something is raised in it."""
    run_id = run.run.id
    ended_as = RunState.STOPPED
    try:
        with scratch_folder() as scratch:
            recorder, own_run = Recorder(store, run_id, emit), run_id if run.fresh else None
            yield RunContext(store, recorder, emit, scratch, own_run, regraded)
        ended_as = RunState.FINISHED
    finally:
        # Where the store is what failed, that is what is reported.
        with contextlib.suppress(*(() if ended_as is RunState.FINISHED else (StoreFault,))):
            store.end_run(run_id, ended_as)


async def _work(plan: Plan, judge: Judge | None, context: RunContext) -> None:
    """Raises what a worker or the store raised; everything that had ended by then is stored."""
    # As many wait as are judged: judges never wait for a model that is quick enough, and nobody
    # runs far ahead of the judges.
    judges_at_once = judge.at_once if judge else 1
    jobs: asyncio.Queue[JudgeJob] = asyncio.Queue(maxsize=judges_at_once)
    turns = asyncio.Semaphore(1 if plan.one_by_one else max(len(plan.models), 1))

    async def run_model(model: ModelPlan) -> None:
        async with turns:
            for part in model.shell_parts:
                await run_shell_part(part, context)
            await run_solutions(
                _placed(model, judge), context, jobs if plan.judge_solutions else None
            )

    try:
        async with asyncio.TaskGroup() as judges:
            waiting = [
                judges.create_task(_judge_jobs(jobs, judge, context))
                for _ in range(judges_at_once)
                if judge is not None
            ]
            async with asyncio.TaskGroup() as models:
                for model in plan.models:
                    models.create_task(run_model(model))
            await jobs.join()
            for task in waiting:
                task.cancel()
    except BaseExceptionGroup as failures:
        raise _first(failures) from failures
    finally:
        await context.recorder.flush()


def _placed(model: ModelPlan, judge: Judge | None) -> ModelPlan:
    """With an agent on the nodes where that is planned."""
    if model.agent is None or judge is None:
        return model
    generator = open_ray_generator(model.agent.spec, model.agent.settings, judge)
    return model._replace(source=SolutionSource(generator, ask=model.source.ask))


async def run_solutions(
    model: ModelPlan, context: RunContext, jobs: "asyncio.Queue[JudgeJob] | None"
) -> None:
    """Every solution of `model` into `jobs`; without them it is stored and not judged."""
    tasks = iter(model.sdk_tasks)

    async def work() -> None:
        for task in tasks:
            try:
                solution = await model.source.obtain(task, context)
            except StoreFault:
                raise
            except (BackendFailure, InputError, HarnessFault) as failure:
                record = record_failure(failure, task.origin, Suite.SDK)
                await context.recorder.finish(record)
                continue
            if jobs is not None:
                await jobs.put(JudgeJob(task, solution))
                continue
            record = record_unjudged(solution, task.origin)
            if solution.is_stored:
                context.emit(Finished(record.attempt, is_new=True))
            else:
                await context.recorder.finish(record)
            await asyncio.to_thread(solution.remove)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(model.at_once, model.source.at_once or model.at_once)):
            group.create_task(work())


async def _judge_jobs(jobs: "asyncio.Queue[JudgeJob]", judge: Judge, context: RunContext) -> None:
    """A judge goes on while its last verdicts are being stored: many share one transaction."""
    storing_slots = asyncio.Semaphore(STORING_AT_ONCE)

    async def store(job: JudgeJob, result: FCorrResult) -> None:
        try:
            record = record_verdict(result, job.solution, job.task.origin)
            await context.recorder.finish(record, result)
            await asyncio.to_thread(job.solution.remove)
        finally:
            storing_slots.release()
            jobs.task_done()

    async with asyncio.TaskGroup() as storing:
        while True:
            job = await jobs.get()
            context.started(job.task.origin, "judging")
            result = await judge.judge(Subject(job.solution.folder, job.task.sample))
            await storing_slots.acquire()
            storing.create_task(store(job, result))


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one that brought the others about, or the only one that matters to a reader."""
    first = failures.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
