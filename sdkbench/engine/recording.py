"""Results of either suite → what the store keeps of them; nothing of a result is lost."""

from sdkbench.core import Outcome
from sdkbench.engine.origin import Origin, Recorded
from sdkbench.engine.solution_records import NOTHING, Made, told_of
from sdkbench.generation.solution import ANSWER, GENERATION
from sdkbench.shell.judging import MAX_SHOWN
from sdkbench.shell.results import ReasonKind
from sdkbench.shell.results import TestResult as ShellResult
from sdkbench.store import Artefact, Attempt, Suite, TestRow
from sdkbench.test_harness import FCorrResult
from sdkbench.test_harness import TestResult as SdkTests

# Stages whose output is kept beside the row: it may be a megabyte each.
STAGES = ("install_results", "build_results", "test_results")


def record_sdk(result: FCorrResult, origin: Origin, made: Made = NOTHING) -> Recorded:
    """Every test as a row, each stage's output as an artefact, the rest as the row's JSON."""
    outputs = {
        stage: getattr(result, stage).output
        for stage in STAGES
        if getattr(result, stage) and getattr(result, stage).output
    }
    kept = result.model_dump(mode="json", exclude={stage: {"output"} for stage in STAGES})
    if made.generation:
        kept[GENERATION] = dict(made.generation)
        origin = told_of(made, origin)
    installed = result.install_results
    attempt = Attempt(
        **origin._asdict(),
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
    artefacts = tuple(
        Artefact(kind="output", name=stage, data=text.encode()) for stage, text in outputs.items()
    )
    return Recorded(attempt, (*made.artefacts, *artefacts))


def record_shell(result: ShellResult, origin: Origin) -> Recorded:
    """A backend that gave no answer is an error, to be tried again; the rest is a verdict."""
    if result.passed:
        outcome = Outcome.PASSED
    elif result.reason.kind is ReasonKind.BACKEND_ERROR:
        outcome = Outcome.ERROR
    else:
        outcome = Outcome.FAILED
    told = {
        "input_tokens": result.input_tokens,
        "output_tokens": result.output_tokens,
        "cost_usd": result.cost,
    }
    attempt = Attempt(
        **{**origin._asdict(), **told},
        suite=Suite.SHELL,
        outcome=outcome,
        fault=None if result.passed else result.reason.kind,
        error=result.reason.message or None,
        score=100.0 if result.passed else 0.0,
        duration_seconds=result.duration_seconds,
        result=result.model_dump(mode="json"),
    )
    # One that was cut can't be judged again.
    if result.actual is None or len(result.answer) >= MAX_SHOWN:
        return Recorded(attempt, ())
    answer = Artefact(kind=ANSWER, name="answer.txt", data=result.answer.encode())
    return Recorded(attempt, (answer,))


def _tests(results: SdkTests | None) -> tuple[TestRow, ...]:
    if results is None:
        return ()
    messages = {failure.test_name: failure.error_message for failure in results.failures}
    return tuple(
        TestRow(test_id=test_id, status=status, message=messages.get(test_id, ""))
        for test_id, status in results.cases.items()
    )
