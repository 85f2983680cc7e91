"""Results become records, and nothing of them is lost."""

from pathlib import Path

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.engine.records import Origin, record_shell, record_verdict
from sdkbench.generation import GeneratedSolution
from sdkbench.shell import Category, FailureReason
from sdkbench.shell import TestResult as ShellResult
from sdkbench.shell.results import IncorrectDetail
from sdkbench.store import JudgedAs, Stored
from sdkbench.test_harness import (
    DependencyInstallResult,
    FCorrResult,
    TestFailure,
    TestResult,
    TestStatus,
)
from tests.support.store.builder import key

ORIGIN = Origin(key(1), "demo", "demo_001", "2", "model-a", trial=1, output_tokens=7, cost_usd=0.5)
SOLUTION = GeneratedSolution(folder=Path("solution"), sample_id="demo_001", model="model-a")
RESULT = FCorrResult(
    score=0.0,
    outcome=Outcome.FAILED,
    assurance=Assurance.TWINNED,
    fault=Fault.TEST,
    error="1 test of 2 failed",
    duration=2.5,
    install_results=DependencyInstallResult(success=True, environment_key="e1"),
    test_results=TestResult(
        success=False, total=2, passed=1, failed=1, output="long output \0 …",
        failures=[TestFailure(test_name="t2", error_message="assert 1 == 2", output="printed")],
        cases={"t1": TestStatus.PASSED, "t2": TestStatus.FAILED},
    ),
)  # fmt: skip


def recorded_sdk(recorded: Stored) -> FCorrResult:
    """The result that was recorded, its outputs put back."""
    kept: dict[str, object] = dict(recorded.attempt.result)
    for artefact in recorded.artefacts:
        stage = kept.get(artefact.name)
        if artefact.kind == "output" and isinstance(stage, dict):
            kept[artefact.name] = {**stage, "output": artefact.data.decode()}
    return FCorrResult.model_validate(kept)


def shell(reason: FailureReason, *, passed: bool = False) -> ShellResult:
    return ShellResult(
        test_id="list", prompt="list files", expected="ls", actual="ls -a", passed=passed,
        reason=reason, backend="replay:x", category=Category.CORRECTNESS, expected_safe=True,
        expected_posix=True, input_tokens=3, cost=0.25,
    )  # fmt: skip


def test_an_sdk_result_comes_back_whole() -> None:
    assert recorded_sdk(record_verdict(RESULT, SOLUTION, ORIGIN)) == RESULT
    bare = FCorrResult(score=0.0, outcome=Outcome.ERROR)
    assert recorded_sdk(record_verdict(bare, SOLUTION, ORIGIN)) == bare


def test_tests_become_rows_and_output_an_artefact() -> None:
    recorded = record_verdict(RESULT, SOLUTION, ORIGIN)
    attempt = recorded.attempt
    assert [(row.test_id, row.status, row.message) for row in attempt.tests] == [
        ("t1", "passed", ""),
        ("t2", "failed", "assert 1 == 2"),
    ]
    assert [(each.kind, each.name) for each in recorded.artefacts] == [("output", "test_results")]
    assert "long output" not in attempt.model_dump_json()
    assert (attempt.fault, attempt.assurance, attempt.environment_key) == ("test", "twinned", "e1")
    assert (attempt.trial, attempt.output_tokens, attempt.cost_usd) == (1, 7, 0.5)


def test_a_solution_among_the_artefacts_does_not_disturb() -> None:
    recorded = record_verdict(RESULT, SOLUTION, ORIGIN)
    odd = recorded.artefacts[0].model_copy(update={"kind": "solution", "data": b"\xff"})
    assert recorded_sdk(Stored(recorded.attempt, (odd, *recorded.artefacts))) == RESULT


def test_a_shell_result_comes_back_whole() -> None:
    wrong = shell(FailureReason.incorrect(IncorrectDetail.DIFFERENT, "it lists hidden files"))
    recorded = record_shell(wrong, ORIGIN)
    assert ShellResult.model_validate(recorded.attempt.result) == wrong
    assert recorded.attempt.outcome is Outcome.FAILED
    assert recorded.attempt.fault == "incorrect_command"
    assert (recorded.attempt.input_tokens, recorded.attempt.cost_usd) == (3, 0.25)
    right = record_shell(shell(FailureReason.passing(), passed=True), ORIGIN).attempt
    assert (right.outcome, right.score, right.fault, right.error) == ("passed", 100.0, None, None)


def test_a_silent_backend_is_an_error_and_so_tried_again() -> None:
    silent = record_shell(shell(FailureReason.backend_error("no answer", None)), ORIGIN).attempt
    assert silent.outcome is Outcome.ERROR
    assert not silent.finished


def test_both_suites_note_what_the_verdict_was_made_by() -> None:
    made = JudgedAs(case="c", tests="t", harness="h", version="1")
    origin = ORIGIN._replace(judged_as=made)
    sdk = record_verdict(RESULT, SOLUTION, origin)
    command = record_shell(shell(FailureReason.passing(), passed=True), origin)
    assert [JudgedAs.of(each.attempt.result) for each in (sdk, command)] == [made, made]
    assert JudgedAs.of(record_verdict(RESULT, SOLUTION, ORIGIN).attempt.result) is None
