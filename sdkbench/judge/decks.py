"""What the decks of a sample's tests say together of the code that was judged on them."""

from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.judge.expectation import Expectation
from sdkbench.judge.twins import Deck, failing
from sdkbench.judge.verdict import SHOWN, Verdict, decide
from sdkbench.test_harness.evidence import Evidence
from sdkbench.test_harness.models import Finding


class DeckRun(NamedTuple):
    deck: Deck
    evidence: Evidence


def as_they_are(run: DeckRun, expectation: Expectation) -> Verdict:
    """The verdict by the tests that this deck holds as they are."""
    return decide(run.evidence, expectation, aside=run.deck.altered)


def decide_twinned(runs: Sequence[DeckRun], assurance: Assurance) -> Verdict:
    """Runs whose tests all passed as they are: a pass, unless an altered test did not fail."""
    held = sorted(i for run in runs for i in run.deck.altered - failing(run.evidence))
    if not held:
        return Verdict(outcome=Outcome.PASSED, assurance=assurance)
    more = f" and {len(held) - SHOWN} more" if len(held) > SHOWN else ""
    message = (
        "Tampering: passed as it is, and did not fail either when it expected something else: "
        f"{', '.join(held[:SHOWN])}{more}."
    )
    return _invalid(assurance, Finding(name="twins", message=message))


def unstable(runs: Sequence[DeckRun], expectation: Expectation, assurance: Assurance) -> Verdict:
    """For code that passes the untouched tests but not the same ones beside altered ones."""
    reasons = [as_they_are(run, expectation).reason for run in runs]
    told = next((reason for reason in reasons if reason), "a run did not come to its end.")
    message = f"One run passes and the next does not, on the same tests: {told}"
    return _invalid(assurance, Finding(name="unstable", message=message))


def _invalid(assurance: Assurance, finding: Finding) -> Verdict:
    return Verdict(
        outcome=Outcome.INVALID,
        assurance=assurance,
        fault=Fault.TAMPERING,
        reason=finding.message,
        findings=(finding,),
    )


def merged(runs: Sequence[DeckRun]) -> Evidence:
    """Each test as it went where it stands as it is; the altered ones are nobody's business."""
    told = [r for run in runs for r in run.evidence.without(run.deck.altered).reports]
    # A test without a twin stands in every deck as it is.
    reports = tuple({report.id: report for report in told}.values())
    last = runs[-1].evidence
    seconds = sum(run.evidence.process.duration_seconds for run in runs)
    quiet = {"stdout": "", "stderr": "", "duration_seconds": seconds}
    return last.model_copy(
        update={
            "reports": reports,
            "collected": tuple(report.id for report in reports),
            "console": None,
            "process": last.process.model_copy(update=quiet),
        }
    )
