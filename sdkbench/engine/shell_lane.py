"""ShellLane: one model's cases of one dataset, asked, judged and kept."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from sdkbench.backends import Answer, Backend, BackendFailure, FailureKind
from sdkbench.backends.retry import RetryPolicy
from sdkbench.engine.recording import record_shell
from sdkbench.engine.tasks import ShellTask
from sdkbench.engine.workshop import Workshop
from sdkbench.shell import (
    EvaluationSettings,
    TestCase,
    TestDataset,
    TestResult,
    run_evaluation,
)
from sdkbench.shell.harness import Pace
from sdkbench.shell.prompts import system_prompt
from sdkbench.store import Stored

# POSIX is judged for the answers of this long at once: what a kill may lose.
LINGER_SECONDS = 1.0


Recall = Callable[[ShellTask], Stored | None]


class Question(NamedTuple):
    prompt: str
    system: str | None


class Remembering:
    """Answers that are known already; the rest is asked of `backend`, or of nobody.

    Cases may have the same question: its answers are in the order of the cases, and each is given
    once.
    """

    def __init__(
        self, name: str, known: Mapping[Question, deque[Answer]], backend: Backend | None
    ) -> None:
        self.name = name
        if backend is not None and hasattr(backend, "parallel"):
            self.parallel: int = backend.parallel
        self._known = known
        self._backend = backend

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer:
        known = self._known.get(Question(prompt, system))
        if known:
            return known.popleft()
        if self._backend is None:
            raise BackendFailure(
                "No answer was stored, and asking was switched off.", FailureKind.REQUEST
            )
        return await self._backend.generate(
            prompt, system=system, deadline_seconds=deadline_seconds, max_tokens=max_tokens
        )

    async def close(self) -> None:
        pass  # whoever opened the backend closes it


class ShellLane:
    """Trial by trial. What `recall` finds is not asked again; without `backend` nothing is."""

    def __init__(
        self,
        dataset: TestDataset,
        tasks: Sequence[ShellTask],
        backend: Backend | None,
        settings: EvaluationSettings,
        *,
        patience: RetryPolicy,
        recall: Recall | None,
    ) -> None:
        self._dataset = dataset
        self._tasks = tasks
        self._backend = backend
        self._settings = settings
        self._pace = Pace(patience, LINGER_SECONDS)
        self._recall = recall

    async def run(self, workshop: Workshop) -> None:
        for _, tasks in groupby(self._tasks, key=lambda task: task.origin.trial):
            await self._round(tuple(tasks), workshop)

    async def _round(self, tasks: Sequence[ShellTask], workshop: Workshop) -> None:
        by_case = {task.case.id: task for task in tasks}
        known = await asyncio.to_thread(self._known, tasks)
        backend = Remembering(tasks[0].origin.model, known, self._backend)
        keeping: set[asyncio.Task[None]] = set()

        def hear(result: TestResult) -> None:
            for done in [task for task in keeping if task.done()]:
                keeping.discard(done)
                done.result()  # a store that can't be written ends the lane here, not at its end
            recorded = record_shell(result, by_case[result.test_id].origin)
            keeping.add(asyncio.ensure_future(workshop.keep(recorded)))

        def put(case: TestCase) -> None:
            workshop.began(by_case[case.id].origin, "asking")

        cases = tuple(task.case for task in tasks)
        asked = self._dataset.model_copy(update={"test_cases": cases})
        try:
            await run_evaluation(
                asked, backend, settings=self._settings, on_result=hear, on_ask=put, pace=self._pace
            )
        finally:
            await asyncio.gather(*keeping)

    def _known(self, tasks: Sequence[ShellTask]) -> dict[Question, deque[Answer]]:
        known: dict[Question, deque[Answer]] = defaultdict(deque)
        if self._recall is None:
            return known
        for task in tasks:
            kept = self._recall(task)
            if kept is None:
                continue
            question = Question(task.case.prompt, system_prompt(task.case.shell))
            answer = next(each for each in kept.artefacts if each.kind == "answer")
            known[question].append(
                Answer(
                    text=answer.data.decode("utf-8", "replace"),
                    input_tokens=kept.attempt.input_tokens,
                    output_tokens=kept.attempt.output_tokens,
                    cost=kept.attempt.cost_usd,
                    truncated=kept.attempt.result.get("truncated") is True,
                )
            )
        return known
