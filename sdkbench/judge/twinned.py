"""judge_twinned: the verdict at level twinned, by mutants of the sample's tests that must fail."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.judge.expectation import Expectation
from sdkbench.judge.mutant_runs import SuiteRun, merged, run_suites
from sdkbench.judge.mutants import failing
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options
from sdkbench.judge.verdict import SHOWN, Verdict, decide
from sdkbench.test_harness import BaseTestRunner, Examination
from sdkbench.test_harness.models import Finding


class Judged(NamedTuple):
    """What was seen of a solution, and what it means."""

    examination: Examination
    verdict: Verdict


class _Attempted(NamedTuple):
    """`whole`: one run of all tests, put together from all suites; None if one was not clean."""

    whole: Examination | None
    runs: list[SuiteRun]


def judge_twinned(runner: BaseTestRunner, reference: Reference, options: Options) -> Judged:
    """The mutant suites first; the unchanged tests alone only where those were not clean."""
    expectation, assurance = reference.expectation, reference.assurance
    attempted = _attempt(runner, reference, options)
    if attempted.whole is not None:
        return Judged(attempted.whole, decide_mutants(attempted.runs, assurance))
    # A failure never comes from mutants: the unchanged tests alone decide on it.
    unchanged = runner.examine(run_build=options.run_build)
    verdict = decide(unchanged, expectation, assurance=assurance)
    if verdict.outcome is not Outcome.PASSED:
        return Judged(unchanged, verdict)
    return Judged(unchanged, unstable(attempted.runs, expectation, assurance))


def decide_mutants(runs: Sequence[SuiteRun], assurance: Assurance) -> Verdict:
    """For runs whose unchanged tests all passed: a pass, unless a mutant passed too."""
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


def _attempt(runner: BaseTestRunner, reference: Reference, options: Options) -> _Attempted:
    """All suites, or those up to the first that is not clean."""
    suites = reference.mutants.suites(random.SystemRandom())
    runs: list[SuiteRun] = []
    for run in run_suites(runner, suites, run_build=options.run_build):
        runs.append(run)
        if not run.is_clean(reference.expectation):
            return _Attempted(None, runs)
    return _Attempted(merged(runs) if len(runs) == len(suites) else None, runs)


def _invalid(assurance: Assurance, finding: Finding) -> Verdict:
    return Verdict(
        outcome=Outcome.INVALID,
        assurance=assurance,
        fault=Fault.TAMPERING,
        reason=finding.message,
        findings=(finding,),
    )
