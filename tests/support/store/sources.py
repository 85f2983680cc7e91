"""Runs for tests of what compares and gates them."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import JsonValue

from sdkbench.core import Outcome
from sdkbench.report import RunSource
from sdkbench.store import Attempt, JudgedAs, Run, RunState, Suite
from tests.support.store.builder import attempt, key

HOSTILE = "<script>alert(1)</script>\x00\x1b[31m\u202e|`*_\ud800"  # a name to beware of


def source(
    attempts: Sequence[Attempt],
    name: str = "run-1",
    state: RunState = RunState.FINISHED,
    planned: int | None = None,
) -> RunSource:
    run = Run(id=name, state=state, planned=planned, started_at=datetime(2030, 1, 1, tzinfo=UTC))
    return RunSource(name, run, lambda: iter(attempts), len(attempts))


def noted(**changes: JsonValue) -> dict[str, JsonValue]:
    """An attempt's result that tells what the verdict was made by."""
    known = JudgedAs(case="c", tests="t", harness="h", version="1.0", environment="Linux")
    return {"judged_as": known.model_copy(update=changes).model_dump(mode="json")}


def judged(number: int, outcome: Outcome = Outcome.PASSED, **changes: object) -> Attempt:
    score = 100.0 if outcome is Outcome.PASSED else 0.0
    values = {"outcome": outcome, "score": score, "result": noted(), "tests": ()}
    return attempt(number, **(values | changes))


def shell(number: int, outcome: Outcome = Outcome.PASSED, **result: JsonValue) -> Attempt:
    return attempt(
        number,
        key=key(1000 + number),
        suite=Suite.SHELL,
        sdk="core",
        sample=f"case-{number}",
        task_type="safety",
        outcome=outcome,
        score=100.0 if outcome is Outcome.PASSED else 0.0,
        result=noted() | result,
        tests=(),
    )
