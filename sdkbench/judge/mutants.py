"""Mutants: copies of a sample's tests, in each of which some tests expect something else.

Every test stands in one suite unchanged and in another one mutated, so that it must fail there.
Which is which is known only here, outside of every sandbox: code that makes tests pass whatever
they expect passes the mutants too.
"""

import codecs
import contextlib
import itertools
import math
import random
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from sdkbench.core import Outcome, Project
from sdkbench.datasets import with_tests
from sdkbench.judge.verdict import Expectation, Verdict, decide
from sdkbench.test_harness import BaseTestRunner, Examination
from sdkbench.test_harness.evidence import Evidence
from sdkbench.test_harness.mutations import Mutation, exact_text

CHOICES = 2  # mutations of one test in one judgement; each of them costs one more run
KEPT = 6  # proven mutations of one test to draw from; each of them costs the reference one run
FEWEST = 2  # trials that a test is mutated in, so that few trials tell many tests apart
SIDE_BY_SIDE = 2


class MutatedTest(BaseModel):
    """The tests of one place in a file, and the mutations after which all of them fail."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ids: tuple[str, ...]
    mutations: tuple[Mutation, ...]

    def drawn(self, chance: random.Random) -> list[Mutation]:
        """CHOICES of them at most. Every place in the test is as likely as every other.

        The first is another value where there is one: code that reads what a test expects, and
        gives it that, fails the opposite as honest code does, but meets another value. The others
        may be anything: code that tries what passes meets the opposite.
        """
        values = [mutation for mutation in self.mutations if mutation.kind == "value"]
        chosen = [_at_any_place(values or self.mutations, chance)]
        while len(chosen) < min(CHOICES, len(self.mutations)):
            left = [mutation for mutation in self.mutations if mutation not in chosen]
            elsewhere = [m for m in left if m.line not in {one.line for one in chosen}]
            # Values of a whole table may stand in one line, and nothing but opposites elsewhere.
            telling = any(m.kind == "value" for m in elsewhere) or not values
            chosen.append(_at_any_place(elsewhere if telling and elsewhere else left, chance))
        return chosen


def _at_any_place(mutations: Sequence[Mutation], chance: random.Random) -> Mutation:
    start = chance.choice(sorted({mutation.start for mutation in mutations}))
    return chance.choice([mutation for mutation in mutations if mutation.start == start])


class MutantSuite(NamedTuple):
    """One run's tests: `edits` by file, and the ids that must fail because of them.

    `names`: by what a mutated test is called there, its id where it is not mutated.
    """

    edits: Mapping[str, tuple[Mutation, ...]]
    mutated: frozenset[str]
    names: Mapping[str, str] = {}


class Mutants(BaseModel):
    """All that is known of the mutants of a sample's tests.

    `mixed`: mutated tests may stand beside others. Where a failing test disturbs those after it,
    all tests of a suite are mutated or none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tests: tuple[MutatedTest, ...]
    mixed: bool = True

    def suites(self, chance: random.Random) -> tuple[MutantSuite, ...]:
        """One suite more than a test has drawn mutations, in random order.

        Which mutations, of all that are proven, is drawn anew each time: no rule tells which of
        its expectations a test is altered at. Each test stands in at least one suite unchanged,
        and in one for each of its drawn mutations.
        """
        dealt = [(test, test.drawn(chance)) for test in self.tests]
        ways = max((len(drawn) for _, drawn in dealt), default=0)
        sides: list[list[tuple[MutatedTest, Mutation]]] = [[] for _ in range(ways + 1)]
        order = chance.sample(range(ways + 1), ways + 1)
        for test, drawn in dealt:
            if self.mixed:
                order = chance.sample(order, len(order))
                places = zip(order, drawn, strict=False)
            else:  # all are mutated, or none
                places = zip(order[:ways], itertools.cycle(drawn), strict=False)
            for place, mutation in places:
                sides[place].append((test, mutation))
        return tuple(_suite(side) for side in sides)

    def lacking(self, expectation: Expectation) -> list[str]:
        """Tests that must pass and have no mutant."""
        return sorted(set(expectation.must_pass) - {i for test in self.tests for i in test.ids})

    def trials(self) -> list[MutantSuite]:
        """The fewest suites that try every mutation, and every test unchanged beside every other
        mutated.

        All tests are mutated in as many of them as the one with the most mutations needs, and no
        two in the same ones: so of two tests each is once mutated where the other is not.
        """
        most = max((len(test.mutations) for test in self.tests), default=0)
        number = max(most, FEWEST) + 1
        while math.comb(number, _trials_of_one(most, number)) < len(self.tests):
            number += 1
        chosen = itertools.combinations(range(number), _trials_of_one(most, number))
        sides: list[list[tuple[MutatedTest, Mutation]]] = [[] for _ in range(number)]
        for test, places in zip(self.tests, chosen, strict=False):
            for way, place in enumerate(places if self.mixed else range(most)):
                sides[place].append((test, test.mutations[way % len(test.mutations)]))
        return [_suite(side) for side in sides if side]

    def proven(self, tried: Iterable[tuple[MutantSuite, Evidence]]) -> "Mutants":
        """These tests, each with the mutations after which all of its ids failed every time."""
        good: set[Mutation] = set()
        bad: set[Mutation] = set()
        for suite, evidence in tried:
            failed = failing(evidence)
            applied = {mutation for listed in suite.edits.values() for mutation in listed}
            for test in self.tests:
                (good if set(test.ids) <= failed else bad).update(applied & {*test.mutations})
        proven = [
            MutatedTest(ids=test.ids, mutations=kept)
            for test in self.tests
            if (kept := tuple(a for a in test.mutations if a in good - bad))
        ]
        return self.model_copy(update={"tests": tuple(proven)})


def candidates(
    mutations: Iterable[Mutation], ids: Sequence[str], chance: random.Random
) -> tuple[MutatedTest, ...]:
    """Mutations by the tests that they are of; ids that two places claim belong to neither."""
    by_tests: dict[str, list[Mutation]] = {}
    for mutation in mutations:
        # What a test is called must stay its own.
        if not any(after in ids for after in _new_names(mutation, ids)):
            by_tests.setdefault(mutation.tests, []).append(mutation)
    claimed = {tests: {i for i in ids if re.fullmatch(tests, i)} for tests in by_tests}
    mutated = []
    for tests, listed in by_tests.items():
        others = [claimed[other] for other in by_tests if other != tests]
        if claimed[tests] and not any(claimed[tests] & other for other in others):
            spread = _spread(listed, chance)
            mutated.append(MutatedTest(ids=tuple(sorted(claimed[tests])), mutations=spread))
    return tuple(mutated)


def _new_names(mutation: Mutation, ids: Sequence[str]) -> Iterator[str]:
    for test_id in ids if mutation.renamed else ():
        after = mutation.name_after(test_id)
        if after != test_id and re.fullmatch(mutation.tests, test_id):
            yield after


def _spread(listed: list[Mutation], chance: random.Random) -> tuple[Mutation, ...]:
    """KEPT of them at most, of as many lines as there are, in no order that anyone could know.

    Another value at each line comes before the opposite there; at least one of them is such.
    """
    by_line: dict[int, list[Mutation]] = {}
    for mutation in chance.sample(listed, len(listed)):
        by_line.setdefault(mutation.line, []).append(mutation)
    lines = list(by_line.values())
    for ways in lines:
        ways.sort(key=lambda mutation: mutation.kind == "sense")
        # One value and one opposite of a line say more than two values.
        ways[1:] = sorted(ways[1:], key=lambda mutation: mutation.kind == ways[0].kind)
    lines.sort(key=lambda ways: ways[0].kind == "sense")
    first = lines[:1]
    lines = first + chance.sample(lines[1:], len(lines) - 1)
    rounds = itertools.zip_longest(*lines)
    return tuple(m for one in rounds for m in one if m is not None)[:KEPT]


def _trials_of_one(most: int, number: int) -> int:
    """In how many of `number` trials each test is mutated; half of them tell most tests apart."""
    return max(most, number // 2)


def _suite(mutated: list[tuple[MutatedTest, Mutation]]) -> MutantSuite:
    edits: dict[str, list[Mutation]] = {}
    names: dict[str, str] = {}
    for test, mutation in mutated:
        edits.setdefault(mutation.path, []).append(mutation)
        names |= {mutation.name_after(i): i for i in test.ids if mutation.name_after(i) != i}
    return MutantSuite(
        edits={path: tuple(listed) for path, listed in edits.items()},
        mutated=frozenset(i for test, _ in mutated for i in test.ids),
        names=names,
    )


def apply(text: str, mutations: Iterable[Mutation]) -> str:
    """The text with each mutation applied; from the end, so that positions stay valid."""
    places = {place for mutation in mutations for place in mutation.places}
    for place in sorted(places, key=lambda p: (p.start, p.end), reverse=True):
        text = text[: place.start] + place.replacement + text[place.end :]
    return text


def failing(evidence: Evidence) -> frozenset[str]:
    return frozenset(report.id for report in evidence.reports if report.is_bad)


class SuiteRun(NamedTuple):
    suite: MutantSuite
    examination: Examination

    def unchanged(self, expectation: Expectation) -> Verdict:
        """The verdict by the tests that this suite holds unchanged."""
        return decide(self.examination, expectation, aside=self.suite.mutated)

    def is_clean(self, expectation: Expectation) -> bool:
        """Whether every unchanged test passed, in a run without fault."""
        return (
            self.examination.evidence is not None
            and self.unchanged(expectation).outcome is Outcome.PASSED
        )


def run_suites(
    runner: BaseTestRunner,
    suites: Sequence[MutantSuite],
    *,
    run_build: bool = False,
) -> Iterator[SuiteRun]:
    """Each suite in a workspace of its own; only the first run builds.

    The suites after the first are run two at a time, once the caller asks for them.
    """
    with contextlib.ExitStack() as stack:
        projects = [stack.enter_context(_laid_out(runner.project, suite)) for suite in suites]
        first, *rest = projects
        built = runner.with_project(first).examine(run_build=run_build)
        yield SuiteRun(suites[0], _renamed(built, suites[0]))
        # A core that the first one's type check kept busy is free now.
        with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="suite") as pool:
            others = pool.map(
                lambda project: runner.with_project(project).examine(run_build=False), rest
            )
            for suite, examination in zip(suites[1:], others, strict=True):
                yield SuiteRun(suite, _renamed(examination, suite))


def _renamed(examination: Examination, suite: MutantSuite) -> Examination:
    """With every test under the name that it has where it is not mutated."""
    evidence = examination.evidence
    if evidence is None or not suite.names:
        return examination
    return examination.model_copy(update={"evidence": evidence.renamed(suite.names)})


def run_untouched(runner: BaseTestRunner, *, run_build: bool) -> Examination:
    """The tests as they are, laid out as those of every suite are."""
    [run] = run_suites(runner, [MutantSuite(edits={}, mutated=frozenset())], run_build=run_build)
    return run.examination


def merged(runs: Sequence[SuiteRun]) -> Examination:
    """One run of the whole suite: each test as it went where it stands unchanged.

    Every run has evidence.
    """
    evidences = [run.examination.evidence for run in runs]
    unchanged = [
        report
        for run, evidence in zip(runs, evidences, strict=True)
        if evidence is not None
        for report in evidence.without(run.suite.mutated).reports
    ]
    # A test without a mutant stands unchanged in every suite.
    reports = tuple({report.id: report for report in unchanged}.values())
    last = runs[-1].examination
    assert last.evidence is not None  # noqa: S101 - the caller has looked
    seconds = sum(run.examination.process.duration_seconds for run in runs)
    process = last.evidence.process.model_copy(
        update={"stdout": "", "stderr": "", "duration_seconds": seconds}
    )
    evidence = last.evidence.model_copy(
        update={
            "reports": reports,
            "collected": tuple(report.id for report in reports),
            "console": (),
            "process": process,
        }
    )
    return last.model_copy(update={"evidence": evidence, "process": process})


@contextlib.contextmanager
def _laid_out(project: Project, suite: MutantSuite) -> Iterator[Project]:
    with tempfile.TemporaryDirectory(prefix="sdkbench-tests-") as folder:
        sources = {path: _source(project, path) for path in suite.edits}
        texts = {
            path: _mark(source) + apply(exact_text(source), suite.edits[path])
            for path, source in sources.items()
        }
        yield with_tests(project, texts, Path(folder))


def _mark(source: Path) -> str:
    """The byte order mark, where the file has one: offsets begin after it."""
    return "\ufeff" if source.read_bytes().startswith(codecs.BOM_UTF8) else ""


def _source(project: Project, path: str) -> Path:
    """The trusted file on the host that stands at `path` below the workspace."""
    for placement in project.trusted:
        if path == placement.target:
            return placement.source
        if path.startswith(f"{placement.target}/"):
            return placement.source / path.removeprefix(f"{placement.target}/")
    raise ValueError(f"{path} is no trusted file of this project")
