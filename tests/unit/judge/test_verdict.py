import pytest

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.judge.verdict import Expectation, Verdict, expectation_from
from sdkbench.sandbox import StoppedBy
from sdkbench.test_harness import TestFailure, TestStatus
from sdkbench.test_harness.python.records import to_evidence
from sdkbench.test_harness.session import read_records
from tests.support.evidence_builder import completed, evidence, report, verdict_on

A, B, C = "tests/test_app.py::test_a", "tests/test_app.py::test_b", "tests/test_app.py::test_c"
EXPECTED = Expectation(must_pass=(A, B), may_skip=(C,))
FAILED, SKIPPED, ERROR = TestStatus.FAILED, TestStatus.SKIPPED, TestStatus.ERROR


def names(verdict: Verdict) -> list[str]:
    return [finding.name for finding in verdict.findings]


def test_every_expected_id_passed_once_is_passed() -> None:
    verdict = verdict_on(evidence(report(A), report(B), report(C)), EXPECTED)
    assert verdict == Verdict(outcome=Outcome.PASSED, assurance=Assurance.CHECKED)


def test_without_an_expectation_a_pass_is_only_plain() -> None:
    verdict = verdict_on(evidence(report(A)), None)
    assert verdict == Verdict(outcome=Outcome.PASSED, assurance=Assurance.PLAIN)


def test_a_failing_test_is_failed_and_reported_with_its_message() -> None:
    run = evidence(
        report(A), report(B, FAILED, message="\n  assert 1 == 2\nmore"), framework_exit=1
    )
    verdict = verdict_on(run, EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.TEST)
    assert verdict.reason == "1 test of 2 failed: test_b: assert 1 == 2"
    assert names(verdict) == ["failing_tests"]


def test_an_error_in_a_fixture_is_failed() -> None:
    verdict = verdict_on(evidence(report(A), report(B, ERROR), framework_exit=1), EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.TEST)
    assert verdict.reason == "1 test of 2 failed: test_b: error"


def test_a_failing_test_beyond_the_expected_ones_is_failed() -> None:
    run = evidence(report(A), report(B), report(f"{A}[1]", FAILED), framework_exit=1)
    assert verdict_on(run, EXPECTED).outcome is Outcome.FAILED


def test_unknown_extra_ids_that_pass_do_no_harm() -> None:
    run = evidence(report(A), report(B), report(f"{A}[1]"), report(f"{A}[2]", SKIPPED))
    assert verdict_on(run, EXPECTED).outcome is Outcome.PASSED


def test_tests_of_a_file_that_the_sample_does_not_have_are_invalid() -> None:
    run = evidence(report(A), report(B), report("expected/test_mine.py::test_mine"))
    assert names(verdict_on(run, EXPECTED)) == ["unknown_ids"]
    assert verdict_on(run, EXPECTED).outcome is Outcome.INVALID


@pytest.mark.parametrize("expectation", [EXPECTED, None])
def test_only_skips_is_no_pass(expectation: Expectation | None) -> None:
    verdict = verdict_on(evidence(report(A, SKIPPED), report(B, SKIPPED)), expectation)
    assert verdict.outcome is Outcome.FAILED
    assert "nothing_passed" in names(verdict)


def test_only_expected_failures_is_no_pass() -> None:
    verdict = verdict_on(evidence(report(A, expected_failure=True)), None)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.NO_TESTS)


@pytest.mark.parametrize("expectation", [EXPECTED, None])
def test_an_empty_run_is_no_pass(expectation: Expectation | None) -> None:
    verdict = verdict_on(evidence(framework_exit=5), expectation)
    assert verdict.outcome is Outcome.FAILED
    assert "no_tests" in names(verdict)


def test_an_empty_run_without_an_expectation_says_that_there_were_no_tests() -> None:
    verdict = verdict_on(evidence(framework_exit=5), None)
    assert verdict.fault is Fault.NO_TESTS
    assert verdict.reason == "No tests were found, so nothing was shown."


def test_an_empty_run_that_claims_success_shows_nothing() -> None:
    verdict = verdict_on(evidence(framework_exit=0), None)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.NO_TESTS)


def test_no_record_at_all_is_failed() -> None:
    run = to_evidence(read_records(b"", "nonce"), completed(0))
    verdict = verdict_on(run, EXPECTED)
    assert verdict.outcome is Outcome.FAILED
    assert names(verdict)[0] == "unfinished"


def test_a_truncated_channel_is_invalid() -> None:
    run = to_evidence(read_records(b"", "nonce", truncated=True), completed(0))
    verdict = verdict_on(run, EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.INVALID, Fault.TAMPERING)
    assert "overflowed" in (verdict.reason or "")


def test_a_forged_record_is_invalid_even_beside_a_clean_run() -> None:
    run = evidence(report(A), report(B), faults=("record 3 does not carry the run's nonce",))
    verdict = verdict_on(run, EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.INVALID, Fault.TAMPERING)
    assert "record 3" in (verdict.reason or "")
    assert names(verdict) == ["channel"]


def test_a_forged_record_outweighs_a_failing_test() -> None:
    run = evidence(report(A, FAILED), framework_exit=1, faults=("forged",))
    assert verdict_on(run, None).outcome is Outcome.INVALID


@pytest.mark.parametrize("expectation", [EXPECTED, None])
def test_an_id_reported_twice_is_invalid(expectation: Expectation | None) -> None:
    verdict = verdict_on(evidence(report(A), report(B), report(A)), expectation)
    assert (verdict.outcome, verdict.fault) == (Outcome.INVALID, Fault.TAMPERING)
    assert verdict.reason == f"Reported more than once: {A}."


def test_an_expected_id_that_is_missing_is_failed() -> None:
    verdict = verdict_on(evidence(report(A)), EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.TEST)
    assert verdict.reason == f"Expected but never reported: {B}."


def test_a_long_list_of_missing_ids_is_cut() -> None:
    expectation = Expectation(must_pass=(A, *(f"t{n}" for n in range(8))))
    reason = verdict_on(evidence(report(A)), expectation).reason
    assert reason == "Expected but never reported: t0, t1, t2, t3, t4 and 3 more."


def test_ids_that_may_skip_may_be_missing_skipped_or_xfail() -> None:
    for more in ((), (report(C, SKIPPED),), (report(C, SKIPPED, expected_failure=True),)):
        assert verdict_on(evidence(report(A), report(B), *more), EXPECTED).outcome is Outcome.PASSED


def test_a_skip_where_the_reference_passes_is_failed() -> None:
    verdict = verdict_on(evidence(report(A), report(B, SKIPPED)), EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.TEST)
    assert verdict.reason == f"Skipped where the reference passes: {B}."


@pytest.mark.parametrize("status", [TestStatus.PASSED, TestStatus.SKIPPED])
def test_an_expected_failure_where_the_reference_passes_is_failed(status: TestStatus) -> None:
    verdict = verdict_on(evidence(report(A), report(B, status, expected_failure=True)), EXPECTED)
    assert verdict.outcome is Outcome.FAILED
    assert names(verdict) == ["skipped"]


@pytest.mark.parametrize(
    ("framework", "process"), [(0, 1), (1, 0), (0, 139)], ids=["worse", "better", "other"]
)
def test_a_process_that_ends_otherwise_than_its_framework_is_invalid(
    framework: int, process: int
) -> None:
    status = FAILED if framework else TestStatus.PASSED
    run = evidence(
        report(A), report(B, status), framework_exit=framework, process=completed(process)
    )
    verdict = verdict_on(run, EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.INVALID, Fault.TAMPERING)
    assert names(verdict)[0] == "exit_code"


def test_a_process_killed_after_the_end_of_the_run_is_invalid() -> None:
    run = evidence(report(A), report(B), process=completed(None, signal=11))
    verdict = verdict_on(run, EXPECTED)
    assert verdict.outcome is Outcome.INVALID
    assert "SIGSEGV" in (verdict.reason or "")


def test_clean_reports_with_a_failing_exit_code_are_invalid() -> None:
    verdict = verdict_on(evidence(report(A), report(B), framework_exit=1), EXPECTED)
    assert verdict.outcome is Outcome.INVALID
    assert "The reports are clean" in (verdict.reason or "")


def test_failing_reports_with_a_clean_exit_code_are_invalid() -> None:
    verdict = verdict_on(evidence(report(A), report(B, FAILED), framework_exit=0), EXPECTED)
    assert verdict.outcome is Outcome.INVALID
    assert "show failures" in (verdict.reason or "")


def test_tests_that_cannot_be_loaded_are_failed() -> None:
    broken = TestFailure(test_name="tests/test_app.py", error_message="ImportError: no app")
    run = evidence(framework_exit=2, collection_errors=(broken, broken))
    verdict = verdict_on(run, EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.TEST)
    assert verdict.reason == "The tests could not be loaded: ImportError: no app (and 1 more)."


def test_an_error_between_tests_does_not_mean_that_they_were_not_loaded() -> None:
    stray = TestFailure(test_name="outside of any test", error_message="Error: nobody waited")
    run = evidence(report(A), report(B), framework_exit=1, collection_errors=(stray,))
    assert run.load_errors == []
    verdict = verdict_on(run, EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.TEST)
    assert verdict.reason == "An error outside of any test: Error: nobody waited."


def test_an_error_without_a_file_is_one_of_loading_where_no_test_reported() -> None:
    stray = TestFailure(test_name="outside of any test", error_message="SyntaxError: odd")
    run = evidence(framework_exit=1, collection_errors=(stray,))
    assert run.load_errors == [stray]


@pytest.mark.parametrize("exit_code", [0, 1])
def test_a_run_without_a_record_of_its_end_is_failed(exit_code: int) -> None:
    run = evidence(report(A), report(B), ended=False, running=C, process=completed(exit_code))
    verdict = verdict_on(run, EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.TEST)
    assert verdict.reason == (
        f"The test run ended early while {C} was running: exit code {exit_code}."
    )


@pytest.mark.parametrize(
    ("limit", "fault"),
    [
        (StoppedBy.WALL, Fault.TIMEOUT),
        (StoppedBy.CPU, Fault.RESOURCE_LIMIT),
        (StoppedBy.MEMORY, Fault.RESOURCE_LIMIT),
        (StoppedBy.OUTPUT, Fault.RESOURCE_LIMIT),
        (StoppedBy.PROCESSES, Fault.RESOURCE_LIMIT),
    ],
)
@pytest.mark.parametrize("ended", [True, False])
def test_a_run_stopped_at_a_limit_is_failed(limit: StoppedBy, fault: Fault, *, ended: bool) -> None:
    process = completed(None, signal=9, stopped_by=limit, duration_seconds=12.4)
    run = evidence(report(A), report(B), ended=ended, running=C, process=process)
    verdict = verdict_on(run, EXPECTED)
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, fault)
    assert f"the {limit.value} limit" in (verdict.reason or "")
    assert C in (verdict.reason or "")
    assert ("after 12 s" in (verdict.reason or "")) == (limit is StoppedBy.WALL)


def test_every_limit_has_its_test() -> None:
    assert set(StoppedBy) == {
        StoppedBy.WALL,
        StoppedBy.CPU,
        StoppedBy.MEMORY,
        StoppedBy.OUTPUT,
        StoppedBy.PROCESSES,
    }


def test_all_findings_are_reported_the_gravest_first() -> None:
    run = evidence(report(A, FAILED), report(A, FAILED), framework_exit=1)
    assert names(verdict_on(run, EXPECTED)) == [
        "repeated_ids",
        "failing_tests",
        "missing_ids",
        "nothing_passed",
    ]


def test_an_expectation_takes_only_clean_passes_as_musts() -> None:
    run = evidence(report(B), report(A), report(C, SKIPPED), report("x", expected_failure=True))
    assert expectation_from([run]) == Expectation(must_pass=(A, B), may_skip=(C, "x"))


def test_a_test_that_passes_now_and_then_is_unstable() -> None:
    first = evidence(report(A), report(B), report(C, SKIPPED))
    second = evidence(report(A), report(B, FAILED), report(C, SKIPPED), framework_exit=1)
    found = expectation_from([first, second])
    assert found == Expectation(must_pass=(A,), may_skip=(C,), unstable=(B,))
    assert verdict_on(second, found).outcome is Outcome.PASSED
    assert verdict_on(evidence(report(A, FAILED), report(B), framework_exit=1), found).reason
