"""Evidence → verdict, by pure functions. No evidence, no pass."""

from sdkbench.integrity.decks import DeckRun, as_they_are, decide_twinned, merged, unstable
from sdkbench.integrity.expectation import Expectation, expectation_from
from sdkbench.integrity.twins import Deck, Twins, apply, candidates, failing
from sdkbench.integrity.verdict import Verdict, decide

__all__ = [
    "Deck",
    "DeckRun",
    "Expectation",
    "Twins",
    "Verdict",
    "apply",
    "as_they_are",
    "candidates",
    "decide",
    "decide_twinned",
    "expectation_from",
    "failing",
    "merged",
    "unstable",
]
