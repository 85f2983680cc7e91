import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from sdkbench.core import Assurance, Fault, Outcome, ScoreMode
from sdkbench.errors import ArgumentError
from sdkbench.test_harness import (
    BuildResult,
    CoverageDetails,
    FCorrResult,
    FileCoverage,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFailure,
    TestFramework,
    TestResult,
    TestStatus,
)
from sdkbench.test_harness.models import severity_of

OPEN = (Language, TestFramework)


def test_the_known_names() -> None:
    assert [str(language) for language in Language] == [
        "python", "typescript", "javascript", "go", "rust", "java",
    ]  # fmt: skip
    assert [str(framework) for framework in TestFramework] == [
        "pytest", "unittest", "jest", "vitest", "mocha", "node_test", "go_test", "cargo_test",
        "junit",
    ]  # fmt: skip
    assert [str(status) for status in TestStatus] == ["passed", "failed", "skipped", "error"]


@pytest.mark.parametrize("kind", OPEN)
def test_other_strings_fit_and_are_one_value(kind: type[Language | TestFramework]) -> None:
    value = kind("kotlin-spec")
    assert value is kind("kotlin-spec")
    assert (value, str(value), value.value) == ("kotlin-spec", "kotlin-spec", "kotlin-spec")
    assert value != kind("other")
    assert isinstance(value, kind)
    assert value not in list(kind)


@pytest.mark.parametrize("kind", OPEN)
@pytest.mark.parametrize("value", ["", None, 5, ["x"]])
def test_what_is_no_name_does_not_fit(kind: type[Language | TestFramework], value: object) -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        kind(value)


@pytest.mark.parametrize("value", [Language.PYTHON, Language("kotlin"), TestFramework("spek")])
def test_open_values_survive_copies_and_pickles(value: Language | TestFramework) -> None:
    assert pickle.loads(pickle.dumps(value)) is value  # noqa: S301 - our own bytes
    assert copy.deepcopy(value) is value
    assert {value: 1}[type(value)(value.value)] == 1


@given(name=st.text(st.characters(codec="utf-8"), min_size=1, max_size=20))
def test_any_name_survives_json(name: str) -> None:
    found = RunnerDetectionResult(
        detected=True, language=Language(name), framework=TestFramework(name), confidence=1
    )
    again = RunnerDetectionResult.model_validate_json(found.model_dump_json())
    assert again == found
    assert again.language is Language(name)


def test_an_empty_name_is_refused_in_json() -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Language).validate_json('""')


@pytest.mark.parametrize("confidence", [-0.1, 1.1])
def test_confidence_is_from_zero_to_one(confidence: float) -> None:
    with pytest.raises(ArgumentError):
        RunnerDetectionResult(detected=True, confidence=confidence)


@pytest.mark.parametrize(
    ("passed", "total", "rate"), [(0, 0, 0.0), (0, 5, 0.0), (5, 5, 100.0), (1, 4, 25.0)]
)
def test_the_pass_rate_is_zero_without_tests(passed: int, total: int, rate: float) -> None:
    assert TestResult(success=False, passed=passed, total=total).pass_rate == rate


def test_counts_cannot_be_negative() -> None:
    with pytest.raises(ArgumentError):
        TestResult(success=False, failed=-1)


def test_results_cannot_be_changed() -> None:
    result = TestResult(success=True)
    with pytest.raises(ValidationError):
        result.success = False  # type: ignore[misc]


@pytest.mark.parametrize("public", [TestStatus, TestFailure, TestResult, TestFramework])
def test_public_classes_named_test_are_no_tests(public: type) -> None:
    assert vars(public)["__test__"] is False


FAILURE = TestFailure(test_name="test_b", error_message="assert 1 == 2")
RESULT = FCorrResult(
    score=50.0,
    outcome=Outcome.FAILED,
    assurance=Assurance.CHECKED,
    mode=ScoreMode.PASS_RATE,
    language=Language("kotlin"),
    framework=TestFramework("spek"),
    error="1 test of 2 failed",
    fault=Fault.TEST,
    test_results=TestResult(
        success=False, total=4, passed=2, failed=1, skipped=1, failures=[FAILURE]
    ),
    build_results=BuildResult(success=False, errors=["app.py:1: bad"]),
)


def test_computed_fields_follow_the_test_results() -> None:
    assert not RESULT.passed
    assert (RESULT.tests_passed, RESULT.tests_total, RESULT.tests_skipped) == (2, 4, 1)
    assert RESULT.pass_rate == 50.0
    assert RESULT.failed_tests == ["test_b"]
    assert RESULT.error_messages == ["1 test of 2 failed", "app.py:1: bad", "assert 1 == 2"]


def test_computed_fields_without_test_results_are_zero() -> None:
    result = FCorrResult(score=0.0, outcome=Outcome.NOT_EXECUTED)
    assert (result.tests_passed, result.tests_total, result.tests_skipped) == (0, 0, 0)
    assert (result.pass_rate, result.failed_tests, result.error_messages) == (0.0, [], [])
    assert not result.passed


@pytest.mark.parametrize("outcome", list(Outcome))
def test_only_the_outcome_passed_is_passed(outcome: Outcome) -> None:
    assert FCorrResult(score=0.0, outcome=outcome).passed == (outcome == "passed")


def test_a_result_survives_json_with_its_computed_fields() -> None:
    data = RESULT.model_dump(mode="json")
    assert data["tests_total"] == 4
    assert data["language"] == "kotlin"
    assert data["error_messages"] == RESULT.error_messages
    assert FCorrResult.model_validate_json(RESULT.model_dump_json()) == RESULT


@pytest.mark.parametrize("score", [-0.1, 100.1, float("nan")])
def test_a_score_outside_its_range_is_refused(score: float) -> None:
    with pytest.raises(ArgumentError):
        FCorrResult(score=score, outcome=Outcome.FAILED)


GOOD = TestResult(success=True, total=1, passed=1)
BAD = TestResult(success=False, total=1, failed=1)


@pytest.mark.parametrize(
    ("score", "error", "tests", "outcome"),
    [
        (0.0, "no runner fits", None, Outcome.ERROR),
        (0.0, None, None, Outcome.NOT_EXECUTED),
        (0.0, "1 test failed", BAD, Outcome.FAILED),
        (50.0, None, BAD, Outcome.FAILED),
        (50.0, None, None, Outcome.FAILED),
        (100.0, None, GOOD, Outcome.PASSED),
        (100.0, None, None, Outcome.PASSED),
        (100.0, "the disk is full", GOOD, Outcome.ERROR),
    ],
)
def test_an_outcome_that_is_left_out_follows_from_the_rest(
    score: float, error: str | None, tests: TestResult | None, outcome: Outcome
) -> None:
    result = FCorrResult(score=score, error=error, test_results=tests)
    assert (result.outcome, result.passed) == (outcome, outcome is Outcome.PASSED)
    assert FCorrResult.model_validate_json(result.model_dump_json()) == result


def test_what_kept_tests_from_running_is_a_failure_by_its_name() -> None:
    result = TestResult.broken("no such package", name="installation", duration=1.5)
    assert (result.success, result.total, result.duration) == (False, 0, 1.5)
    assert [(f.test_name, f.error_message) for f in result.failures] == [
        ("installation", "no such package")
    ]


@pytest.mark.parametrize(
    ("said", "severity"),
    [(2, "error"), (1, "warning"), ("warning", "warning"), ("note", "note"), (None, "error"),
     ([], "error"), ("fatal", "error")],
)  # fmt: skip
def test_severities_of_every_tool_are_the_same_three(said: object, severity: str) -> None:
    assert severity_of(said) == severity


def test_a_quick_check_is_ok_with_a_language_and_no_problems() -> None:
    assert QuickCheck(language=Language.PYTHON).ok
    assert not QuickCheck().ok
    assert not QuickCheck(language=Language.PYTHON, problems=["line 1"]).ok


def test_coverage_of_nothing_is_zero_and_of_an_empty_file_is_whole() -> None:
    assert CoverageDetails(tool="coverage").percent == 0.0
    assert FileCoverage(path="a", statements=0).percent == 100.0
    half = FileCoverage(path="a", statements=4, missing_lines=[1, 2])
    whole = FileCoverage(path="b", statements=4)
    assert half.percent == 50.0
    assert CoverageDetails(tool="coverage", files=[half, whole]).percent == 75.0
