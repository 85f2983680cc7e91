"""Plans whose results nobody keeps: folders judged, a shell dataset put to backends."""

import contextlib
import hashlib
import time
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from sdkbench.backends import Backend, BackendFailure
from sdkbench.engine.events import Event, Finished
from sdkbench.engine.judging import Judge
from sdkbench.engine.memory_store import MemoryStore
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
    conduct(run_plan(plan, MemoryStore(), lambda: judge, on_event), cancellation)
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
    collected = _Collected(shell_set, settings, emit)

    async def work() -> None:
        async with _opened(shell_set, specs, collected.unreachable) as backends:
            models = [
                collected.plan(number, spec, backend)
                for number, (spec, backend) in enumerate(backends.items())
            ]
            plan = Plan(tuple(models), {}, one_by_one=True)
            await run_plan(plan, MemoryStore(), None, collected.on_event)

    try:
        conduct(work(), Cancellation())
    except Cancelled:
        return collected.evaluations(interrupted=True)
    return collected.evaluations(interrupted=False)


class _Collected:
    """Results by backend, as they are emitted."""

    def __init__(self, shell_set: ShellSet, settings: EvaluationSettings, emit: Emit) -> None:
        self.unreachable: dict[str, str] = {}
        self._set = shell_set
        self._settings = settings
        self._emit = emit
        self._spec_of: dict[str, str] = {}  # by key
        self._results: dict[str, dict[str, TestResult]] = {}
        self._names: dict[str, str] = {}
        self._last_at: dict[str, float] = {}
        self._began = time.monotonic()

    def plan(self, number: int, spec: str, backend: Backend) -> ModelPlan:
        dataset, cases = self._set
        tasks = tuple(
            ShellTask(_origin(f"{number}.{place}", case.id, dataset.title, backend.name), case)
            for place, case in enumerate(cases)
        )
        self._spec_of |= {task.origin.key: spec for task in tasks}
        self._names[spec] = backend.name
        self._results[spec] = {}
        return ModelPlan(shell_parts=(ShellPart(dataset, tasks, backend, self._settings),))

    def on_event(self, event: Event) -> None:
        if isinstance(event, Finished) and isinstance(event.result, TestResult):
            spec = self._spec_of[event.attempt.key]
            self._results[spec][event.result.test_id] = event.result
            self._last_at[spec] = time.monotonic()
        self._emit(event)

    def evaluations(self, *, interrupted: bool) -> ShellEvaluations:
        """Where it was interrupted, those after the one under way have not begun."""
        found: list[EvaluationResult] = []
        unreachable = dict(self.unreachable)
        began = self._began
        dataset, cases = self._set
        for spec, results in self._results.items():
            ended = self._last_at.get(spec, time.monotonic())
            name, seconds = self._names[spec], ended - began
            evaluation = evaluation_result(dataset, name, self._settings, cases, results, seconds)
            began = ended
            if evaluation.unreachable is None:
                found.append(evaluation)
            else:
                unreachable[spec] = evaluation.unreachable
            if interrupted and not evaluation.complete:
                break
        return ShellEvaluations(tuple(found), unreachable, interrupted)


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
