"""Scores: three ways to turn a verdict into a number from 0 to 100."""

from typing import NamedTuple

from sdkbench.core import Outcome, ScoreMode
from sdkbench.test_harness.models import TestResult

BUILD_WEIGHT = 25.0
TESTS_WEIGHT = 50.0
RUNTIME_WEIGHT = 25.0
PENALTY_PER_ERROR = 0.1  # ten runtime errors use up the runtime part


class Score(NamedTuple):
    score: float
    runtime_errors: int
    runtime_score: float


def runtime_part(errors: int) -> float:
    return max(0.0, 1.0 - PENALTY_PER_ERROR * errors)


def score(
    mode: ScoreMode, outcome: Outcome, *, build_errors: int | None, tests: TestResult | None
) -> Score:
    """The score of a verdict. `build_errors` is None where it never came to a build.

    Runtime errors are build errors and failed tests together. Only passed and failed attempts
    score: contradictory evidence, our own errors and what was not executed are worth 0.
    """
    failed_tests = tests.failed if tests else 0
    errors = (build_errors or 0) + failed_tests
    runtime = runtime_part(errors)
    no_evidence = outcome not in {Outcome.PASSED, Outcome.FAILED} or build_errors is None
    built = build_errors == 0
    no_tests = built and (tests is None or tests.total == 0)
    if no_evidence or no_tests:
        return Score(0.0, errors, 0.0)
    if mode is ScoreMode.STRICT:
        value = 100.0 if outcome is Outcome.PASSED else 0.0
    elif mode is ScoreMode.PASS_RATE:
        value = tests.pass_rate if tests and built else 0.0
    else:
        rate = tests.pass_rate / 100 if tests and built else 0.0
        value = BUILD_WEIGHT * built + TESTS_WEIGHT * rate + RUNTIME_WEIGHT * runtime
    return Score(round(value, 4), errors, round(100 * runtime, 4))
