"""Decks are dealt, altered, and read for what they say together."""

import random

import pytest

from sdkbench.core import Assurance, Outcome
from sdkbench.judge.decks import DeckRun, as_they_are, decide_twinned, merged, unstable
from sdkbench.judge.expectation import Expectation
from sdkbench.judge.twins import Deck, Twin, Twins, apply, candidates
from sdkbench.test_harness.alteration import Alteration
from sdkbench.test_harness.evidence import CaseReport, Evidence
from sdkbench.test_harness.models import TestStatus
from tests.support.evidence_builder import evidence, report

FILE = "tests/test_app.py"
IDS = tuple(f"{FILE}::test_{letter}" for letter in "abcdefgh")
EXPECTED = Expectation(must_pass=IDS)
FAILED = TestStatus.FAILED


def alteration(name: str, start: int = 0, line: int = 1, kind: str = "sense") -> Alteration:
    return Alteration.model_validate(
        {
            "path": FILE,
            "tests": f"{FILE}::{name}",
            "start": start,
            "end": start + 1,
            "replacement": "x",
            "line": line,
            "kind": kind,
        }
    )


def all_twins(*, mixed: bool = True) -> Twins:
    twins = [Twin(ids=(i,), alterations=(alteration(i.partition("::")[2]),)) for i in IDS]
    return Twins(twins=tuple(twins), mixed=mixed)


def run(deck: Deck, *, passing_altered: int = 0, failing: tuple[str, ...] = ()) -> DeckRun:
    """A deck as it goes: altered tests fail, but for some of them; the others pass."""
    forged = set(sorted(deck.altered)[:passing_altered])
    bad = (deck.altered - forged) | set(failing)
    reports: list[CaseReport] = [report(i, FAILED) if i in bad else report(i) for i in IDS]
    return DeckRun(deck, evidence(*reports, framework_exit=1 if bad else 0))


def test_each_test_is_altered_in_exactly_one_deck() -> None:
    for seed in range(20):
        first, second = all_twins().deal(random.Random(seed))
        assert first.altered | second.altered == set(IDS)
        assert not first.altered & second.altered


def test_every_alteration_is_dealt_and_every_test_stands_once_as_it_is() -> None:
    ways = (alteration("test_a", start=1), alteration("test_a", start=5))
    twins = Twins(twins=(Twin(ids=(IDS[0],), alterations=ways), *all_twins().twins[1:]))
    for seed in range(20):
        decks = twins.deal(random.Random(seed))
        assert len(decks) == 3
        dealt = [a.start for deck in decks for listed in deck.edits.values() for a in listed]
        assert sorted(dealt) == [0] * (len(IDS) - 1) + [1, 5]
        assert all(any(name not in deck.altered for deck in decks) for name in IDS)


def test_decks_differ_from_deal_to_deal() -> None:
    dealt = {all_twins().deal(random.Random(seed))[0].altered for seed in range(20)}
    assert len(dealt) > 10


def test_where_tests_disturb_each_other_one_deck_has_them_all() -> None:
    dealt = [all_twins(mixed=False).deal(random.Random(seed)) for seed in range(20)]
    sizes = {(len(first.altered), len(second.altered)) for first, second in dealt}
    assert sizes == {(0, len(IDS)), (len(IDS), 0)}


def test_honest_code_passes() -> None:
    decks = all_twins().deal(random.Random(1))
    runs = [run(deck) for deck in decks]
    assert all(as_they_are(one, EXPECTED).outcome is Outcome.PASSED for one in runs)
    verdict = decide_twinned(runs, Assurance.TWINNED)
    assert (verdict.outcome, verdict.assurance) == (Outcome.PASSED, Assurance.TWINNED)


def test_one_altered_test_that_passes_is_tampering() -> None:
    first, second = all_twins().deal(random.Random(1))
    verdict = decide_twinned([run(first, passing_altered=1), run(second)], Assurance.TWINNED)
    assert verdict.outcome is Outcome.INVALID
    assert [finding.name for finding in verdict.findings] == ["twins"]


@pytest.mark.parametrize("hidden", [True, False])
def test_an_altered_test_that_is_skipped_or_never_told_is_tampering_too(hidden: bool) -> None:
    first, second = all_twins().deal(random.Random(1))
    name = min(first.altered)
    told = [r for r in run(first).evidence.reports if r.id != name]
    if not hidden:
        told.append(report(name, TestStatus.SKIPPED))
    dodged = DeckRun(first, evidence(*told, framework_exit=1))
    verdict = decide_twinned([dodged, run(second)], Assurance.TWINNED)
    assert verdict.outcome is Outcome.INVALID


def test_a_test_that_fails_as_it_is_is_seen() -> None:
    first, _ = all_twins().deal(random.Random(1))
    as_is = next(i for i in IDS if i not in first.altered)
    bad = run(first, failing=(as_is,))
    assert as_they_are(bad, EXPECTED).outcome is Outcome.FAILED
    verdict = unstable([bad], EXPECTED, Assurance.TWINNED)
    assert (verdict.outcome, verdict.findings[0].name) == (Outcome.INVALID, "unstable")


def test_merged_evidence_has_every_test_once_and_as_it_is() -> None:
    decks = Twins(twins=all_twins().twins[:4]).deal(random.Random(1))
    whole: Evidence = merged([run(deck) for deck in decks])
    assert sorted(r.id for r in whole.reports) == sorted(IDS)
    assert {r.status for r in whole.reports} == {TestStatus.PASSED}


def test_an_id_that_two_places_claim_has_no_twin() -> None:
    found = candidates([alteration("test_a"), alteration("test_.")], IDS)
    assert found == ()


def test_other_values_come_before_opposites_and_last_places_first() -> None:
    offered = [
        alteration("test_a", start=1, line=1),
        alteration("test_a", start=2, line=2, kind="value"),
        alteration("test_a", start=3, line=3, kind="value"),
        alteration("test_a", start=4, line=3, kind="value"),
    ]
    [twin] = candidates(offered, IDS)
    assert [a.start for a in twin.alterations] == [3, 2]


def test_only_what_failed_on_the_reference_is_kept() -> None:
    twins = all_twins()
    first, second = twins.deal(random.Random(1))
    kept = twins.kept(
        [(first, run(first, passing_altered=1).evidence), (second, run(second).evidence)]
    )
    assert len(kept.twins) == len(IDS) - 1
    assert not kept.cover(EXPECTED)
    assert twins.cover(EXPECTED)


def test_alterations_are_made_from_the_end() -> None:
    text = "abcdef"
    assert apply(text, [alteration("a", start=1), alteration("b", start=4)]) == "axcdxf"


def test_trials_put_every_test_as_it_is_beside_every_other_altered() -> None:
    decks = all_twins().trials()
    for one in IDS:
        for other in IDS:
            if one != other:
                assert any(one in deck.altered and other not in deck.altered for deck in decks)


def test_trials_of_tests_that_disturb_each_other_alter_all_at_once() -> None:
    assert {deck.altered for deck in all_twins(mixed=False).trials()} == {frozenset(IDS)}
