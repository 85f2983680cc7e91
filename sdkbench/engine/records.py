"""Solutions and results → what the store keeps of them; nothing of a result is lost."""

from typing import NamedTuple

from pydantic import JsonValue

from sdkbench.backends import BackendFailure
from sdkbench.core import Outcome
from sdkbench.engine.measuring import METRICS
from sdkbench.errors import InputError, SdkbenchError
from sdkbench.generation import GeneratedSolution
from sdkbench.generation.solution import ANSWER, GENERATION
from sdkbench.shell.judging import MAX_SHOWN
from sdkbench.shell.results import ReasonKind
from sdkbench.shell.results import TestResult as ShellResult
from sdkbench.store import Artefact, Attempt, JudgedAs, Stored, Suite, TestRow
from sdkbench.store.values import JUDGED_AS
from sdkbench.test_harness import FCorrResult
from sdkbench.test_harness import TestResult as SdkTests

# Stages whose output is kept beside the row: it may be a megabyte each.
STAGES = ("install_results", "build_results", "test_results")


class Origin(NamedTuple):
    """What is known of an attempt before it has a result."""

    key: str
    sdk: str
    sample: str
    task_type: str
    model: str
    trial: int = 0
    generation_key: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    judged_as: JudgedAs | None = None

    def fields(self) -> dict[str, str | int | float | None]:
        """Those of its attempt."""
        return {name: value for name, value in self._asdict().items() if name != "judged_as"}

    def noted(self) -> dict[str, JsonValue]:
        """What is kept beside a verdict of what it was made by."""
        return {JUDGED_AS: self.judged_as.model_dump(mode="json")} if self.judged_as else {}

    def with_usage(self, solution: GeneratedSolution) -> "Origin":
        """With the counts and the cost that the backend reported."""
        usage = solution.usage
        reported = {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cost_usd": usage.cost,
        }
        known = {name: value for name, value in reported.items() if value is not None}
        return Origin(**{**self._asdict(), **known})


def record_unjudged(solution: GeneratedSolution, origin: Origin) -> Stored:
    """A solution that nobody has judged yet."""
    attempt = Attempt(
        **origin.with_usage(solution).fields(),
        suite=Suite.SDK,
        outcome=Outcome.NOT_EXECUTED,
        error="generated; not judged yet",
        score=0.0,
        result={GENERATION: solution.record},
    )
    return Stored(attempt, solution.artefacts)


def record_failure(failure: SdkbenchError, origin: Origin, suite: Suite) -> Stored:
    """No solution came: an error, to be tried again."""
    if isinstance(failure, BackendFailure):
        kind = str(failure.kind)
    else:
        kind = "input" if isinstance(failure, InputError) else "harness"
    attempt = Attempt(
        **origin.fields(),
        suite=suite,
        outcome=Outcome.ERROR,
        fault=f"generation_{kind}",
        error=str(failure).encode("utf-8", "replace").decode(),
        score=0.0,
    )
    return Stored(attempt, ())


def record_verdict(
    result: FCorrResult,
    solution: GeneratedSolution,
    origin: Origin,
    difficulty: str = "",
    metrics: JsonValue = None,
) -> Stored:
    """Every test as a row, each stage's output as an artefact, the rest as the row's JSON.

    `difficulty` is what the sample says of itself today: reports group by it.
    """
    remarks = solution.remarks()
    if remarks:
        result = result.model_copy(update={"notes": [*result.notes, *remarks]})
    kept = result.model_dump(mode="json", exclude={stage: {"output"} for stage in STAGES})
    kept |= origin.noted()
    if solution.record:
        kept[GENERATION] = solution.record
    if difficulty:
        kept["difficulty"] = difficulty
    if metrics:
        kept[METRICS] = metrics
    installed = result.install_results
    attempt = Attempt(
        **origin.with_usage(solution).fields(),
        suite=Suite.SDK,
        outcome=result.outcome,
        fault=result.fault,
        error=result.error,
        score=result.score,
        mode=result.mode,
        assurance=result.assurance,
        duration_seconds=result.duration,
        environment_key=installed.environment_key if installed else None,
        result=kept,
        tests=_tests(result.test_results),
    )
    outputs = [
        Artefact(kind="output", name=stage, data=getattr(result, stage).output.encode())
        for stage in STAGES
        if getattr(result, stage) and getattr(result, stage).output
    ]
    return Stored(attempt, (*solution.artefacts, *outputs))


def record_shell(result: ShellResult, origin: Origin) -> Stored:
    """A backend that gave no answer is an error, to be tried again; the rest is a verdict."""
    if result.passed:
        outcome = Outcome.PASSED
    elif result.reason.kind is ReasonKind.BACKEND_ERROR:
        outcome = Outcome.ERROR
    else:
        outcome = Outcome.FAILED
    used = origin._replace(
        input_tokens=result.input_tokens, output_tokens=result.output_tokens, cost_usd=result.cost
    )
    attempt = Attempt(
        **used.fields(),
        suite=Suite.SHELL,
        outcome=outcome,
        fault=None if result.passed else result.reason.kind,
        error=result.reason.message or None,
        score=100.0 if result.passed else 0.0,
        duration_seconds=result.duration_seconds,
        result=result.model_dump(mode="json") | origin.noted(),
    )
    # One that was cut can't be judged again.
    if result.actual is None or len(result.answer) >= MAX_SHOWN:
        return Stored(attempt, ())
    answer = Artefact(kind=ANSWER, name="answer.txt", data=result.answer.encode())
    return Stored(attempt, (answer,))


def _tests(results: SdkTests | None) -> tuple[TestRow, ...]:
    if results is None:
        return ()
    messages = {failure.test_name: failure.error_message for failure in results.failures}
    return tuple(
        TestRow(test_id=test_id, status=status, message=messages.get(test_id, ""))
        for test_id, status in results.cases.items()
    )
