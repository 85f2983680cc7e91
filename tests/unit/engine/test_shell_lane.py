"""Answers that are known are given as they were; the rest is asked as the backend wants it."""

import asyncio
from collections import deque
from pathlib import Path

import pytest

from sdkbench.backends import Answer, BackendFailure
from sdkbench.backends.reference import KnownAnswers
from sdkbench.backends.retry import RetryPolicy
from sdkbench.core import Outcome
from sdkbench.engine.origin import Recorded
from sdkbench.engine.run_events import Ended, RunEvent
from sdkbench.engine.session import under_way
from sdkbench.engine.shell_lane import Question, Remembering, ShellLane
from sdkbench.engine.tasks import ShellTask, shell_task
from sdkbench.engine.workshop import Workshop
from sdkbench.shell import EvaluationSettings, TestCase, TestDataset
from sdkbench.store import Artefact, RunState, Stored, open_store
from tests.support.store_builder import attempt

SETTINGS = EvaluationSettings()
LIST = {
    "prompt": "List.", "category": "correctness", "safe": True, "posix_compliant": True,
}  # fmt: skip
CASES = (
    TestCase.model_validate({**LIST, "id": "short", "expected_command": "ls"}),
    TestCase.model_validate({**LIST, "id": "long", "expected_command": "ls -l"}),
)
DATASET = TestDataset.model_validate({"version": "1", "name": "tiny", "test_cases": CASES})


class OneAtATime(KnownAnswers):
    parallel = 1


def ask(backend: Remembering, prompt: str) -> Answer:
    return asyncio.run(backend.generate(prompt, system=None, deadline_seconds=1, max_tokens=1))


def test_how_many_a_backend_takes_at_once_is_not_forgotten() -> None:
    slow, quick = OneAtATime("slow", {}), KnownAnswers("quick", {})
    assert Remembering("slow", {}, slow).parallel == 1
    assert not hasattr(Remembering("quick", {}, quick), "parallel")
    assert not hasattr(Remembering("nobody", {}, None), "parallel")


def test_what_is_known_is_given_once_each_and_then_asked_for() -> None:
    known = {Question("p", None): deque([Answer(text="one"), Answer(text="two")])}
    backend = Remembering("m", known, KnownAnswers("m", {"p": "asked"}))
    assert [ask(backend, "p").text for _ in range(3)] == ["one", "two", "asked"]
    with pytest.raises(BackendFailure, match="asking was switched off"):
        ask(Remembering("m", {}, None), "p")


def test_cases_with_the_same_question_keep_their_own_answers(tmp_path: Path) -> None:
    """And an answer that was cut off stays one."""
    answers = {"short": "ls", "long": "ls -l"}
    tasks = [shell_task("m", DATASET, case, 0, SETTINGS) for case in CASES]

    def recall(task: ShellTask) -> Stored:
        text = answers[task.case.id].encode()
        kept = attempt(1, suite="shell", cost_usd=0.5, result={"truncated": task.case.id == "long"})
        return Stored(kept, (Artefact(kind="answer", name="answer.txt", data=text),))

    lane = ShellLane(DATASET, tasks, None, SETTINGS, patience=RetryPolicy(tries=1), recall=recall)
    heard: list[RunEvent] = []
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        with under_way(store, run.id, heard.append) as workshop:
            asyncio.run(lane.run(workshop))
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
    assert sum(isinstance(event, Ended) for event in heard) == 2


def break_down(workshop: Workshop) -> None:
    asyncio.run(workshop.keep(Recorded(attempt(1), ())))
    raise ZeroDivisionError


def test_a_run_ends_stopped_where_something_is_raised(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        run = store.start_run()
        with (
            pytest.raises(ZeroDivisionError),
            under_way(store, run.id, lambda _event: None) as workshop,
        ):
            break_down(workshop)
        assert store.find_run(run.id).state is RunState.STOPPED
        assert len(list(store.attempts(run.id))) == 1
        assert not workshop.scratch.exists()
