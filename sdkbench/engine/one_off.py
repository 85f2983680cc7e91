"""Plans whose results nobody keeps: folders judged, a shell dataset put to backends."""

import contextlib
import hashlib
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sdkbench.backends import Backend, BackendFailure
from sdkbench.engine.events import Event, Finished
from sdkbench.engine.judging import Judge
from sdkbench.engine.models import ShellSet
from sdkbench.engine.plan import ModelPlan, Plan, ShellPart
from sdkbench.engine.records import Origin
from sdkbench.engine.run import Emit, conduct, run_plan
from sdkbench.engine.tasks import SdkTask, ShellTask
from sdkbench.errors import Cancelled, MissingTool
from sdkbench.judge.subject import Subject
from sdkbench.sandbox import Cancellation
from sdkbench.shell import EvaluationResult, EvaluationSettings, TestResult
from sdkbench.shell.evaluation import close, evaluation_result, open_for
from sdkbench.test_harness import FCorrResult


def judge_folders(
    subjects: Sequence[Subject], judge: Judge, emit: Emit, cancellation: Cancellation
) -> list[FCorrResult]:
    """Results in the order of `subjects`. Raises Cancelled on SIGINT or SIGTERM: what had finished
    by then has been emitted.
    """
    tasks = tuple(
        SdkTask(_origin(number, label(subject)), subject.sample, subject.solution_dir)
        for number, subject in enumerate(subjects)
    )
    results: dict[str, FCorrResult] = {}

    def on_event(event: Event) -> None:
        if isinstance(event, Finished) and isinstance(event.result, FCorrResult):
            results[event.attempt.key] = event.result
        emit(event)

    plan = Plan((ModelPlan(sdk_tasks=tasks),), {})
    conduct(run_plan(plan, None, lambda: judge, on_event), cancellation)
    return [results[task.origin.key] for task in tasks]


def label(subject: Subject) -> str:
    """The sample, and which of its own folders this is."""
    if subject.sample is None:
        return subject.name
    kinds = {subject.sample.reference_dir: "reference", subject.sample.starter_dir: "starter"}
    kind = kinds.get(subject.solution_dir)
    return f"{subject.name} ({kind})" if kind else subject.name


class ShellEvaluations(NamedTuple):
    """`unreachable`: by backend, why no request got through. Those have no evaluation."""

    evaluations: tuple[EvaluationResult, ...]
    unreachable: dict[str, str]
    interrupted: bool


def evaluate_shell(
    shell_set: ShellSet, specs: Sequence[str], settings: EvaluationSettings, emit: Emit
) -> ShellEvaluations:
    """Several backends on one dataset, one after the other; an interruption keeps what had
    finished.

    Raises InputError for a bad backend name before anything is asked, HarnessFault where a judge
    can't work. A backend that can't be opened or reached is named and skipped.
    """
    unreachable: dict[str, str] = {}
    measured: dict[str, _Measured] = {}  # by spec
    interrupted = False

    def on_event(event: Event) -> None:
        if isinstance(event, Finished) and isinstance(event.result, TestResult):
            one = next(one for one in measured.values() if event.attempt.key in one.keys)
            one.results[event.result.test_id] = event.result
            one.last_at = time.monotonic()
        emit(event)

    async def work() -> None:
        async with _opened(shell_set, specs, unreachable) as backends:
            models = []
            for spec, backend in backends.items():
                tasks = _shell_tasks(spec, backend, shell_set)
                measured[spec] = _Measured(backend.name, {task.origin.key for task in tasks})
                part = ShellPart(shell_set.dataset, tasks, backend, settings)
                models.append(ModelPlan(shell_parts=(part,)))
            plan = Plan(tuple(models), {}, one_by_one=True)
            await run_plan(plan, None, None, on_event)

    began = time.monotonic()
    try:
        conduct(work(), Cancellation())
    except Cancelled:
        interrupted = True
    evaluations = []
    for spec, one in measured.items():
        ended = one.last_at or time.monotonic()
        evaluation = evaluation_result(
            shell_set.dataset, one.name, settings, shell_set.cases, one.results, ended - began
        )
        began = ended
        if evaluation.unreachable is None:
            evaluations.append(evaluation)
        else:
            unreachable[spec] = evaluation.unreachable
        if interrupted and not evaluation.complete:
            break  # those after the one under way have not begun
    return ShellEvaluations(tuple(evaluations), unreachable, interrupted)


@dataclass(slots=True)
class _Measured:
    """One backend's results by case, as they come."""

    name: str
    keys: set[str]
    results: dict[str, TestResult] = field(default_factory=dict)
    last_at: float | None = None  # monotonic


def _shell_tasks(spec: str, backend: Backend, shell_set: ShellSet) -> tuple[ShellTask, ...]:
    dataset, cases = shell_set
    return tuple(
        ShellTask(_origin(f"{spec} {case.id}", case.id, dataset.title, backend.name), case)
        for case in cases
    )


@contextlib.asynccontextmanager
async def _opened(
    shell_set: ShellSet, specs: Sequence[str], unreachable: dict[str, str]
) -> AsyncIterator[dict[str, Backend]]:
    async with contextlib.AsyncExitStack() as closing:
        opened = {}
        for spec in specs:
            try:
                opened[spec] = open_for(spec, shell_set.cases)
            except (BackendFailure, MissingTool) as error:
                unreachable[spec] = str(error)
            else:
                closing.push_async_callback(close, opened[spec])
        yield opened


def _origin(number: int | str, sample: str, group: str = "", model: str = "") -> Origin:
    """The key need only be another one for each: nobody looks for it later."""
    key = hashlib.sha256(str(number).encode()).hexdigest()
    return Origin(key, group, sample or ".", "", model)
