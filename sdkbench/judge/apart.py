"""judge_apart: the verdict where tests and solution ran in two sandboxes."""

from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.judge.reference import Reference
from sdkbench.judge.verdict import SHOWN, Verdict, decide
from sdkbench.test_harness import BaseTestRunner, Examination
from sdkbench.test_harness.apart import ApartRun
from sdkbench.test_harness.models import Finding

_GONE = "not judged apart from its tests: the reference's environment is gone"


class Judged(NamedTuple):
    examination: Examination
    verdict: Verdict


class Departed(NamedTuple):
    """The solution gives its tests something live that the reference does not: what a test makes
    of that could be the solution's decision. It has to be judged in one process.

    `decided` are tests that passed apart, without any of that. `departure` is None where the
    solution has no part in it.
    """

    note: str
    decided: frozenset[str] = frozenset()
    departure: str | None = None

    def decide(self, together: Verdict, undecided: Sequence[str]) -> Verdict:
        """The verdict, of that on both in one process; `undecided` are tests without a mutant.

        No solution chooses a lower level than its sample proves: what neither two sandboxes nor
        mutants can tell from a forgery is no pass.
        """
        if self.departure is None or together.outcome is not Outcome.PASSED or not undecided:
            return together
        more = f" and {len(undecided) - SHOWN} more" if len(undecided) > SHOWN else ""
        reason = (
            f"In {', '.join(undecided[:SHOWN])}{more} a pass can't be told from a forgery: what "
            "the solution gives can't be compared in the tests' own sandbox, and no mutant stands "
            "for them. "
            f"{self.departure}. Give what the reference gives there."
        )
        finding = Finding(name="departure", message=reason)
        return Verdict(
            outcome=Outcome.FAILED,
            assurance=together.assurance,
            fault=Fault.TEST,
            reason=reason,
            findings=(finding,),
        )


def judge_apart(
    runner: BaseTestRunner, reference: Reference, *, run_build: bool
) -> Judged | Departed:
    """To be called where the reference is proven to be apart."""
    profile, expectation = reference.apart.profile, reference.expectation
    run = runner.examine_apart(profile, run_build=run_build)
    if run is None:
        return Departed(_GONE)
    if run.departures:
        return _departed(run)
    verdict = decide(run.examination, expectation, assurance=Assurance.APART)
    if verdict.outcome is not Outcome.PASSED or not run.changes:
        return Judged(run.examination, verdict)
    # It changed what its tests hold: they may have worked out from that what they expect.
    again = runner.examine_apart(profile, run_build=run_build, copies=True)
    if again is None:
        return Departed(_GONE)
    if again.departures:
        return _departed(again)
    second = decide(again.examination, expectation, assurance=Assurance.APART)
    if second.outcome is Outcome.PASSED:
        return Judged(run.examination, verdict)
    reason = (
        f"{second.reason} (once the tests hold what they made themselves: {run.changes[0]}, and so "
        "changes what they expect)"
    )
    return Judged(again.examination, second.model_copy(update={"reason": reason}))


def _departed(run: ApartRun) -> Departed:
    more = f" (and {len(run.departures) - 1} more)" if len(run.departures) > 1 else ""
    note = f"not judged apart from its tests: {run.departures[0]}{more}"
    evidence = run.examination.evidence
    # Each departure is told with its test, where that is known.
    if evidence is None or not run.obstacles or "" in run.obstacles:
        return Departed(note, departure=run.departures[0])
    clean = {report.id for report in evidence.reports if report.is_clean}
    return Departed(note, frozenset(clean - {*run.obstacles}), run.departures[0])
