"""Projects that are judged on their own tests: their own configuration and test script decide."""

import json

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.test_harness import FCorrResult
from sdkbench.test_harness.node.environment import TOOLS
from tests.support.projects import Files, Judge

GLOBALS = "describe('suite', () => { it('TITLE', () => {}) })\n"
NODE_TEST = "const { test } = require('node:test')\ntest('TITLE', () => {})\n"
VITEST = "import { test } from 'vitest'\ntest('TITLE', () => {})\n"
OLD_LOADER = r"""
const fs = require('fs')
const { _extensions } = require('module')
const load = _extensions['.js']
_extensions['.js'] = (module, file) => {
  const text = fs.readFileSync(file, 'utf8').replace(/\/\/.*/g, '')
  const isNew = /\?\.|\?\?|[{,] \.\.\.|'node:/.test(text)
  if (isNew && !file.includes('node_modules')) throw new SyntaxError(file)
  load(module, file)
}
"""
FAILS = "throw new Error('this file is no test')\n"


def manifest(script: str, *tools: str, **fields: object) -> str:
    scripts = {"test": script, **fields.pop("scripts", {})}  # type: ignore[dict-item]
    needed = {name: TOOLS[name] for name in tools}
    return json.dumps({"name": "x", "scripts": scripts, "devDependencies": needed, **fields})


def titles(result: FCorrResult) -> list[str]:
    cases = result.test_results.cases if result.test_results else {}
    return sorted(name.rpartition(" > ")[2] for name in cases)


def named(text: str, title: str) -> str:
    return text.replace("TITLE", title)


PROJECTS: dict[str, tuple[Files, list[str]]] = {
    "mocha, by the test script": (
        {
            "package.json": manifest("mocha checks/**/*.js --require ./setup.js -R dot", "mocha"),
            "setup.js": "globalThis.ready = true\n",
            "checks/unit/a.js": "it('one', () => { if (!globalThis.ready) throw new Error() })\n",
            "test/never.js": FAILS,
        },
        ["one"],
    ),
    "mocha, with a loader of years ago": (
        {
            "package.json": manifest("mocha --require ./old.js", "mocha"),
            "old.js": OLD_LOADER,
            "test/a.js": named(GLOBALS, "one"),
        },
        ["one"],
    ),
    "mocha, by .mocharc": (
        {
            "package.json": manifest("c8 mocha", "mocha"),
            ".mocharc.json": '{"spec": ["spec/*.js"], "ui": "tdd", "parallel": false}',
            "spec/a.js": "global.shared = 1\nsuite('s', () => { test('one', () => {}) })\n",
            # Serial, as its author runs it: a later file sees what an earlier one left.
            "spec/b.js": "test('two', () => { if (global.shared !== 1) throw new Error() })\n",
            "test/never.js": FAILS,
        },
        ["one", "two"],
    ),
    "mocha, by package.json": (
        {
            "package.json": manifest("npm run unit", "mocha", scripts={"unit": "mocha"},
                                     mocha={"spec": "lib/**/*.check.js"}),
            "lib/deep/a.check.js": named(GLOBALS, "one"),
            "test/fixtures/broken.test.js": FAILS,
        },
        ["one"],
    ),
    "jest, by testMatch and a variable": (
        {
            "package.json": manifest("cross-env MODE=full jest --coverage", "jest",
                                     jest={"testMatch": ["**/checks/*.js"]}),
            "checks/a.js": "test('one', () => expect(process.env.MODE).toBe('full'))\n",
            "tests/b.test.js": FAILS,
        },
        ["one"],
    ),
    "jest, modules by Node's option": (
        {
            "package.json": manifest(
                "NODE_OPTIONS=--experimental-vm-modules npx jest", "jest", type="module"
            ),
            "a.test.js": "import fs from 'node:fs'\ntest('one', () => expect(fs).toBeDefined())\n",
        },
        ["one"],
    ),
    "vitest, by include": (
        {
            "package.json": manifest("vitest", "vitest", type="module"),
            "vitest.config.mjs": "export default { test: { include: ['checks/**/*.mjs'] } }\n",
            "checks/a.mjs": named(VITEST, "one"),
            "tests/b.test.mjs": FAILS,
        },
        ["one"],
    ),
    "vitest, another configuration": (
        {
            "package.json": manifest("tsc --version && vitest run --config unit.config.mjs",
                                     "vitest", type="module"),
            "unit.config.mjs": "export default { test: { exclude: ['**/b.test.mjs'] } }\n",
            "a.test.mjs": named(VITEST, "one"),
            "b.test.mjs": FAILS,
        },
        ["one"],
    ),
    "node:test, by a folder and an import": (
        {
            "package.json": manifest("node --import ./setup.mjs --test checks/"),
            "setup.mjs": "globalThis.ready = true\n",
            "checks/a.test.js": "const { test } = require('node:test')\n"
            "test('one', () => { if (!globalThis.ready) throw new Error() })\n",
            "test/never.js": FAILS,
        },
        ["one"],
    ),
    "node:test, by a program": (
        {
            "package.json": manifest("node all.js"),
            "all.js": "require('./one.js')\nrequire('node:test')\n",
            "one.js": named(NODE_TEST, "one"),
            "test/never.js": FAILS,
        },
        ["one"],
    ),
    "a workspace, each member by its own framework": (
        {
            "package.json": manifest("npm test --workspaces", "mocha", "vitest",
                                     workspaces=["packages/*"]),
            "packages/a/package.json": '{"name": "a", "scripts": {"test": "mocha spec"}}',
            "packages/a/spec/a.js": "const { b } = require('b')\nit('one', () => b())\n",
            "packages/b/package.json": '{"name": "b", "scripts": {"test": "vitest run"}}',
            "packages/b/index.js": "exports.b = () => 1\n",
            "packages/b/b.test.mjs": named(VITEST, "two"),
            "packages/c/package.json": '{"name": "c", "scripts": {"test": "node --test"}}',
            "packages/c/test/c.js": named(NODE_TEST, "three"),
        },
        ["one", "three", "two"],
    ),
    "names only, where nothing else says what is a test": (
        {
            "package.json": manifest("echo none"),
            "test/a.js": named(NODE_TEST, "one"),
            "test/parser-fixtures/b.js": FAILS,
            "test/__fixtures__/c.test.js": FAILS,
        },
        ["one"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", PROJECTS)
def test_the_projects_own_settings_decide_which_files_are_tests(judge: Judge, case: str) -> None:
    files, expected = PROJECTS[case]
    result = judge(files)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)
    assert titles(result) == expected


@pytest.mark.parametrize(
    ("script", "dependency", "name"),
    [
        ("xo && ava && tsd", "ava", "ava"),
        ("uvu -r esm test", "uvu", "uvu"),
        ("tap run tests/**/*.js", "tap", "tap"),
        ("bun test", "typescript", "Bun"),
        ("deno test -A", "typescript", "Deno"),
        ("karma start --single-run", "mocha", "Karma"),
        ("playwright test", "@playwright/test", "Playwright"),
        ("ts-scripts test", "qunit", "QUnit"),
        ("node test.js", "typescript", "no framework but a program (`node test.js`)"),
    ],
)
def test_a_framework_that_is_not_supported_is_named(
    judge: Judge, script: str, dependency: str, name: str
) -> None:
    text = json.dumps({"scripts": {"test": script}, "devDependencies": {dependency: "1.0.0"}})
    result = judge({"package.json": text, "test.js": "console.log('fine')\n"})
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_RUNNER)
    assert f"written for {name}, as " in (result.error or "")
    assert "plugin" in (result.error or "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import test from 'ava'\ntest('a', t => t.pass())\n", "ava"),
        ("import { test, expect } from 'bun:test'\ntest('a', () => {})\n", "Bun"),
        ("Deno.test('a', () => {})\n", "Deno"),
        ("const tap = require('tap')\ntap.pass()\n", "tap"),
    ],
)
def test_tests_say_what_they_are_written_for(judge: Judge, text: str, name: str) -> None:
    result = judge({"package.json": '{"type": "module"}', "test/a.test.js": text})
    assert result.fault is Fault.MISSING_RUNNER
    assert f"written for {name}, as test/a.test.js says" in (result.error or "")


def test_a_command_that_ends_before_its_tests_fails_with_its_own_words(judge: Judge) -> None:
    files = {
        "package.json": manifest("mocha --require ./setup.js", "mocha"),
        "setup.js": "throw new TypeError('no such setting')\n",
        "test/a.js": named(GLOBALS, "one"),
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST)
    assert "before its tests were over" in (result.error or "")
    assert "no such setting" in (result.error or "")


@pytest.mark.parametrize("code", [0, 3])
def test_a_program_that_exits_in_mid_run_never_passes(judge: Judge, code: int) -> None:
    files = {
        "package.json": manifest("mocha", "mocha"),
        "test/a.js": f"it('one', () => {{}})\nit('two', () => process.exit({code}))\n",
    }
    result = judge(files)
    assert result.outcome is Outcome.FAILED
    assert "before its tests were over" in (result.error or "")
    assert result.tests_passed == 1


@pytest.mark.parametrize("framework", ["jest", "vitest", "mocha", "node_test"])
def test_a_folder_of_tests_may_be_asked_for(judge: Judge, framework: str) -> None:
    script = {"vitest": "vitest run", "node_test": "node --test"}.get(framework, framework)
    tools = [framework] if framework in TOOLS else []
    text = {"vitest": VITEST, "node_test": NODE_TEST}.get(framework, GLOBALS)
    end = "mjs" if framework == "vitest" else "js"
    files = {
        "package.json": manifest(script, *tools),
        f"test/unit/deep/a.test.{end}": named(text, "one"),
        f"test/other/b.test.{end}": named(text, "two"),
    }
    result = judge(files, test_dir="test/unit")
    assert (result.outcome, titles(result)) == (Outcome.PASSED, ["one"])


def test_what_stays_open_does_not_hold_up_the_end(judge: Judge) -> None:
    files = {
        "package.json": manifest("mocha", "mocha"),
        "test/a.js": "setInterval(() => {}, 1000)\nit('one', () => {})\n",
    }
    result = judge(files, timeout=120)
    assert (result.outcome, titles(result)) == (Outcome.PASSED, ["one"])
    assert any("did not end by itself" in note for note in result.notes)


def test_nothing_is_set_that_the_author_would_not_have_set(judge: Judge) -> None:
    check = (
        "it('plain', () => {\n"
        "  for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR', 'NODE_OPTIONS'])\n"
        "  if (process.env[name] !== undefined) throw new Error(name) })\n"
    )
    result = judge({"package.json": manifest("mocha", "mocha"), "test/a.js": check})
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


@pytest.mark.parametrize("spec", ["^1.0.0", "99.99.99"])
def test_a_tool_that_the_registry_does_not_have_is_done_without(judge: Judge, spec: str) -> None:
    absent = "sdkbench-never-published" if spec == "^1.0.0" else "is-number"
    package = json.loads(manifest("mocha", "mocha"))
    package["devDependencies"][absent] = spec
    files = {"package.json": json.dumps(package), "test/a.js": named(GLOBALS, "one")}
    result = judge(files)
    assert (result.outcome, titles(result)) == (Outcome.PASSED, ["one"]), result.error
    assert any(f"without {absent}" in note for note in result.notes)
    package["dependencies"] = {absent: package["devDependencies"].pop(absent)}
    result = judge(files | {"package.json": json.dumps(package)})
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.INSTALL)


def test_a_tool_that_is_not_of_the_registry_is_done_without(judge: Judge) -> None:
    package = json.loads(manifest("mocha", "mocha"))
    package["devDependencies"]["is-odd"] = "patch:is-odd@npm%3A3.0.1#~/.yarn/patches/is-odd.patch"
    package["resolutions"] = {"is-even": "git+ssh://example.test/is-even"}
    files = {"package.json": json.dumps(package), "test/a.js": named(GLOBALS, "one")}
    result = judge(files)
    assert (result.outcome, titles(result)) == (Outcome.PASSED, ["one"]), result.error
    assert any("without what is refused" in note and "is-odd" in note for note in result.notes)
    assert any("without what is refused" in note and "overrides" in note for note in result.notes)
    package["dependencies"] = {"is-odd": package["devDependencies"].pop("is-odd")}
    result = judge(files | {"package.json": json.dumps(package)})
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.INSTALL)


def test_tens_of_thousands_of_tests_are_no_fault(judge: Judge) -> None:
    many = "for (let i = 0; i < 60000; i++) it(`${i} ${'x'.repeat(250)}`, () => {})\n"
    result = judge({"package.json": manifest("mocha", "mocha"), "test/a.js": many})
    assert (result.outcome, result.tests_passed) == (Outcome.PASSED, 60000), result.error
