"""regrade_run: the stored solutions and answers of a run, judged again as they are."""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from sdkbench.backends.retry import RetryPolicy
from sdkbench.datasets import Sample
from sdkbench.engine.making import Restoring
from sdkbench.engine.origin import Origin
from sdkbench.engine.pipeline import Lane, run_lanes
from sdkbench.engine.resuming import Wish, stand
from sdkbench.engine.run import Bench, Emit, Suites
from sdkbench.engine.run_events import RunPlanned
from sdkbench.engine.sdk_lane import Ready, SdkLane
from sdkbench.engine.session import conduct, under_way
from sdkbench.engine.settings import RunSettings
from sdkbench.engine.shell_lane import ShellLane
from sdkbench.engine.tasks import (
    Content,
    SdkTask,
    ShellTask,
    content_of,
    judged_by,
    sdk_task,
    shell_task,
)
from sdkbench.engine.workshop import Workshop
from sdkbench.errors import InputError
from sdkbench.generation import Source
from sdkbench.shell import EvaluationSettings
from sdkbench.store import Attempt, Run, Stored, Suite

if TYPE_CHECKING:
    from sdkbench.store.database import Store

RESTORED_AT_ONCE = 4  # folders written ahead of the judges
# Settings that say how a run is judged, as opposed to what is made in it and who works at it.
JUDGED_BY = frozenset(
    {"mode", "integrity", "timeout", "sandbox", "samples_dir", "no_install", "dataset"}
)


@dataclass(slots=True)
class Old:
    """A run's attempts as tasks. `left_out` has a sentence on each that can't be judged again."""

    sdk: list[SdkTask] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)  # of tasks: those of the old attempts
    shell: dict[tuple[str, str], list[ShellTask]] = field(default_factory=lambda: defaultdict(list))
    left_out: list[str] = field(default_factory=list)


class Again(NamedTuple):
    """A run to be judged again, and how that is done now."""

    run: Run
    settings: RunSettings
    suites: Suites
    bench: Bench


def judged_by_settings(run: Run) -> dict[str, JsonValue]:
    """What `run` was judged by; nothing where it was imported."""
    return {k: v for k, v in run.settings.items() if k in JUDGED_BY and v is not None}


def regrade_run(again: Again, old: Old, store: "Store", emit: Emit) -> Run:
    """A new run with new verdicts on what the run holds; one that was stopped is resumed.

    Raises InputError where there is nothing to judge, Cancelled on a signal.
    """
    run = again.run
    if not old.keys:
        why = f" {old.left_out[0]}" if old.left_out else ""
        raise InputError(f"Run {run.id} has nothing that can be judged again.{why}")
    return conduct(_regrade(again, old, store, emit), again.bench.cancellation)


def read_old(store: "Store", run: Run, suites: Suites, bench: Bench) -> Old:
    """Everything of `run` whose sample or case is among `suites`."""
    old = Old()
    reader = _Reader(store, run, suites, bench)
    for attempt in store.attempts(run.id):
        problem = reader.add(attempt, old)
        if problem:
            old.left_out.append(f"{attempt.sample} by {attempt.model}: {problem}")
    return old


class _Reader:
    def __init__(self, store: "Store", run: Run, suites: Suites, bench: Bench) -> None:
        self._store = store
        self._run = run
        self._judged_by = judged_by(bench.options, bench.level)
        self._samples: dict[tuple[str, str], Sample] = {(s.sdk, s.id): s for s in suites.samples}
        self._contents: dict[Sample, Content] = {}
        self._sets = {each.dataset.title: each for each in suites.sets}

    def add(self, attempt: Attempt, old: Old) -> str | None:
        """Why it can't be judged again; None where it is among the tasks now."""
        if attempt.suite is Suite.SDK:
            return self._add_solution(attempt, old)
        return self._add_answer(attempt, old)

    def _add_solution(self, attempt: Attempt, old: Old) -> str | None:
        sample = self._samples.get((attempt.sdk, attempt.sample))
        if sample is None:
            return "there is no such sample any more"
        files = self._store.digests(self._run.id, attempt.key, "solution")
        if not files:
            return "no solution was stored"
        told = "\0".join(part for file in files for part in file)
        source = Source(answer=hashlib.sha256(told.encode()).hexdigest())
        if sample not in self._contents:
            self._contents[sample] = content_of(sample)
        content = self._contents[sample]
        task = sdk_task(sample, content, attempt.model, source, attempt.trial, self._judged_by)
        origin = _as_asked(task.origin, attempt)
        old.sdk.append(task._replace(origin=origin))
        old.keys[origin.key] = attempt.key
        return None

    def _add_answer(self, attempt: Attempt, old: Old) -> str | None:
        chosen = self._sets.get(attempt.sdk)
        if chosen is None:
            return f"the dataset {attempt.sdk} was not given"
        case = next((c for c in chosen.cases if c.id == attempt.sample), None)
        if case is None:
            return "there is no such case any more"
        stored = self._store.digests(self._run.id, attempt.key, "answer")
        if not stored:
            return "no whole answer was stored"
        ((_, answer),) = stored
        task = shell_task(
            attempt.model, chosen.dataset, case, attempt.trial, EvaluationSettings(), answer=answer
        )
        origin = _as_asked(task.origin, attempt)
        old.shell[attempt.sdk, attempt.model].append(task._replace(origin=origin))
        old.keys[origin.key] = attempt.key
        return None


def _as_asked(origin: Origin, attempt: Attempt) -> Origin:
    """What was asked, and what that took, is as it was."""
    return origin._replace(
        generation_key=attempt.generation_key,
        input_tokens=attempt.input_tokens,
        output_tokens=attempt.output_tokens,
        cost_usd=attempt.cost_usd,
    )


async def _regrade(again: Again, old: Old, store: "Store", emit: Emit) -> Run:
    run = again.run
    told = again.settings.model_dump(mode="json", include=set(JUDGED_BY)) | {"regrade_of": run.id}
    wish = Wish(take_over=False, again=True)
    standing = stand(store, wish, frozenset(old.keys), told, f"regrade of {run.id}")
    models = {task.origin.model for task in old.sdk} | {model for _, model in old.shell}
    solutions = [task for task in old.sdk if task.origin.key not in standing.done]
    answers = sum(t.origin.key not in standing.done for tasks in old.shell.values() for t in tasks)
    left = {Suite.SDK: len(solutions), Suite.SHELL: answers}
    emit(RunPlanned(standing.run.id, tuple(sorted(models)), left, len(standing.done)))
    with under_way(store, standing.run.id, emit) as workshop:
        shell = _shell_lanes(run, old, again.suites, standing.done, store)
        await _work(solutions, Restoring(run.id, old.keys), shell, again.bench, workshop)
    return store.find_run(standing.run.id)


async def _work(
    solutions: Sequence[SdkTask],
    maker: Restoring,
    shell: Sequence[Lane],
    bench: Bench,
    workshop: Workshop,
) -> None:
    judge = bench.open_judge()
    try:
        ready: asyncio.Queue[Ready] = asyncio.Queue(maxsize=judge.at_once)
        lanes: list[Sequence[Lane]] = [[SdkLane(solutions, maker, RESTORED_AT_ONCE, ready)]]
        lanes += [[lane] for lane in shell]
        await run_lanes(lanes, judge, ready, workshop)
    finally:
        await judge.close()


def _shell_lanes(
    run: Run, old: Old, suites: Suites, done: frozenset[str], store: "Store"
) -> list[ShellLane]:
    def recall(task: ShellTask) -> Stored:
        return store.stored(run.id, old.keys[task.origin.key])

    sets = {each.dataset.title: each.dataset for each in suites.sets}
    lanes = []
    for (name, _), tasks in old.shell.items():
        left = [task for task in tasks if task.origin.key not in done]
        left.sort(key=lambda task: task.origin.trial)
        settings = EvaluationSettings()
        lane = ShellLane(
            sets[name], left, None, settings, patience=RetryPolicy(tries=1), recall=recall
        )
        lanes.append(lane)
    return lanes
