"""Mutant suites are drawn, applied, and read for what they show together."""

import random

import pytest

from sdkbench.core import Assurance, Outcome
from sdkbench.judge.mutants import (
    CHOICES,
    KEPT,
    Mutants,
    MutantSuite,
    MutatedTest,
    SuiteRun,
    apply,
    candidates,
    merged,
)
from sdkbench.judge.twinned import decide_mutants, unstable
from sdkbench.judge.verdict import Expectation
from sdkbench.test_harness.evidence import CaseReport, Evidence
from sdkbench.test_harness.models import TestStatus
from sdkbench.test_harness.mutations import Mutation
from tests.support.evidence_builder import evidence, examination, report

FILE = "tests/test_app.py"
IDS = tuple(f"{FILE}::test_{letter}" for letter in "abcdefgh")
EXPECTED = Expectation(must_pass=IDS)
FAILED = TestStatus.FAILED


CHANCE = random.Random(1)


def mutation(
    name: str, start: int = 0, line: int = 1, kind: str = "sense", renamed: object = None
) -> Mutation:
    return Mutation.model_validate(
        {
            "path": FILE,
            "tests": f"{FILE}::{name}",
            "start": start,
            "end": start + 1,
            "replacement": "x",
            "line": line,
            "kind": kind,
            "renamed": renamed,
        }
    )


def all_mutants(*, mixed: bool = True) -> Mutants:
    tests = [MutatedTest(ids=(i,), mutations=(mutation(i.partition("::")[2]),)) for i in IDS]
    return Mutants(tests=tuple(tests), mixed=mixed)


def run(suite: MutantSuite, *, survivors: int = 0, failing: tuple[str, ...] = ()) -> SuiteRun:
    """A suite as it goes: mutants fail, but for some survivors; the others pass."""
    forged = set(sorted(suite.mutated)[:survivors])
    bad = (suite.mutated - forged) | set(failing)
    reports: list[CaseReport] = [report(i, FAILED) if i in bad else report(i) for i in IDS]
    return SuiteRun(suite, examination(evidence(*reports, framework_exit=1 if bad else 0)))


def evidence_of(one: SuiteRun) -> Evidence:
    assert one.examination.evidence is not None
    return one.examination.evidence


def test_each_test_is_mutated_in_exactly_one_suite() -> None:
    for seed in range(20):
        first, second = all_mutants().suites(random.Random(seed))
        assert first.mutated | second.mutated == set(IDS)
        assert not first.mutated & second.mutated


def test_every_drawn_mutation_is_used_and_every_test_is_once_unchanged() -> None:
    ways = (mutation("test_a", start=1), mutation("test_a", start=5, line=2))
    mutants = Mutants(tests=(MutatedTest(ids=(IDS[0],), mutations=ways), *all_mutants().tests[1:]))
    for seed in range(20):
        suites = mutants.suites(random.Random(seed))
        assert len(suites) == 3
        dealt = [a.start for suite in suites for listed in suite.edits.values() for a in listed]
        assert sorted(dealt) == [0] * (len(IDS) - 1) + [1, 5]
        assert all(any(name not in suite.mutated for suite in suites) for name in IDS)


def test_suites_differ_from_draw_to_draw() -> None:
    dealt = {all_mutants().suites(random.Random(seed))[0].mutated for seed in range(20)}
    assert len(dealt) > 10


def test_where_tests_disturb_each_other_one_suite_mutates_them_all() -> None:
    dealt = [all_mutants(mixed=False).suites(random.Random(seed)) for seed in range(20)]
    sizes = {(len(first.mutated), len(second.mutated)) for first, second in dealt}
    assert sizes == {(0, len(IDS)), (len(IDS), 0)}


def test_honest_code_passes() -> None:
    suites = all_mutants().suites(random.Random(1))
    runs = [run(suite) for suite in suites]
    assert all(one.unchanged(EXPECTED).outcome is Outcome.PASSED for one in runs)
    verdict = decide_mutants(runs, Assurance.TWINNED)
    assert (verdict.outcome, verdict.assurance) == (Outcome.PASSED, Assurance.TWINNED)


def test_means_to_forge_lower_the_assurance() -> None:
    """Mutants show no more than that not everything was forged."""
    first, second = (run(suite) for suite in all_mutants().suites(random.Random(1)))
    doubted = evidence_of(second).model_copy(update={"doubts": ("it imports unsafe",)})
    second = SuiteRun(second.suite, examination(doubted))
    verdict = decide_mutants([first, second], Assurance.TWINNED)
    assert (verdict.outcome, verdict.assurance) == (Outcome.PASSED, Assurance.CHECKED)


def test_one_mutant_that_survives_is_tampering() -> None:
    first, second = all_mutants().suites(random.Random(1))
    verdict = decide_mutants([run(first, survivors=1), run(second)], Assurance.TWINNED)
    assert verdict.outcome is Outcome.INVALID
    assert [finding.name for finding in verdict.findings] == ["twins"]


@pytest.mark.parametrize("hidden", [True, False])
def test_a_mutant_that_is_skipped_or_never_reported_is_tampering_too(hidden: bool) -> None:
    first, second = all_mutants().suites(random.Random(1))
    name = min(first.mutated)
    reports = [r for r in evidence_of(run(first)).reports if r.id != name]
    if not hidden:
        reports.append(report(name, TestStatus.SKIPPED))
    dodged = SuiteRun(first, examination(evidence(*reports, framework_exit=1)))
    verdict = decide_mutants([dodged, run(second)], Assurance.TWINNED)
    assert verdict.outcome is Outcome.INVALID


def test_an_unchanged_test_that_fails_is_seen() -> None:
    first, _ = all_mutants().suites(random.Random(1))
    as_is = next(i for i in IDS if i not in first.mutated)
    bad = run(first, failing=(as_is,))
    assert bad.unchanged(EXPECTED).outcome is Outcome.FAILED
    verdict = unstable([bad], EXPECTED, Assurance.TWINNED)
    assert (verdict.outcome, verdict.findings[0].name) == (Outcome.INVALID, "unstable")


def test_merged_evidence_has_every_test_once_and_unchanged() -> None:
    suites = Mutants(tests=all_mutants().tests[:4]).suites(random.Random(1))
    whole = merged([run(suite) for suite in suites]).evidence
    assert whole is not None
    assert sorted(r.id for r in whole.reports) == sorted(IDS)
    assert {r.status for r in whole.reports} == {TestStatus.PASSED}


def test_an_id_that_two_places_claim_has_no_twin() -> None:
    found = candidates([mutation("test_a"), mutation("test_.")], IDS, CHANCE)
    assert found == ()


def offered(lines: int) -> list[Mutation]:
    """A value and an opposite on every line."""
    kinds = ("value", "sense")
    return [
        mutation("test_a", start=10 * line + place, line=line, kind=kind)
        for line in range(lines)
        for place, kind in enumerate(kinds)
    ]


def test_kept_mutations_are_spread_over_all_lines_with_values_first() -> None:
    [test] = candidates(offered(3), IDS, CHANCE)
    assert len(test.mutations) == KEPT
    assert {m.line for m in test.mutations[:3]} == {0, 1, 2}
    assert {m.kind for m in test.mutations[:3]} == {"value"}
    assert {m.kind for m in test.mutations[3:]} == {"sense"}


def test_of_more_lines_than_are_kept_any_may_be() -> None:
    lines = set[int]()
    for seed in range(40):
        [test] = candidates(offered(12), IDS, random.Random(seed))
        assert len(test.mutations) == KEPT
        lines |= {m.line for m in test.mutations}
    assert lines == set(range(12))


def test_every_line_is_drawn_sooner_or_later_and_one_value_each_time() -> None:
    [test] = candidates(offered(3), IDS, CHANCE)
    starts = set[int]()
    for seed in range(60):
        drawn = test.drawn(random.Random(seed))
        assert len(drawn) == CHOICES
        assert "value" in {m.kind for m in drawn}
        assert drawn[0].line != drawn[1].line
        starts |= {m.start for m in drawn}
    assert starts == {m.start for m in test.mutations}


def test_of_a_table_in_one_line_two_rows_are_drawn_more_often_than_not() -> None:
    rows = [mutation("test_a", start=n, line=1, kind="value") for n in range(4)]
    [test] = candidates([*rows, mutation("test_a", start=9, line=2)], IDS, CHANCE)
    drawn = [test.drawn(random.Random(seed)) for seed in range(100)]
    assert {m.start for pair in drawn for m in pair} == {0, 1, 2, 3, 9}
    assert sum(pair[1].kind == "value" for pair in drawn) > 50


def test_however_many_mutations_are_kept_suites_are_as_many_as_before() -> None:
    tests = candidates(offered(12), IDS, CHANCE)
    assert len(Mutants(tests=tests).suites(CHANCE)) == CHOICES + 1


def test_a_renamed_test_is_judged_by_its_own_name() -> None:
    change = mutation("test_a", renamed=("test_a", "test_z"))
    [test] = candidates([change], IDS, CHANCE)
    suites = Mutants(tests=(test,)).suites(CHANCE)
    [suite] = [suite for suite in suites if suite.mutated]
    after = f"{FILE}::test_z"
    assert suite.names == {after: IDS[0]}
    seen = evidence(report(after, FAILED), *map(report, IDS[1:])).renamed(suite.names)
    assert sorted(r.id for r in seen.reports) == sorted(IDS)
    assert sorted(seen.collected) == sorted(IDS)


def test_a_mutation_that_takes_another_tests_name_is_left_out() -> None:
    assert candidates([mutation("test_a", renamed=("test_a", "test_b"))], IDS, CHANCE) == ()


def test_where_tests_disturb_each_other_every_mutated_suite_mutates_them_all() -> None:
    ways = tuple(offered(3))
    tests = (MutatedTest(ids=(IDS[0],), mutations=ways), *all_mutants().tests[1:])
    suites = Mutants(tests=tests, mixed=False).suites(CHANCE)
    assert sorted(len(suite.mutated) for suite in suites) == [0, len(IDS), len(IDS)]


def test_only_what_failed_on_the_reference_is_kept() -> None:
    mutants = all_mutants()
    first, second = mutants.suites(random.Random(1))
    runs = (run(first, survivors=1), run(second))
    kept = mutants.proven((one.suite, evidence_of(one)) for one in runs)
    assert len(kept.tests) == len(IDS) - 1
    assert kept.lacking(EXPECTED)
    assert not mutants.lacking(EXPECTED)


def test_mutations_are_applied_from_the_end() -> None:
    text = "abcdef"
    assert apply(text, [mutation("a", start=1), mutation("b", start=4)]) == "axcdxf"


def test_trials_put_every_unchanged_test_beside_every_other_mutant() -> None:
    suites = all_mutants().trials()
    for one in IDS:
        for other in IDS:
            if one != other:
                assert any(one in suite.mutated and other not in suite.mutated for suite in suites)


@pytest.mark.parametrize("lines", [1, 3, 12])
def test_trials_try_every_mutation(lines: int) -> None:
    tests = (*candidates(offered(lines), IDS, CHANCE), *all_mutants().tests[1:])
    mutants = Mutants(tests=tests)
    assert len(mutants.trials()) <= KEPT + 2
    tried = {edit for suite in mutants.trials() for edits in suite.edits.values() for edit in edits}
    assert tried == {mutation for test in mutants.tests for mutation in test.mutations}


def test_trials_of_tests_that_disturb_each_other_mutate_all_at_once() -> None:
    assert {suite.mutated for suite in all_mutants(mixed=False).trials()} == {frozenset(IDS)}
