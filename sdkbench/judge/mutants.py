"""Mutants: copies of a sample's tests, in each of which some tests expect something else.

Every test stands in one suite unchanged and in another one mutated, so that it must fail there.
Which is which is known only here, outside of every sandbox: code that makes tests pass whatever
they expect passes the mutants too.
"""

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

CHOICES = 2  # mutations of one test; each of them costs every attempt one more run
SIDE_BY_SIDE = 2


class MutatedTest(BaseModel):
    """The tests of one place in a file, and the mutations after which all of them fail."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ids: tuple[str, ...]
    mutations: tuple[Mutation, ...]


class MutantSuite(NamedTuple):
    """One run's tests: `edits` by file, and the ids that must fail because of them."""

    edits: Mapping[str, tuple[Mutation, ...]]
    mutated: frozenset[str]


class Mutants(BaseModel):
    """All that is known of the mutants of a sample's tests.

    `mixed`: mutated tests may stand beside others. Where a failing test disturbs those after it,
    all tests of a suite are mutated or none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tests: tuple[MutatedTest, ...]
    mixed: bool = True

    def suites(self, chance: random.Random) -> tuple[MutantSuite, ...]:
        """One suite more than a test has mutations, in random order.

        Each test stands in at least one of them unchanged, and in one for each of its mutations:
        code that cheats at one expectation only meets that one mutated.
        """
        ways = max((len(test.mutations) for test in self.tests), default=0)
        sides: list[list[tuple[MutatedTest, Mutation]]] = [[] for _ in range(ways + 1)]
        order = chance.sample(range(ways + 1), ways + 1)
        for test in self.tests:
            order = chance.sample(order, len(order)) if self.mixed else order
            for place, mutation in zip(order, test.mutations, strict=False):
                sides[place].append((test, mutation))
        return tuple(_suite(side) for side in sides)

    def cover(self, expectation: Expectation) -> bool:
        """Whether every test that must pass has a mutant."""
        return set(expectation.must_pass) <= {i for test in self.tests for i in test.ids}

    def trials(self) -> list[MutantSuite]:
        """The fewest suites that try every mutation, and every test unchanged beside every other
        mutated.

        Each test is mutated in half of them, and no two in the same half: so of two tests each is
        once mutated where the other is not.
        """
        number = 2 * CHOICES
        while math.comb(number, number // 2) < len(self.tests):
            number += 1
        halves = itertools.combinations(range(number), number // 2)
        sides: list[list[tuple[MutatedTest, Mutation]]] = [[] for _ in range(number)]
        for test, half in zip(self.tests, halves, strict=False):
            for way, place in enumerate(half if self.mixed else range(CHOICES)):
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


def candidates(mutations: Iterable[Mutation], ids: Sequence[str]) -> tuple[MutatedTest, ...]:
    """Mutations by the tests that they are of; ids that two places claim belong to neither."""
    by_tests: dict[str, list[Mutation]] = {}
    for mutation in mutations:
        by_tests.setdefault(mutation.tests, []).append(mutation)
    claimed = {tests: {i for i in ids if re.fullmatch(tests, i)} for tests in by_tests}
    mutated = []
    for tests, listed in by_tests.items():
        others = [claimed[other] for other in by_tests if other != tests]
        if claimed[tests] and not any(claimed[tests] & other for other in others):
            mutated.append(
                MutatedTest(ids=tuple(sorted(claimed[tests])), mutations=_spread(listed))
            )
    return tuple(mutated)


def _spread(listed: list[Mutation]) -> tuple[Mutation, ...]:
    """A few, of as many places as there are: the first way at each place comes before a second.

    Other values before the opposite: code that reads what a test expects, and gives it that, fails
    the opposite as honest code does, but meets another value. Last places first: code that gets
    only the beginning of a test right is found out too.
    """
    values = [mutation for mutation in listed if mutation.kind == "value"]
    by_place: dict[int, list[Mutation]] = {}
    for mutation in values or listed:
        by_place.setdefault(mutation.line, []).append(mutation)
    ranked = [(rank, -line, a) for line, ways in by_place.items() for rank, a in enumerate(ways)]
    return tuple(a for _, _, a in sorted(ranked, key=lambda r: r[:2])[:CHOICES])


def _suite(mutated: list[tuple[MutatedTest, Mutation]]) -> MutantSuite:
    edits: dict[str, list[Mutation]] = {}
    for _, mutation in mutated:
        edits.setdefault(mutation.path, []).append(mutation)
    return MutantSuite(
        edits={path: tuple(listed) for path, listed in edits.items()},
        mutated=frozenset(i for test, _ in mutated for i in test.ids),
    )


def apply(text: str, mutations: Iterable[Mutation]) -> str:
    """The text with each mutation applied; from the end, so that positions stay valid."""
    for mutation in sorted(mutations, key=lambda a: a.start, reverse=True):
        text = text[: mutation.start] + mutation.replacement + text[mutation.end :]
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
        yield SuiteRun(suites[0], runner.with_project(first).examine(run_build=run_build))
        # A core that the first one's type check kept busy is free now.
        with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="suite") as pool:
            others = pool.map(
                lambda project: runner.with_project(project).examine(run_build=False), rest
            )
            yield from map(SuiteRun, suites[1:], others)


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
            "console": None,
            "process": process,
        }
    )
    return last.model_copy(update={"evidence": evidence, "process": process})


@contextlib.contextmanager
def _laid_out(project: Project, suite: MutantSuite) -> Iterator[Project]:
    with tempfile.TemporaryDirectory(prefix="sdkbench-tests-") as folder:
        texts = {
            path: apply(exact_text(_source(project, path)), edits)
            for path, edits in suite.edits.items()
        }
        yield with_tests(project, texts, Path(folder))


def _source(project: Project, path: str) -> Path:
    """The trusted file on the host that stands at `path` below the workspace."""
    for placement in project.trusted:
        if path == placement.target:
            return placement.source
        if path.startswith(f"{placement.target}/"):
            return placement.source / path.removeprefix(f"{placement.target}/")
    raise ValueError(f"{path} is no trusted file of this project")
