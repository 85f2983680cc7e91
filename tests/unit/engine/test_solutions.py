"""Whatever a generator does stays in its own attempt, and nobody is asked in vain for long."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.backends import BackendFailure, FailureKind
from sdkbench.core import Integrity, Outcome
from sdkbench.datasets import Sample, load_sdk
from sdkbench.engine.events import Event
from sdkbench.engine.plan import ModelPlan
from sdkbench.engine.resuming import ResumeState
from sdkbench.engine.run import run_solutions, under_way
from sdkbench.engine.solutions import SolutionSource
from sdkbench.engine.tasks import sdk_tasks
from sdkbench.generation import GeneratedSolution, Source
from sdkbench.judge.subject import Options
from sdkbench.sandbox import Level
from sdkbench.store import Attempt, open_store
from tests.support.run_samples import write_samples

SAMPLES = 6
OPTIONS = Options(integrity=Integrity.CHECKED)


class Odd:
    """A generator that does `act` instead of asking anybody."""

    name = "odd"
    at_once: int | None = 1

    def __init__(self, act: Callable[[Path], None]) -> None:
        self.asked = 0
        self._act = act

    def source(self, sample: Sample) -> Source:
        return Source(prompt=sample.id)

    async def generate(self, sample: Sample, into: Path) -> GeneratedSolution:
        self.asked += 1
        self._act(into)
        return GeneratedSolution(folder=into, sample_id=sample.id, model=self.name)

    async def close(self) -> None:
        pass


def made(folder: Path, generator: Odd, *, fresh: bool = False) -> list[Attempt]:
    """What a run that only generates has stored."""
    samples = load_sdk(write_samples(folder / "samples", SAMPLES), "all")
    events: list[Event] = []
    with open_store(folder / "store.db") as store:
        run = store.start_run()
        tasks = tuple(sdk_tasks(generator, samples, 1, OPTIONS, Level.PLAIN))
        model = ModelPlan(sdk_tasks=tasks, source=SolutionSource(generator), at_once=4)
        with under_way(store, ResumeState(run, fresh=fresh), events.append) as context:
            asyncio.run(run_solutions(model, context, None))
        return list(store.attempts(run.id))


def raising(error: Exception) -> Callable[[Path], None]:
    def act(_into: Path) -> None:
        raise error

    return act


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ZeroDivisionError("by nobody"), "ZeroDivisionError: by nobody. Please report it."),
        (OSError(28, "No space left on device"), "can't be laid out"),
        (RecursionError("too deep"), "RecursionError: too deep"),
    ],
)
def test_a_fault_of_a_generator_is_an_error_of_its_attempt(
    tmp_path: Path, error: Exception, told: str
) -> None:
    generator = Odd(raising(error))
    attempts = made(tmp_path, generator)
    assert [attempt.outcome for attempt in attempts] == [Outcome.ERROR] * SAMPLES
    assert all(told in (attempt.error or "") for attempt in attempts)
    assert generator.asked == SAMPLES


def test_a_model_that_is_never_reached_is_asked_three_times(tmp_path: Path) -> None:
    generator = Odd(raising(BackendFailure("Nobody listens.", FailureKind.NETWORK)))
    attempts = made(tmp_path, generator)
    assert {attempt.error for attempt in attempts} == {"Nobody listens."}
    assert len(attempts) == SAMPLES
    assert generator.asked == 3


def test_a_model_that_refuses_a_request_has_been_reached(tmp_path: Path) -> None:
    generator = Odd(raising(BackendFailure("Too long.", FailureKind.REQUEST)))
    assert len(made(tmp_path, generator)) == SAMPLES
    assert generator.asked == SAMPLES


def test_what_was_answered_is_not_asked_again_unless_afresh(tmp_path: Path) -> None:
    def act(into: Path) -> None:
        into.mkdir()
        (into / "app.py").write_text("x = 1\n")

    for fresh, asked in ((False, SAMPLES), (False, 0), (True, SAMPLES)):
        generator = Odd(act)
        attempts = made(tmp_path, generator, fresh=fresh)
        assert [attempt.outcome for attempt in attempts] == [Outcome.NOT_EXECUTED] * SAMPLES
        assert generator.asked == asked
