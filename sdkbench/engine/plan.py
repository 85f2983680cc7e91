"""Plan: everything that a run is to do, as a value; the same for every command."""

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue

from sdkbench.backends import Backend
from sdkbench.backends.retry import RetryPolicy
from sdkbench.datasets import Sample
from sdkbench.engine.events import Planned
from sdkbench.engine.measuring import Measure
from sdkbench.engine.recorder import Regraded
from sdkbench.engine.records import Origin
from sdkbench.engine.resuming import ResumeRequest, ResumeState
from sdkbench.engine.solutions import SolutionSource
from sdkbench.engine.tasks import SdkTask, ShellTask
from sdkbench.generation import Settings
from sdkbench.shell import EvaluationSettings, TestDataset
from sdkbench.store import Suite


class ShellPart(NamedTuple):
    """One model's cases of one dataset; without `backend` only what the store holds is judged."""

    dataset: TestDataset
    tasks: tuple[ShellTask, ...]
    backend: Backend | None
    settings: EvaluationSettings
    retry: RetryPolicy = RetryPolicy(tries=1)


class NodeAgent(NamedTuple):
    """An agent that works where the judges are; the tasks were planned by its like here."""

    spec: str
    settings: Settings


class ModelPlan(NamedTuple):
    """One model's part. Its pieces run one after the other, so that it is never asked more than
    allowed; the shell cases first: their figures are there while samples are still at work.
    """

    shell_parts: tuple[ShellPart, ...] = ()
    sdk_tasks: tuple[SdkTask, ...] = ()
    source: SolutionSource = SolutionSource()
    at_once: int = 1  # solutions to be asked for at a time
    agent: NodeAgent | None = None

    def origins(self) -> Iterator[tuple[Suite, Origin]]:
        for part in self.shell_parts:
            yield from ((Suite.SHELL, task.origin) for task in part.tasks)
        yield from ((Suite.SDK, task.origin) for task in self.sdk_tasks)

    def without(self, done: frozenset[str]) -> "ModelPlan":
        shell = (
            part._replace(tasks=tuple(t for t in part.tasks if t.origin.key not in done))
            for part in self.shell_parts
        )
        sdk = tuple(task for task in self.sdk_tasks if task.origin.key not in done)
        return self._replace(shell_parts=tuple(shell), sdk_tasks=sdk)


class Plan(NamedTuple):
    """`settings` and `label` are kept with the run, for its reader."""

    models: tuple[ModelPlan, ...]
    settings: dict[str, JsonValue]
    label: str = ""
    resume: ResumeRequest = ResumeRequest()
    judge_solutions: bool = True  # else they are stored as they are
    one_by_one: bool = False  # one model after the other
    regraded: Regraded | None = None
    measure: Measure | None = None  # what is read from the code of solutions

    def keys(self) -> frozenset[str]:
        return frozenset(origin.key for model in self.models for _, origin in model.origins())

    def samples(self) -> Iterator[Sample]:
        """Of the solutions to be judged, in order; the same one many times."""
        tasks = (task for model in self.models for task in model.sdk_tasks)
        return (task.sample for task in tasks if task.sample is not None)

    def without(self, done: frozenset[str]) -> "Plan":
        return self._replace(models=tuple(model.without(done) for model in self.models))

    def planned(self, state: ResumeState, run_id: str) -> Planned:
        left = dict.fromkeys(Suite, 0)
        names: dict[str, None] = {}
        for model in self.models:
            for suite, origin in model.origins():
                left[suite] += origin.key not in state.done
                names[origin.model] = None
        return Planned(run_id, tuple(names), left, len(state.done), state.reused)
