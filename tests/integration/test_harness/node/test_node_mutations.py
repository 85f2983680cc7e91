"""Mutated JavaScript and TypeScript tests fail: real parser, real frameworks, bundled samples."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

import pytest

from sdkbench.core import Placement, Project
from sdkbench.datasets import load_sample
from sdkbench.judge.mutants import apply
from sdkbench.test_harness import Harness, TypeScriptTestRunner
from sdkbench.test_harness.models import TestStatus
from sdkbench.test_harness.mutations import Mutation
from tests.support.nightly import mostly_nightly
from tests.support.node import expectations as written
from tests.support.node.mutants import MANIFEST, edited, runner_of, texts_of
from tests.support.places import SAMPLES
from tests.support.projects import MakeSample, write


def passed(runner: TypeScriptTestRunner) -> dict[str, bool]:
    """Whether each test passed, by id; without the build, which has no part in this."""
    assert runner.install_dependencies().success
    evidence = runner.examine(run_build=False).evidence
    assert evidence is not None
    assert not evidence.load_errors, evidence.load_errors
    return {report.id: report.status is TestStatus.PASSED for report in evidence.reports}


def with_mutations(project: Project, chosen: Sequence[Mutation], folder: Path) -> Project:
    texts = {
        path: apply(text, [mutation for mutation in chosen if mutation.path == path])
        for path, text in texts_of(project).items()
    }
    write(folder, texts)
    others = tuple(p for p in project.trusted if p.target != "tests")
    tests = Placement(source=folder / "tests", target="tests", read_only=True)
    return project.model_copy(update={"trusted": (tests, *others)})


def rounds(found: Sequence[Mutation]) -> list[list[Mutation]]:
    """So that each round has at most one mutation of each group, and all rounds have all."""
    groups: dict[str, list[Mutation]] = {}
    for mutation in found:
        groups.setdefault(mutation.tests, []).append(mutation)
    return [[a for a in one if a is not None] for one in zip_longest(*groups.values())]


def without_mutant(ids: Sequence[str], found: Sequence[Mutation]) -> list[str]:
    """Ids that no mutation is of; those of two groups would belong to neither."""
    groups = {i: {a.tests for a in found if re.fullmatch(a.tests, i)} for i in ids}
    assert not [i for i in ids if len(groups[i]) > 1]
    return [i for i in ids if not groups[i]]


def check_round(
    runner: TypeScriptTestRunner, ids: Sequence[str], chosen: Sequence[Mutation], folder: Path
) -> None:
    """With these mutations exactly the tests that they are of fail."""
    project = with_mutations(runner.project, chosen, folder)
    wanted = {i for i in ids for a in chosen if re.fullmatch(a.tests, i)}
    other = TypeScriptTestRunner(
        runner.working_dir, runner.timeout, project=project, harness=runner.harness
    )
    names = {a.name_after(i): i for a in chosen for i in ids if re.fullmatch(a.tests, i)}
    after = {names.get(i, i): good for i, good in passed(other).items()}
    assert set(after) == set(ids)
    still_passed = {i for i in wanted if after[i]}
    lines = [edited(texts_of(runner.project)[a.path], a).splitlines()[a.line - 1]
             for a in chosen if any(re.fullmatch(a.tests, i) for i in still_passed)]  # fmt: skip
    assert not still_passed, lines
    assert {i for i in ids if not after[i]} == wanted


def assert_values_first(found: Sequence[Mutation]) -> None:
    for tests in {a.tests for a in found}:
        kinds = [a.kind for a in found if a.tests == tests]
        assert kinds == sorted(kinds, reverse=True)


def titled(suite: str, test: str) -> str:
    return written.TITLES.replace("CHECK", "assert").replace("SUITE", suite).replace("TEST", test)


def anywhere(check: str) -> str:
    return written.ANYWHERE.replace("CHECK", check)


JEST = "import { describe, expect, jest, test } from '@jest/globals'\n"
VITEST = "import { assert, describe, expect, it as check, test, vi } from 'vitest'\n"
MOCHA = "import { describe, it } from 'mocha'\n"
NODE_TEST = "import { describe, it, test } from 'node:test'\n"
CHAI = "import * as chai from 'chai'\nimport { expect, assert as should } from 'chai'\n"
NODE_ASSERT = "import assert, { ok, strictEqual } from 'node:assert'\n"
DONE = "it('done', (done) => { assert.equal(double(2), 4); setTimeout(done, 1) })\n"
CONTEXT = "test('context', ({ expect }) => { expect(double(2)).toBe(4) })\n"
OPTIONS = "test('options', { timeout: 900 }, (t) => { assert.equal(double(2), 4) })\n"
FRAMEWORKS: dict[str, dict[str, tuple[str, ...]]] = {
    "jest": {
        "expect.test.ts": (
            JEST, written.EXPECT_HELPERS, written.TABLES,
            written.cases(written.EXPECT.replace("FN(", "jest.fn(")),
        ),
        "globals.test.mjs": (
            NODE_ASSERT, written.cases(anywhere("assert")), titled("describe", "it"), DONE,
        ),
    },
    "vitest": {
        "expect.test.ts": (
            VITEST, written.EXPECT_HELPERS, written.TABLES, CONTEXT,
            written.cases((written.EXPECT + written.VITEST_ONLY).replace("FN(", "vi.fn(")),
        ),
        "assert.test.js": (
            VITEST.replace("assert, ", ""), "import { strict as assert } from 'node:assert'\n",
            written.cases(anywhere("assert.ok"), "check"), titled("describe", "test"),
        ),
    },
    "mocha": {
        "chai.test.mjs": (MOCHA, CHAI, written.cases(written.CHAI, "it")),
        "assert.test.mjs": (
            MOCHA, NODE_ASSERT, written.ASSERT_HELPERS, DONE, titled("context", "it"),
            written.cases(written.NODE_ASSERT, "specify"),
        ),
    },
    "node_test": {
        "assert.test.ts": (
            NODE_TEST, NODE_ASSERT, written.ASSERT_HELPERS, OPTIONS, titled("describe", "it"),
            written.cases(written.NODE_ASSERT + anywhere("assert.ok")),
        ),
    },
}  # fmt: skip


# Each day the two that differ most; honest solutions are twinned in every framework each day.
@pytest.mark.parametrize(
    "framework", mostly_nightly(FRAMEWORKS, {"vitest", "node_test"}.__contains__)
)
def test_exactly_the_mutated_tests_fail(
    framework: str, make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    tests = {name: written.IMPORTS + "".join(p) for name, p in FRAMEWORKS[framework].items()}
    sample = make_sample({"package.json": MANIFEST, "src/app.js": written.APP}, tests)
    runner = runner_of(sample, harness, tmp_path / "original")
    before = passed(runner)
    assert all(before.values()), [i for i, good in before.items() if not good]
    assert runner.get_framework() == framework
    found = runner.mutations()
    assert not without_mutant(list(before), found)
    assert_values_first(found)
    for number, chosen in enumerate(rounds(found)):
        check_round(runner, list(before), chosen, tmp_path / f"round-{number}")


# One of each framework.
BUNDLED = ("stripe/stripe_webhook_001", "octokit/octokit_issues_001", "jose/jose_tokens_001")


@pytest.mark.parametrize("name", mostly_nightly(BUNDLED, "jose/jose_tokens_001".__eq__))
def test_every_test_of_a_bundled_sample_can_be_mutated(
    name: str, harness: Harness, tmp_path: Path
) -> None:
    runner = runner_of(load_sample(SAMPLES / name), harness, tmp_path / "original")
    before = passed(runner)
    assert all(before.values())
    found = runner.mutations()
    assert not without_mutant(list(before), found)
    check_round(runner, list(before), rounds(found)[0], tmp_path / "mutated")
