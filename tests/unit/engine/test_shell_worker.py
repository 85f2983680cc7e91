"""Answers that are known are given as they were; the rest is asked as the backend wants it."""

import asyncio
from pathlib import Path

import pytest

from sdkbench.backends import Answer
from sdkbench.core import Outcome
from sdkbench.engine.events import Event, Finished
from sdkbench.engine.plan import ShellPart
from sdkbench.engine.recorder import Regraded, RunContext
from sdkbench.engine.resuming import ResumeState
from sdkbench.engine.run import run_shell_part, under_way
from sdkbench.engine.tasks import shell_task
from sdkbench.shell import EvaluationSettings, TestCase, TestDataset, run_evaluation
from sdkbench.store import Artefact, RunState, Stored, open_store
from tests.support.shell_builder import TOOLS, Scripted
from tests.support.store.builder import attempt, key

SETTINGS = EvaluationSettings()
LIST = {
    "prompt": "List.", "category": "correctness", "safe": True, "posix_compliant": True,
}  # fmt: skip
CASES = (
    TestCase.model_validate({**LIST, "id": "short", "expected_command": "ls"}),
    TestCase.model_validate({**LIST, "id": "long", "expected_command": "ls -l"}),
)
DATASET = TestDataset.model_validate({"version": "1", "name": "tiny", "test_cases": CASES})


def test_what_is_known_is_not_asked_and_nobody_answers_the_rest(tmp_path: Path) -> None:
    backend = Scripted(lambda _prompt: answered("ls -l"))
    known = {"short": Answer(text="ls")}
    settings = {"known": known, "tools": TOOLS}
    result = asyncio.run(run_evaluation(DATASET, backend, **settings))  # type: ignore[arg-type]
    assert [each.actual for each in result.results] == ["ls", "ls -l"]
    assert backend.asked == ["List."]
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        tasks = tuple(shell_task("m", DATASET, case, 0, SETTINGS) for case in CASES)
        with under_way(store, ResumeState(run), lambda _event: None) as context:
            part = ShellPart(DATASET, tasks, None, SETTINGS)
            asyncio.run(run_shell_part(part, context))
        found = list(store.attempts(run.id))
    assert [each.outcome for each in found] == [Outcome.ERROR] * 2
    assert all("asking was switched off" in (each.error or "") for each in found)


async def answered(text: str) -> Answer:
    return Answer(text=text)


def test_cases_with_the_same_question_keep_their_own_answers(tmp_path: Path) -> None:
    """And an answer that was cut off stays one."""
    answers = {"short": "ls", "long": "ls -l"}
    tasks = [shell_task("m", DATASET, case, 0, SETTINGS) for case in CASES]
    heard: list[Event] = []
    with open_store(tmp_path / "store.db") as store:
        old = store.start_run()
        for number, task in enumerate(tasks):
            kept = attempt(
                number,
                suite="shell",
                sample=task.case.id,
                cost_usd=0.5,
                result={"truncated": task.case.id == "long"},
            )
            text = answers[task.case.id].encode()
            store.save_attempt(old.id, kept, [Artefact(kind="answer", name="a.txt", data=text)])
        keys = {task.origin.key: key(number) for number, task in enumerate(tasks)}
        run = store.start_run()
        state = ResumeState(run)
        part = ShellPart(DATASET, tuple(tasks), None, SETTINGS)
        with under_way(store, state, heard.append, Regraded(old.id, keys)) as context:
            asyncio.run(run_shell_part(part, context))
        found = {each.sample: each for each in store.attempts(run.id)}
        assert store.find_run(run.id).state is RunState.FINISHED
    assert {name: each.outcome for name, each in found.items()} == dict.fromkeys(
        answers, Outcome.PASSED
    )
    assert {name: each.result["truncated"] for name, each in found.items()} == {
        "short": False,
        "long": True,
    }
    assert {each.cost_usd for each in found.values()} == {0.5}
    assert sum(isinstance(event, Finished) for event in heard) == 2


def break_down(context: RunContext) -> None:
    asyncio.run(context.recorder.finish(Stored(attempt(1), ())))
    raise ZeroDivisionError


def test_a_run_ends_stopped_where_something_is_raised(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        with (
            pytest.raises(ZeroDivisionError),
            under_way(store, ResumeState(run), lambda _event: None) as context,
        ):
            break_down(context)
        assert store.find_run(run.id).state is RunState.STOPPED
        assert len(list(store.attempts(run.id))) == 1
        assert not context.scratch.exists()
