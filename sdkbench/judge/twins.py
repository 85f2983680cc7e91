"""Twins: a sample's tests dealt into decks, in each of which some expect something else.

Every test stands in one deck as it is and in another one altered, so that it must fail there.
Which is which is known only here, outside of every sandbox: code that makes tests pass whatever
they expect passes the altered ones too.
"""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from sdkbench.judge.expectation import Expectation
from sdkbench.test_harness.alteration import Alteration
from sdkbench.test_harness.evidence import Evidence
from sdkbench.test_harness.models import TestStatus

CHOICES = 2  # alterations of one test; each of them costs every attempt one more run


class Twin(BaseModel):
    """The tests of one place in a file, and the alterations after which all of them fail."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ids: tuple[str, ...]
    alterations: tuple[Alteration, ...]


class Deck(NamedTuple):
    """One run's tests: `edits` by file, and the ids that must fail because of them."""

    edits: Mapping[str, tuple[Alteration, ...]]
    altered: frozenset[str]


class Twins(BaseModel):
    """All that is known of a sample's twins.

    `mixed`: altered tests may stand beside others. Where a failing test disturbs those after it,
    a deck holds all of them altered or none. `together`: the decks may share a
    process that has imported what all of them need.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    twins: tuple[Twin, ...]
    mixed: bool = True
    together: bool = True

    def deal(self, chance: random.Random) -> tuple[Deck, ...]:
        """One deck more than a test has alterations, in random order.

        Each test stands in at least one of them as it is, and in one for each of its alterations:
        code that cheats at one expectation only meets that one altered.
        """
        ways = max((len(twin.alterations) for twin in self.twins), default=0)
        sides: list[list[tuple[Twin, Alteration]]] = [[] for _ in range(ways + 1)]
        order = chance.sample(range(ways + 1), ways + 1)
        for twin in self.twins:
            order = chance.sample(order, len(order)) if self.mixed else order
            for place, alteration in zip(order, twin.alterations, strict=False):
                sides[place].append((twin, alteration))
        return tuple(_deck(side) for side in sides)

    def cover(self, expectation: Expectation) -> bool:
        """Whether every test that must pass has a twin."""
        return set(expectation.must_pass) <= {i for twin in self.twins for i in twin.ids}

    def trials(self) -> list[Deck]:
        """Decks that try every alteration, and every test as it is beside every other altered.

        Two twins differ in a bit of their numbers; where that bit tells the deck, each of them is
        once altered where the other is not.
        """
        rounds = max(CHOICES, (len(self.twins) - 1).bit_length()) if self.mixed else CHOICES
        decks = []
        for number in range(rounds):
            sides: tuple[list[tuple[Twin, Alteration]], ...] = ([], [])
            for index, twin in enumerate(self.twins):
                way = twin.alterations[number % len(twin.alterations)]
                sides[index >> number & 1 if self.mixed else 0].append((twin, way))
            decks += [_deck(side) for side in sides if side]
        return decks

    def kept(self, tried: Iterable[tuple[Deck, Evidence]]) -> "Twins":
        """These twins, each with the alterations after which all of its tests failed.

        An alteration that did not always do so is no good.
        """
        good: set[Alteration] = set()
        bad: set[Alteration] = set()
        for deck, evidence in tried:
            failed = failing(evidence)
            made = {alteration for listed in deck.edits.values() for alteration in listed}
            for twin in self.twins:
                (good if set(twin.ids) <= failed else bad).update(made & {*twin.alterations})
        proven = [
            Twin(ids=twin.ids, alterations=kept)
            for twin in self.twins
            if (kept := tuple(a for a in twin.alterations if a in good - bad))
        ]
        return self.model_copy(update={"twins": tuple(proven)})


def candidates(alterations: Iterable[Alteration], ids: Sequence[str]) -> tuple[Twin, ...]:
    """Alterations by the tests that they are of; ids that two places claim are no one's."""
    by_tests: dict[str, list[Alteration]] = {}
    for alteration in alterations:
        by_tests.setdefault(alteration.tests, []).append(alteration)
    claimed = {tests: {i for i in ids if re.fullmatch(tests, i)} for tests in by_tests}
    twins = []
    for tests, found in by_tests.items():
        others = [claimed[other] for other in by_tests if other != tests]
        if claimed[tests] and not any(claimed[tests] & other for other in others):
            twins.append(Twin(ids=tuple(sorted(claimed[tests])), alterations=_spread(found)))
    return tuple(twins)


def _spread(found: list[Alteration]) -> tuple[Alteration, ...]:
    """A few, of as many places as there are: the first way at each place comes before a second.

    Other values before the opposite: code that reads what a test expects, and gives it that, fails
    the opposite as honest code does, but meets another value. Last places first: code that gets
    only the beginning of a test right is found out too.
    """
    values = [alteration for alteration in found if alteration.kind == "value"]
    by_place: dict[int, list[Alteration]] = {}
    for alteration in values or found:
        by_place.setdefault(alteration.line, []).append(alteration)
    ranked = [(rank, -line, a) for line, ways in by_place.items() for rank, a in enumerate(ways)]
    return tuple(a for _, _, a in sorted(ranked, key=lambda r: r[:2])[:CHOICES])


def _deck(altered: list[tuple[Twin, Alteration]]) -> Deck:
    edits: dict[str, list[Alteration]] = {}
    for _, alteration in altered:
        edits.setdefault(alteration.path, []).append(alteration)
    return Deck(
        edits={path: tuple(listed) for path, listed in edits.items()},
        altered=frozenset(i for twin, _ in altered for i in twin.ids),
    )


def apply(text: str, alterations: Iterable[Alteration]) -> str:
    """The text with each alteration made; from the end, so that places stay where they are."""
    for alteration in sorted(alterations, key=lambda a: a.start, reverse=True):
        text = text[: alteration.start] + alteration.replacement + text[alteration.end :]
    return text


def failing(evidence: Evidence) -> frozenset[str]:
    bad = {TestStatus.FAILED, TestStatus.ERROR}
    return frozenset(report.id for report in evidence.reports if report.status in bad)
