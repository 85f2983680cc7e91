"""judge_twinned: a solution on decks of its sample's tests, in each of which some are altered.

A pass needs every test to pass as it is and to fail where it is altered. A solution that does not
pass is judged once more, on the untouched tests alone: no failure is ever the decks' fault.
"""

import random
from typing import NamedTuple

from sdkbench.core import Outcome
from sdkbench.judge.deck_runs import examine_decks, is_clean
from sdkbench.judge.decks import DeckRun, decide_twinned, merged, unstable
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options
from sdkbench.judge.verdict import Verdict, decide
from sdkbench.test_harness import BaseTestRunner, Examination


class Judged(NamedTuple):
    """What was seen, and what it means; no verdict where it never came to tests."""

    examined: Examination
    verdict: Verdict | None


def judge_twinned(runner: BaseTestRunner, reference: Reference, options: Options) -> Judged:
    """Decks that share a process first, where the sample allows; those of their own only if the
    others disagree with the untouched tests.
    """
    expectation, assurance = reference.expectation, reference.assurance
    # Packages that only the solution asks for must not run where all decks descend from.
    trusted = runner.environment_key == expectation.environment is not None
    together = trusted and reference.twins.together
    seen, runs = _dealt(runner, reference, together=together, options=options)
    if seen is not None:
        return Judged(seen, decide_twinned(runs, assurance))
    untouched = _untouched(runner, reference, options)
    if untouched.verdict is None or untouched.verdict.outcome is not Outcome.PASSED:
        return untouched
    if together and not (runs and runs[-1].evidence.ended):
        # The sharing may have broken it. Where it did not, this would only be a second chance.
        seen, runs = _dealt(runner, reference, together=False, options=options)
        if seen is not None:
            return Judged(seen, decide_twinned(runs, assurance))
    return untouched._replace(verdict=unstable(runs, expectation, assurance))


class _Dealt(NamedTuple):
    """`seen`: one run of the whole suite, put together of all decks; None if one was not clean."""

    seen: Examination | None
    runs: list[DeckRun]


def _dealt(
    runner: BaseTestRunner, reference: Reference, *, together: bool, options: Options
) -> _Dealt:
    """All decks, or those up to the first that is not clean; fewer too where a run ended all."""
    decks = reference.twins.deal(random.SystemRandom())
    found = examine_decks(runner, decks, together=together, run_build=options.run_build)
    runs: list[DeckRun] = []
    seen: Examination | None = None
    for deck, examined in zip(decks, found, strict=False):
        if examined.evidence is not None:
            runs.append(DeckRun(deck, examined.evidence))
        if not is_clean(deck, examined, reference.expectation):
            return _Dealt(None, runs)
        seen = examined
    if seen is None or len(runs) < len(decks):
        return _Dealt(None, runs)
    evidence = merged(runs)
    whole = seen.model_copy(update={"evidence": evidence, "process": evidence.process})
    return _Dealt(whole, runs)


def _untouched(runner: BaseTestRunner, reference: Reference, options: Options) -> Judged:
    examined = runner.examine(run_build=options.run_build)
    if examined.evidence is None:
        return Judged(examined, None)
    verdict = decide(examined.evidence, reference.expectation, worth=reference.assurance)
    return Judged(examined, verdict)
