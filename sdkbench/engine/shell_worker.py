"""run_shell_part: one model's cases of one dataset, asked, judged and stored."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from itertools import groupby

from sdkbench.backends import Answer, Backend, BackendFailure, FailureKind
from sdkbench.backends.asking import Question
from sdkbench.engine.context import RunContext
from sdkbench.engine.plan import ShellPart
from sdkbench.engine.records import record_shell
from sdkbench.engine.tasks import ShellTask
from sdkbench.generation.solution import ANSWER
from sdkbench.shell import TestCase, TestResult, run_evaluation
from sdkbench.shell.evaluation import question

# POSIX is judged for the answers of this long at once: what a kill may lose.
LINGER_SECONDS = 1.0


class KnownFirst:
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


async def run_shell_part(part: ShellPart, context: RunContext) -> None:
    """Trial by trial. What the store holds is not asked again."""
    for _, tasks in groupby(part.tasks, key=lambda task: task.origin.trial):
        await _run_trial(part, tuple(tasks), context)


async def _run_trial(part: ShellPart, tasks: Sequence[ShellTask], context: RunContext) -> None:
    by_case = {task.case.id: task for task in tasks}
    known = await asyncio.to_thread(_known, tasks, context)
    backend = KnownFirst(tasks[0].origin.model, known, part.backend)
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
            backend,
            settings=part.settings,
            on_result=on_result,
            on_ask=on_ask,
            retry=part.retry,
            linger_seconds=LINGER_SECONDS,
        )
    finally:
        await asyncio.gather(*storing)


def _known(tasks: Sequence[ShellTask], context: RunContext) -> dict[Question, deque[Answer]]:
    known: dict[Question, deque[Answer]] = defaultdict(deque)
    for task in tasks:
        stored = context.recall(task.origin)
        if stored is None:
            continue
        answer = next(each for each in stored.artefacts if each.kind == ANSWER)
        known[question(task.case)].append(
            Answer(
                text=answer.data.decode("utf-8", "replace"),
                input_tokens=stored.attempt.input_tokens,
                output_tokens=stored.attempt.output_tokens,
                cost=stored.attempt.cost_usd,
                truncated=stored.attempt.result.get("truncated") is True,
            )
        )
    return known
