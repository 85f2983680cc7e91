"""A solution that departs from what the reference gives chooses no lower level by it."""

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.judge.apart import Departed
from sdkbench.judge.verdict import Verdict

PASSED = Verdict(outcome=Outcome.PASSED, assurance=Assurance.CHECKED)
FAILED = Verdict(outcome=Outcome.FAILED, assurance=Assurance.CHECKED, fault=Fault.TEST)


def test_a_pass_that_nothing_shows_to_be_none_is_a_failure() -> None:
    verdict = Departed("", departure="app.f() gives a function").decide(PASSED, ["test_f"])
    assert (verdict.outcome, verdict.fault) == (Outcome.FAILED, Fault.TEST)
    assert "test_f" in (verdict.reason or "")
    assert "app.f() gives a function" in (verdict.reason or "")


def test_mutants_of_all_such_tests_decide() -> None:
    assert Departed("", departure="it departs").decide(PASSED, []) is PASSED


def test_a_failure_stays_what_it_is() -> None:
    assert Departed("", departure="it departs").decide(FAILED, ["test_f"]) is FAILED


def test_what_the_solution_has_no_part_in_is_not_its_failure() -> None:
    assert Departed("the environment is gone").decide(PASSED, ["test_f"]) is PASSED
