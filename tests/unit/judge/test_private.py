"""One verdict by two sets of tests."""

import pytest

from sdkbench.core import Assurance, Outcome
from sdkbench.judge.private import by_both
from sdkbench.test_harness import FCorrResult, TestFailure, TestResult, TestStatus
from sdkbench.test_harness.models import BuildResult


def result(outcome: Outcome, assurance: Assurance = Assurance.APART) -> FCorrResult:
    good = outcome is Outcome.PASSED
    name = "tests/test_app.py::test_two"
    failures = [] if good else [TestFailure(test_name=name, error_message="assert 3 == 4")]
    return FCorrResult(
        score=100.0 if good else 0.0,
        outcome=outcome,
        assurance=assurance,
        error=None if good else "one test failed",
        build_results=BuildResult(success=True),
        test_results=TestResult(
            success=good,
            total=1,
            passed=int(good),
            failed=int(not good),
            failures=failures,
            cases={name: TestStatus.PASSED if good else TestStatus.FAILED},
        ),
    )


def test_both_must_pass() -> None:
    both = by_both(result(Outcome.PASSED), result(Outcome.PASSED, Assurance.CHECKED))
    assert (both.outcome, both.score, both.tests_total) == (Outcome.PASSED, 100, 2)
    assert both.assurance is Assurance.CHECKED, "worth as much as the weaker of the two"


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.INVALID, Outcome.ERROR])
def test_the_worse_of_the_two_is_the_verdict(outcome: Outcome) -> None:
    for pair in [(Outcome.PASSED, outcome), (outcome, Outcome.PASSED)]:
        both = by_both(*map(result, pair))
        assert (both.outcome, both.score) == (outcome, 0)
        assert both.tests_total == 2


def test_private_tests_are_told_from_others_of_the_same_name() -> None:
    both = by_both(result(Outcome.PASSED), result(Outcome.FAILED))
    assert both.failed_tests == ["private/tests/test_app.py::test_two"]
    assert both.error == "By the private tests: one test failed"
    assert both.test_results is not None
    assert len(both.test_results.cases) == 2
