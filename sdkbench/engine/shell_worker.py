"""run_shell_part: one model's cases of one dataset, asked, judged and stored."""

import asyncio
from collections.abc import Sequence
from itertools import groupby

from sdkbench.backends import Answer, BackendFailure, FailureKind
from sdkbench.engine.context import RunContext
from sdkbench.engine.plan import ShellPart
from sdkbench.engine.records import record_shell
from sdkbench.engine.tasks import ShellTask
from sdkbench.generation.solution import ANSWER
from sdkbench.shell import TestCase, TestResult, run_evaluation

# POSIX is judged for the answers of this long at once: what a kill may lose.
LINGER_SECONDS = 1.0


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
