"""A judge that believes an exit code, as many do: for showing that the attack corpus can fail."""

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.judge.verdict import Verdict
from sdkbench.test_harness.evidence import Evidence


def decide_by_exit_code(evidence: Evidence) -> Verdict:
    """No expected ids, no record, no cross-checks. Only tests of the corpus may ask for it."""
    passed = evidence.process.ok
    return Verdict(
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        assurance=Assurance.PLAIN,
        fault=None if passed else Fault.TEST,
        reason=None if passed else f"The tests ended with {evidence.process.ending()}.",
    )
