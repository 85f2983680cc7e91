"""Test scripts that are programs: they run as they are, and what they start is followed."""

import json

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.test_harness import TestFramework
from tests.integration.test_harness.node.test_own_commands import (
    FAILS,
    GLOBALS,
    NODE_TEST,
    VITEST,
    manifest,
    named,
    titles,
)
from tests.support.projects import Files, Judge

SPAWNS = """
const { execSync } = require('child_process')
require('fs').writeFileSync('built.js', 'module.exports = 1')
execSync('COMMAND', { stdio: 'inherit' })
"""
NEEDS_BUILD = "require('../built.js')\n"
# A framework that tests start is what they are about.
NESTED = """
const { execFileSync } = require('child_process')
it('one', () => execFileSync('node_modules/.bin/mocha', ['other.js'], { stdio: 'ignore' }))
"""

PROJECTS: dict[str, tuple[TestFramework, Files, list[str]]] = {
    "mocha, with options and a build of the program's own": (
        TestFramework.MOCHA,
        {
            "package.json": manifest("node tasks.js", "mocha"),
            "tasks.js": SPAWNS.replace("COMMAND", "npx mocha --ui tdd checks"),
            "checks/a.js": f"{NEEDS_BUILD}suite('s', () => {{ test('one', () => {{}}) }})\n",
            "test/never.js": FAILS,
        },
        ["one"],
    ),
    "mocha, as a class": (
        TestFramework.MOCHA,
        {
            "package.json": manifest("node tasks.js", "mocha"),
            "tasks.js": "const Mocha = require('mocha')\nconst mocha = new Mocha()\n"
            "mocha.addFile('./checks/a.js')\nmocha.run((n) => process.exit(n))\n",
            "checks/a.js": named(GLOBALS, "one"),
            "test/never.js": FAILS,
        },
        ["one"],
    ),
    "mocha, started by its tests as well": (
        TestFramework.MOCHA,
        {
            "package.json": manifest("node tasks.js", "mocha"),
            "tasks.js": SPAWNS.replace("COMMAND", "./node_modules/.bin/mocha checks"),
            "checks/a.js": NESTED,
            "other.js": named(GLOBALS, "two"),
            "test/never.js": FAILS,
        },
        ["one"],
    ),
    "jest, as a function, by a package that nobody declares as a framework": (
        TestFramework.JEST,
        {
            "package.json": manifest("node tasks.js --coverage", "jest"),
            "tasks.js": "const words = ['--testRegex', 'checks/.*', ...process.argv.slice(2)]\n"
            "require('jest').run(words)\n",
            "checks/a.js": named(GLOBALS, "one"),
            "a.test.js": FAILS,
        },
        ["one"],
    ),
    "jest of some years ago": (
        TestFramework.JEST,
        {
            "package.json": json.dumps(
                {"scripts": {"test": "node tasks.js"}, "devDependencies": {"jest": "29.7.0"}}
            ),
            "tasks.js": "require('jest').run(['--testRegex', 'checks/.*'])\n",
            "checks/a.js": named(GLOBALS, "one"),
            "a.test.js": FAILS,
        },
        ["one"],
    ),
    "vitest, by its program": (
        TestFramework.VITEST,
        {
            "package.json": manifest("node tasks.cjs", "vitest", type="module"),
            "tasks.cjs": SPAWNS.replace(
                "COMMAND", "node node_modules/vitest/vitest.mjs run --dir checks --coverage"
            ),
            "checks/a.test.mjs": named(VITEST, "one"),
            "b.test.mjs": FAILS,
        },
        ["one"],
    ),
    "node:test, with a reporter of its own": (
        TestFramework.NODE_TEST,
        {
            "package.json": manifest("sh ./run.sh"),
            "run.sh": "node --test-reporter=dot --test checks/\n",
            "checks/a.test.js": named(NODE_TEST, "one"),
            "test/never.js": FAILS,
        },
        ["one"],
    ),
    "two frameworks, one after the other": (
        TestFramework.MOCHA,
        {
            "package.json": manifest("sh ./run.sh", "mocha"),
            "run.sh": "npx mocha checks && node --test unit/\n",
            "checks/a.js": named(GLOBALS, "one"),
            "unit/a.test.js": named(NODE_TEST, "two"),
        },
        ["one", "two"],
    ),
}


@pytest.mark.parametrize("case", PROJECTS)
def test_what_a_program_starts_reports_to_us(judge: Judge, case: str) -> None:
    framework, files, expected = PROJECTS[case]
    result = judge(files)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)
    assert titles(result) == expected
    assert (result.framework, result.notes) == (framework, [])


def test_a_test_that_fails_below_a_program_fails(judge: Judge) -> None:
    files = {
        "package.json": manifest("sh ./run.sh", "mocha"),
        "run.sh": "mocha checks || true\n",
        "checks/a.js": "it('one', () => {})\nit('two', () => { throw new Error('no') })\n",
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST)
    assert result.test_results
    assert (result.test_results.passed, result.test_results.failed) == (1, 1)


def test_a_framework_that_breaks_off_below_a_program_never_passes(judge: Judge) -> None:
    files = {
        "package.json": manifest("sh ./run.sh", "mocha"),
        "run.sh": "mocha checks || true\n",
        "checks/a.js": "it('one', () => {})\nit('two', () => process.exit(0))\n",
    }
    result = judge(files)
    assert (result.outcome, result.tests_passed) == (Outcome.FAILED, 1)
    assert "before its tests were over" in (result.error or "")


def test_what_comes_after_the_tests_is_a_note(judge: Judge) -> None:
    script = "sh ./run.sh && node sizes.js"
    files = {
        "package.json": manifest(script, "mocha"),
        "run.sh": "mocha checks\n",
        "sizes.js": "throw new Error('too large')\n",
        "checks/a.js": named(GLOBALS, "one"),
    }
    result = judge(files)
    assert (result.outcome, titles(result)) == (Outcome.PASSED, ["one"])
    assert any("`node sizes.js`" in note and "too large" in note for note in result.notes)


@pytest.mark.parametrize(
    ("script", "is_noted"), [("jake test", True), ('echo "Error: no test specified"', False)]
)
def test_a_script_that_starts_no_framework_is_noted(
    judge: Judge, script: str, *, is_noted: bool
) -> None:
    tests = "suite('one', () => { test('two', () => {}) })\n" if is_noted else GLOBALS
    files = {"package.json": manifest(script, "mocha"), "test/a.js": tests}
    result = judge(files)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)
    noted = [note for note in result.notes if "starts no test framework" in note]
    assert len(noted) == is_noted
    assert all("`jake test`" in note and "mocha ran the tests" in note for note in noted)


@pytest.mark.parametrize(
    ("program", "words"),
    [("process.exit(3)\n", "ended with exit code 3"), ("\n", "ended without one")],
)
def test_where_nothing_can_be_told_the_program_is_named(
    judge: Judge, program: str, words: str
) -> None:
    files = {
        "package.json": manifest("node tasks.js", "mocha"),
        "tasks.js": program,
        "test/a.js": "require('../built.js')\nit('one', () => {})\n",
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_RUNNER)
    assert "`node tasks.js`" in (result.error or "")
    assert words in (result.error or "")
    assert "docs/how-to/add-a-runner.md" in (result.error or "")


def test_a_program_that_is_not_there_is_a_missing_tool(judge: Judge) -> None:
    files = {
        "package.json": manifest("gulpish test", "mocha"),
        "test/a.js": "require('../built.js')\nit('one', () => {})\n",
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
    assert "gulpish" in (result.error or "")


def test_some_of_the_tests_run_without_the_program(judge: Judge) -> None:
    files = {
        "package.json": manifest("node tasks.js", "mocha"),
        "tasks.js": FAILS,
        "test/unit/a.js": named(GLOBALS, "one"),
        "test/other/b.js": named(GLOBALS, "two"),
    }
    result = judge(files, test_dir="test/unit")
    assert (result.outcome, titles(result)) == (Outcome.PASSED, ["one"])


OTHER_NODE = "throw new Error('You need another Node')\n"


@pytest.mark.parametrize(
    ("script", "tests"), [("node tasks.js", "require('../built.js')\n"), ("mocha", OTHER_NODE)]
)
def test_where_nothing_runs_another_node_that_the_project_needs_is_a_missing_tool(
    judge: Judge, script: str, tests: str
) -> None:
    files = {
        "package.json": manifest(script, "mocha", engines={"node": ">=99"}),
        "tasks.js": "console.log('You need another Node')\nprocess.exit(1)\n",
        "test/a.js": f"{tests}it('one', () => {{}})\n",
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
    assert "Node.js >=99" in (result.error or "")
    assert "You need another Node" in (result.error or "")


def test_tests_that_run_with_another_node_count(judge: Judge) -> None:
    files = {
        "package.json": manifest("mocha", "mocha", engines={"node": ">=99"}),
        "test/a.js": "it('one', () => {})\nit('two', () => { throw new Error('no') })\n",
    }
    result = judge(files)
    assert (result.outcome, result.fault, result.tests_passed) == (Outcome.FAILED, Fault.TEST, 1)
