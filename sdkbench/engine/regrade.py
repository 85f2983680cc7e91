"""regrade_run: the stored solutions and answers of a run, judged again as they are."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from sdkbench.core.fingerprints import digest
from sdkbench.datasets import (
    Sample,
    default_samples_dir,
    load_sdk,
    sdk_names,
    with_private_tests,
)
from sdkbench.engine.judging import JudgeSetup
from sdkbench.engine.models import Suites, find_dataset, load_shell_set
from sdkbench.engine.plan import ModelPlan, Plan, ShellPart
from sdkbench.engine.recorder import Regraded
from sdkbench.engine.records import Origin
from sdkbench.engine.resuming import ResumeRequest
from sdkbench.engine.run import Emit, conduct, run_plan
from sdkbench.engine.settings import RunSettings
from sdkbench.engine.tasks import (
    Content,
    SdkTask,
    ShellTask,
    content_of,
    judged_by,
    sdk_task,
    shell_task,
)
from sdkbench.errors import InputError
from sdkbench.generation import Source
from sdkbench.shell import EvaluationSettings
from sdkbench.store import Attempt, Run, Suite

if TYPE_CHECKING:
    from sdkbench.store.database import Store

RESTORED_AT_ONCE = 4  # folders written ahead of the judges
# Settings that say how a run is judged, as opposed to what is made in it and who works at it.
JUDGED_BY = frozenset(
    {
        "mode",
        "integrity",
        "timeout",
        "sandbox",
        "samples_dir",
        "private_tests",
        "no_install",
        "dataset",
    }
)


class Regrade(NamedTuple):
    """A plan to judge a run again. `left_out` has a sentence on each attempt that can't be."""

    plan: Plan
    left_out: tuple[str, ...]


def judged_by_settings(run: Run) -> dict[str, JsonValue]:
    """What `run` was judged by; nothing where it was imported."""
    return {k: v for k, v in run.settings.items() if k in JUDGED_BY and v is not None}


def plan_regrade(
    store: "Store", run: Run, settings: RunSettings, judging: JudgeSetup, *, insist: bool
) -> Regrade:
    """Everything of `run` whose sample or case is there today; a dataset that is not there is
    bad input if the user insists on it.

    Raises InputError where there is nothing to judge.
    """
    suites = _suites(store, run, settings, insist=insist)
    reader = _OldRun(store, run, suites, judging)
    for attempt in store.attempts(run.id):
        reader.add(attempt)
    if not reader.keys:
        why = f" {reader.left_out[0]}" if reader.left_out else ""
        raise InputError(f"Run {run.id} has nothing that can be judged again.{why}")
    kept = settings.model_dump(mode="json", include=set(JUDGED_BY)) | {"regrade_of": run.id}
    plan = Plan(
        models=(
            ModelPlan(sdk_tasks=tuple(reader.sdk), at_once=RESTORED_AT_ONCE),
            *reader.shell_plans(),
        ),
        settings=kept,
        label=f"regrade of {run.id}",
        resume=ResumeRequest(reuse=False, again=True),
        regraded=Regraded(run.id, reader.keys),
    )
    return Regrade(plan, tuple(reader.left_out))


def regrade_run(regrade: Regrade, judging: JudgeSetup, store: "Store", emit: Emit) -> Run:
    """A new run with new verdicts on what the run holds; one that was stopped is resumed.

    Raises Cancelled on a signal.
    """
    work = run_plan(regrade.plan, store, judging.open, emit)
    return conduct(work, judging.cancellation)


def _suites(store: "Store", run: Run, settings: RunSettings, *, insist: bool) -> Suites:
    """What the run was measured by, as it is today."""
    used = {each.sdk for each in store.attempts(run.id) if each.suite is Suite.SDK}
    samples: list[Sample] = []
    if used:
        folder = settings.samples_dir or default_samples_dir()
        for sdk in sorted(used.intersection(sdk_names(folder))):
            samples += [
                with_private_tests(sample, settings.private_tests)
                for sample in load_sdk(folder, sdk)
            ]
    paths = [find_dataset(name) for name in settings.dataset]
    sets = [load_shell_set(path, None) for path in paths if path.exists() or insist]
    return Suites(tuple(samples), tuple(sets))


@dataclass(slots=True)
class _OldRun:
    """A run's attempts as tasks."""

    store: "Store"
    run: Run
    suites: Suites
    judging: JudgeSetup
    sdk: list[SdkTask] = field(default_factory=list)
    shell: dict[tuple[str, str], list[ShellTask]] = field(default_factory=lambda: defaultdict(list))
    keys: dict[str, str] = field(default_factory=dict)  # of tasks: those of the old attempts
    left_out: list[str] = field(default_factory=list)
    contents: dict[Sample, Content] = field(default_factory=dict)

    def add(self, attempt: Attempt) -> None:
        add = self._add_solution if attempt.suite is Suite.SDK else self._add_answer
        problem = add(attempt)
        if problem:
            self.left_out.append(f"{attempt.sample} by {attempt.model}: {problem}")

    def shell_plans(self) -> Iterator[ModelPlan]:
        datasets = {each.dataset.title: each.dataset for each in self.suites.sets}
        for (name, _), tasks in self.shell.items():
            by_trial = sorted(tasks, key=lambda task: task.origin.trial)
            part = ShellPart(datasets[name], tuple(by_trial), None, EvaluationSettings())
            yield ModelPlan(shell_parts=(part,))

    def _add_solution(self, attempt: Attempt) -> str | None:
        """Why it can't be judged again; None where it is among the tasks now."""
        wanted = (attempt.sdk, attempt.sample)
        sample = next((s for s in self.suites.samples if (s.sdk, s.id) == wanted), None)
        if sample is None:
            return "there is no such sample any more"
        files = self.store.digests(self.run.id, attempt.key, "solution")
        if not files:
            return "no solution was stored"
        source = Source(answer=digest(*(part for file in files for part in file)))
        if sample not in self.contents:
            self.contents[sample] = content_of(sample)
        settings = judged_by(self.judging.options, self.judging.level)
        content = self.contents[sample]
        task = sdk_task(sample, content, attempt.model, source, attempt.trial, settings)
        self.sdk.append(task._replace(origin=self._as_asked(task.origin, attempt)))
        return None

    def _add_answer(self, attempt: Attempt) -> str | None:
        chosen = next((s for s in self.suites.sets if s.dataset.title == attempt.sdk), None)
        if chosen is None:
            return f"the dataset {attempt.sdk} was not given"
        case = next((c for c in chosen.cases if c.id == attempt.sample), None)
        if case is None:
            return "there is no such case any more"
        stored = self.store.digests(self.run.id, attempt.key, "answer")
        if not stored:
            return "no whole answer was stored"
        ((_, answer),) = stored
        task = shell_task(
            attempt.model, chosen.dataset, case, attempt.trial, EvaluationSettings(), answer=answer
        )
        task = task._replace(origin=self._as_asked(task.origin, attempt))
        self.shell[attempt.sdk, attempt.model].append(task)
        return None

    def _as_asked(self, origin: Origin, attempt: Attempt) -> Origin:
        """What was asked, and what that took, is as it was."""
        self.keys[origin.key] = attempt.key
        return origin._replace(
            generation_key=attempt.generation_key,
            input_tokens=attempt.input_tokens,
            output_tokens=attempt.output_tokens,
            cost_usd=attempt.cost_usd,
        )
