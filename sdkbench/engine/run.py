"""run_plan: the one engine. Solutions come and are judged side by side, each stored at once."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar

from sdkbench.backends import Answer, BackendFailure, FailureKind
from sdkbench.engine.events import Event, Finished
from sdkbench.engine.jobs import MOST_WAITING, JobQueue, JudgeJob
from sdkbench.engine.judging import Judge, LocalJudge
from sdkbench.engine.measuring import Measure
from sdkbench.engine.plan import ModelPlan, Plan, ShellPart
from sdkbench.engine.ray.opening import open_ray_generator
from sdkbench.engine.recorder import Recorder, Regraded, RunContext
from sdkbench.engine.records import record_failure, record_shell, record_unjudged, record_verdict
from sdkbench.engine.resuming import ResumeState, resume_or_start, scratch_folder
from sdkbench.engine.solutions import SolutionSource
from sdkbench.engine.tasks import ShellTask
from sdkbench.errors import Cancelled, HarnessFault, InputError, StoreFault
from sdkbench.generation.solution import ANSWER
from sdkbench.judge.subject import Subject
from sdkbench.sandbox import Cancellation
from sdkbench.shell import TestCase, TestResult, run_evaluation
from sdkbench.store import Run, RunState, Suite
from sdkbench.test_harness import FCorrResult

if TYPE_CHECKING:
    from sdkbench.store.database import Store

STORING_AT_ONCE = 32  # verdicts of one judge on their way to the disk
# POSIX is judged for the answers of this long at once: what a kill may lose.
LINGER_SECONDS = 1.0

Emit = Callable[[Event], None]
T = TypeVar("T")


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
    plan: Plan, store: "Store | None", open_judge: Callable[[], Judge] | None, emit: Emit
) -> Run:
    """The run, finished. Without `store` nothing is kept: results are in the events. Without
    `open_judge` there must be no solutions to judge.

    Raises StoreFault where the store can't be written, and what `open_judge` raises: whatever had
    ended by then is stored.
    """
    # Beside the loop, which must hear a signal: a store may have to be waited for.
    state = await asyncio.to_thread(
        resume_or_start, store, plan.resume, plan.keys(), plan.settings, plan.label
    )
    emit(plan.planned(state, "" if store is None else state.run.id))
    with under_way(store, state, emit, plan.regraded) as context:
        judge = open_judge() if open_judge is not None else None
        try:
            await _work(plan.without(state.done), judge, context)
        finally:
            if judge is not None:
                await judge.close()
    return state.run if store is None else store.find_run(state.run.id)


@contextlib.contextmanager
def under_way(
    store: "Store | None", run: ResumeState, emit: Emit, regraded: Regraded | None = None
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
            if store is not None:
                store.end_run(run_id, ended_as)


async def _work(plan: Plan, judge: Judge | None, context: RunContext) -> None:
    """Raises what a worker or the store raised; everything that had ended by then is stored."""
    # At least as many wait as are judged: judges never wait for a model that is quick enough, and
    # nobody runs far ahead of the judges.
    judges_at_once = judge.at_once if judge else 1
    jobs = JobQueue(max(judges_at_once, MOST_WAITING))
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
                judges.create_task(_judge_jobs(jobs, judge, context, plan.measure))
                for _ in range(judges_at_once)
                if judge is not None
            ]
            if isinstance(judge, LocalJudge) and judge.can_prepare and plan.judge_solutions:
                preparing = jobs.prepare(plan.samples(), judge.prepare)
                waiting.append(judges.create_task(preparing))
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


async def run_solutions(model: ModelPlan, context: RunContext, jobs: JobQueue | None) -> None:
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


async def _judge_jobs(
    jobs: JobQueue, judge: Judge, context: RunContext, measure: Measure | None
) -> None:
    """A judge goes on while its last verdicts are being stored: many share one transaction."""
    storing_slots = asyncio.Semaphore(STORING_AT_ONCE)

    async def store(job: JudgeJob, result: FCorrResult) -> None:
        try:
            sample = job.task.sample
            difficulty = sample.ground_truth.metadata.difficulty if sample else ""
            measured = None
            if measure is not None and sample is not None:
                measured = await asyncio.to_thread(measure, job.solution.folder, sample)
            record = record_verdict(result, job.solution, job.task.origin, difficulty, measured)
            await context.recorder.finish(record, result)
            await asyncio.to_thread(job.solution.remove)
        finally:
            storing_slots.release()
            await jobs.finish()

    async with asyncio.TaskGroup() as storing:
        while True:
            async with jobs.next() as job:
                context.started(job.task.origin, "judging")
                result = await judge.judge(Subject(job.solution.folder, job.task.sample))
            await storing_slots.acquire()
            storing.create_task(store(job, result))


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one that brought the others about, or the only one that matters to a reader."""
    first = failures.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


class Nobody:
    """Stands for a model that is not to be asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def generate(self, prompt: str, **_options: object) -> Answer:  # noqa: ARG002
        raise BackendFailure(
            "No answer was stored, and asking was switched off.", FailureKind.REQUEST
        )

    async def close(self) -> None:
        pass


async def run_shell_part(part: ShellPart, context: RunContext) -> None:
    """Trial by trial. What the store holds is not asked again."""
    for _, tasks in groupby(part.tasks, key=lambda task: task.origin.trial):
        await _run_trial(part, tuple(tasks), context)


async def _run_trial(part: ShellPart, tasks: Sequence[ShellTask], context: RunContext) -> None:
    by_case = {task.case.id: task for task in tasks}
    known = await asyncio.to_thread(_known, tasks, context)
    storing: set[asyncio.Task[bool]] = set()

    def on_result(result: TestResult) -> None:
        for done in [task for task in storing if task.done()]:
            storing.discard(done)
            done.result()  # a store that can't be written ends the part here, not at its end
        record = record_shell(result, by_case[result.test_id].origin)
        storing.add(asyncio.ensure_future(context.recorder.finish(record, result)))

    def on_ask(case: TestCase) -> None:
        context.started(by_case[case.id].origin, "asking")

    cases = tuple(task.case for task in tasks)
    try:
        await run_evaluation(
            part.dataset.model_copy(update={"test_cases": cases}),
            part.backend or Nobody(tasks[0].origin.model),
            settings=part.settings,
            known=known,
            on_result=on_result,
            on_ask=on_ask,
            retry=part.retry,
            linger_seconds=LINGER_SECONDS,
        )
    finally:
        await asyncio.gather(*storing)


def _known(tasks: Sequence[ShellTask], context: RunContext) -> dict[str, Answer]:
    """What the store holds, by case."""
    known = {}
    for task in tasks:
        stored = context.recall(task.origin)
        if stored is None:
            continue
        answer = next(each for each in stored.artefacts if each.kind == ANSWER)
        known[task.case.id] = Answer(
            text=answer.data.decode("utf-8", "replace"),
            input_tokens=stored.attempt.input_tokens,
            output_tokens=stored.attempt.output_tokens,
            cost=stored.attempt.cost_usd,
            truncated=stored.attempt.result.get("truncated") is True,
        )
    return known
