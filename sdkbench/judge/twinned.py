"""judge_twinned: the verdict at level twinned, by mutants of the sample's tests that must fail."""

import random
from collections.abc import Sequence

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.errors import Cancelled
from sdkbench.judge.mutants import SuiteRun, failing, merged, run_suites, run_untouched
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options
from sdkbench.judge.verdict import SHOWN, Expectation, Verdict, decide
from sdkbench.test_harness import BaseTestRunner, Examination
from sdkbench.test_harness.models import Finding


class SawUntouchedTests(Exception):
    """A fault of ours, after the solution may have seen its tests unchanged.

    Were it dealt mutants once more, it could tell them from what it has seen.
    """

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


def judge_twinned(
    runner: BaseTestRunner,
    reference: Reference,
    options: Options,
    *,
    decided: frozenset[str] = frozenset(),
) -> tuple[Examination, Verdict]:
    """The mutant suites first; the unchanged tests alone only where those were not clean.

    Tests that are `decided` need no mutant.

    Raises SawUntouchedTests for a fault of ours in the latter: no attempt follows then.
    """
    expectation, assurance = reference.expectation, reference.assurance_together(decided)
    whole, runs = _attempt(runner, reference, options)
    if whole is not None:
        return whole, decide_mutants(runs, assurance)
    # A failure never comes from mutants: the unchanged tests alone decide on it.
    try:
        unchanged = run_untouched(runner, run_build=options.run_build)
    except Cancelled:
        raise
    except Exception as error:  # whatever it was: it is told what the solution has seen
        raise SawUntouchedTests(error) from error
    verdict = decide(unchanged, expectation, assurance=assurance)
    if verdict.outcome is not Outcome.PASSED:
        return unchanged, verdict
    return unchanged, unstable(runs, expectation, assurance)


def decide_mutants(runs: Sequence[SuiteRun], assurance: Assurance) -> Verdict:
    """For runs whose unchanged tests all passed: a pass, unless a mutant passed too."""
    assurance = _worth(runs, assurance)
    survivors = sorted(
        test_id
        for run in runs
        if run.examination.evidence is not None
        for test_id in run.suite.mutated - failing(run.examination.evidence)
    )
    if not survivors:
        return Verdict(outcome=Outcome.PASSED, assurance=assurance)
    more = f" and {len(survivors) - SHOWN} more" if len(survivors) > SHOWN else ""
    message = (
        "Tampering: these tests passed even after they were changed to expect something else: "
        f"{', '.join(survivors[:SHOWN])}{more}."
    )
    return _invalid(assurance, Finding(name="twins", message=message))


def unstable(runs: Sequence[SuiteRun], expectation: Expectation, assurance: Assurance) -> Verdict:
    """For code that passes the unchanged tests alone, but not beside mutants."""
    reasons = [run.unchanged(expectation).reason for run in runs if run.examination.evidence]
    reason = next((reason for reason in reasons if reason), "a run did not come to its end.")
    message = f"The same tests passed in one run and failed in the next: {reason}"
    return _invalid(assurance, Finding(name="unstable", message=message))


def _worth(runs: Sequence[SuiteRun], assurance: Assurance) -> Assurance:
    """Mutants show that a pass was not forged for all tests alike. Code with the means to change
    the program that tests it could forge with more care.
    """
    evidences = [run.examination.evidence for run in runs]
    doubtful = any(evidence.doubts for evidence in evidences if evidence is not None)
    return Assurance.CHECKED if doubtful and assurance is Assurance.TWINNED else assurance


def _attempt(
    runner: BaseTestRunner, reference: Reference, options: Options
) -> tuple[Examination | None, list[SuiteRun]]:
    """One run of all tests, put together from all suites; and their runs, up to the first that is
    not clean. There is no whole then.
    """
    suites = reference.mutants.suites(random.SystemRandom())
    runs: list[SuiteRun] = []
    for run in run_suites(runner, suites, run_build=options.run_build):
        runs.append(run)
        if not run.is_clean(reference.expectation):
            return None, runs
    return merged(runs) if len(runs) == len(suites) else None, runs


def _invalid(assurance: Assurance, finding: Finding) -> Verdict:
    return Verdict(
        outcome=Outcome.INVALID,
        assurance=assurance,
        fault=Fault.TAMPERING,
        reason=finding.message,
        findings=(finding,),
    )
