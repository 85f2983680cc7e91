"""The build of a project that is judged on its own tests, and how failures are told."""

import json
from pathlib import Path

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.test_harness.node.environment import TOOLS
from tests.support.projects import Judge, MakeSample

PASSES = "const { test } = require('node:test')\ntest('one', () => {})\n"


def manifest(scripts: dict[str, str], *tools: str, **fields: object) -> str:
    needed = {name: TOOLS[name] for name in tools}
    return json.dumps({"name": "x", "scripts": scripts, "devDependencies": needed, **fields})


def test_a_build_that_needs_a_missing_tool_is_our_error_and_the_tests_are_told(
    judge: Judge,
) -> None:
    scripts = {"build": "no-such-bundler src", "test": "node --test"}
    result = judge({"package.json": manifest(scripts), "test/a.js": PASSES})
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
    assert result.error == (
        "The build needs no-such-bundler, which is not here. Without it, 1 of 1 tests passed."
    )
    assert (result.tests_passed, result.tests_total) == (1, 1)
    without = judge({"package.json": manifest(scripts)}, run_build=False)
    assert without.outcome is Outcome.PASSED


def test_a_solution_of_a_sample_cannot_choose_such_an_error(
    judge: Judge, make_sample: MakeSample
) -> None:
    tests = {"a.test.js": PASSES}
    sample = make_sample(reference={"package.json": manifest({}), "a.js": ""}, tests=tests)
    broken = manifest({"build": "no-such-bundler src"})
    result = judge({"package.json": broken, "a.js": ""}, sample)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)


@pytest.mark.parametrize("manager", ["pnpm", "yarn"])
def test_scripts_may_call_other_managers(judge: Judge, manager: str) -> None:
    scripts = {
        "build": f"{manager} run generate && {manager} exec tsc --version && {manager} -C lib more",
        "generate": "node -e \"require('fs').writeFileSync('made.js', '')\"",
        "test": "node --test",
    }
    files = {
        "package.json": manifest(scripts, "typescript"),
        "lib/package.json": manifest({"more": "touch more.js"}),
        "test/a.js": PASSES + "require('../made.js')\nrequire('../lib/more.js')\n",
    }
    result = judge(files)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


def test_what_npm_runs_before_the_tests_is_run_and_may_fail(judge: Judge) -> None:
    scripts = {"pretest": "touch made.js && exit 3", "test": "node --test"}
    files = {"package.json": manifest(scripts), "test/a.js": PASSES + "require('../made.js')\n"}
    result = judge(files)
    assert result.outcome is Outcome.PASSED
    assert any("`npm run pretest` ended with exit code 3" in note for note in result.notes)


def test_what_npm_runs_after_installing_is_the_build_where_there_is_no_other(judge: Judge) -> None:
    scripts = {"prepare": "touch made.js", "pretest": "npm run prepare", "test": "node --test"}
    files = {"package.json": manifest(scripts), "test/a.js": PASSES + "require('../made.js')\n"}
    result = judge(files)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)
    result = judge({"package.json": manifest({**scripts, "prepare": "touch made.js && exit 3"})})
    assert result.outcome is Outcome.PASSED
    assert any("`npm run prepare` ended with exit code 3" in note for note in result.notes)


def test_a_build_error_is_told_and_not_the_first_warning(judge: Judge) -> None:
    noise = "".join(f"console.log('warning: {n} is odd');" for n in range(40))
    script = f"{noise} console.error('Error: no entry point'); process.exit(1)"
    files = {
        "package.json": manifest({"build": "node build.js", "test": "node --test"}),
        "build.js": script,
        "test/a.js": PASSES,
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    expected = "The build failed: `npm run build` ended with exit code 1: Error: no entry point"
    assert (result.error or "").splitlines()[0] == expected


def test_fixtures_of_a_parser_need_not_parse(judge: Judge) -> None:
    files = {
        "package.json": manifest({"test": "node --test"}),
        "test/fixtures/broken.ts": "const = ;\n",
        "test/a.js": PASSES,
    }
    assert judge(files).error is None


def test_a_failure_tells_its_cause_and_its_place_in_the_project(judge: Judge) -> None:
    files = {
        "package.json": manifest({"test": "mocha"}, "mocha"),
        "lib/read.js": "const fs = require('fs')\nexports.read = () => {\n"
        "  try { fs.readFileSync('/gone') }\n"
        "  catch (cause) { throw new Error('no settings', { cause }) }\n}\n",
        "test/a.js": "const { read } = require('../lib/read.js')\nit('reads', () => read())\n",
    }
    result = judge(files)
    assert (result.error or "").startswith("1 test of 1 failed: test/a.js > reads: no settings")
    assert "(cause: ENOENT: no such file or directory, open '/gone')" in (result.error or "")
    assert result.test_results
    [failure] = result.test_results.failures
    assert (failure.file_path, failure.line_number) == ("lib/read.js", 4)


def test_jest_says_in_its_own_words_why_a_suite_failed(judge: Judge) -> None:
    files = {
        "package.json": manifest({"test": "jest"}, "jest"),
        "a.test.js": "require('./gone')\ntest('one', () => {})\n",
    }
    result = judge(files)
    assert "Cannot find module './gone' from 'a.test.js'" in (result.error or "")
    assert "●" not in (result.error or "")


def test_where_no_tests_are_found_the_files_are_named(judge: Judge) -> None:
    files = {"package.json": manifest({}), "test/a.test.js": "require('node:test')\n"}
    result = judge(files)
    assert result.fault is Fault.NO_TESTS
    assert "Looked into: test/a.test.js." in (result.error or "")


def test_links_of_a_project_are_links(judge: Judge, tmp_path: Path) -> None:
    folder = tmp_path / "solution"
    (folder / "test").mkdir(parents=True)
    (folder / "test" / "same.txt").symlink_to("a.js")
    check = (
        "require('node:assert').equal(require('fs').readlinkSync(__dirname + '/same.txt'), 'a.js')"
    )
    result = judge(
        {
            "package.json": manifest({"test": "node --test"}),
            "test/a.js": PASSES.replace("() => {}", f"() => {check}"),
        }
    )
    assert (result.outcome, result.error) == (Outcome.PASSED, None)
