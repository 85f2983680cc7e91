"""judge_twinned: a solution on two decks of its sample's tests, in each of which some are altered.

A pass needs every test to pass as it is and to fail where it is altered. A solution that does not
pass is judged once more, on the untouched tests alone: no failure is ever the decks' fault.
"""

import random
from typing import NamedTuple

from sdkbench.core import Outcome
from sdkbench.integrity import (
    DeckRun,
    Verdict,
    as_they_are,
    decide,
    decide_twinned,
    merged,
    unstable,
)
from sdkbench.metrics.f_corr.deck_runs import examine_deck
from sdkbench.metrics.f_corr.reference import Reference
from sdkbench.metrics.f_corr.subject import Options
from sdkbench.test_harness import BaseTestRunner, Examination


class Judged(NamedTuple):
    """What was seen, and what it means; no verdict where it never came to tests."""

    examined: Examination
    verdict: Verdict | None


def judge_twinned(runner: BaseTestRunner, reference: Reference, options: Options) -> Judged:
    expectation, twins = reference.expectation, reference.twins
    assurance = reference.assurance
    runs: list[DeckRun] = []
    for deck in twins.deal(random.SystemRandom()):
        examined = examine_deck(runner, deck, run_build=options.run_build and not runs)
        if examined.evidence is None:
            return Judged(examined, None)
        runs.append(DeckRun(deck, examined.evidence))
        if as_they_are(runs[-1], expectation).outcome is not Outcome.PASSED:
            break
    else:
        evidence = merged(runs)
        last = examined.model_copy(update={"evidence": evidence, "process": evidence.process})
        return Judged(last, decide_twinned(runs, assurance))
    untouched = runner.examine(run_build=False)
    if untouched.evidence is None:
        return Judged(untouched, None)
    verdict = decide(untouched.evidence, expectation)
    if verdict.outcome is Outcome.PASSED:
        return Judged(untouched, unstable(runs, expectation, assurance))
    return Judged(untouched, verdict.model_copy(update={"assurance": assurance}))
