"""What is found out about a JavaScript or TypeScript project without a verdict."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.environments import Cache
from sdkbench.test_harness import (
    BuildRunner,
    Executor,
    Harness,
    TestRunner,
    TestRunnerRegistry,
    TypeScriptTestRunner,
)
from tests.support.node.packages import TEST, package
from tests.support.projects import Files

Project = Callable[[Files], Path]


def test_type_lint_and_coverage_details(project: Project, harness: Harness) -> None:
    folder = project(
        {
            "package.json": package(),
            "tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true, '
            '"module": "nodenext", "skipLibCheck": true}}',
            "src/app.ts": "export function size(n: number): string {\n  let unused = 1\n"
            "  if (n > 10) {\n    return 'big'\n  }\n  return n\n}\n",
            "tests/a.test.ts": "import { test } from 'node:test'\n"
            "import assert from 'node:assert'\nimport { size } from '../src/app.js'\n"
            "test('big', () => assert.equal(size(11), 'big'))\n",
        }
    )
    build = BuildRunner(folder, harness=harness)
    types = build.check_type_errors()
    assert (types.tool, types.success) == ("tsc", False)
    assert [(p.path, p.line, p.code) for p in types.problems] == [("src/app.ts", 6, "TS2322")]
    codes = {(p.path, p.line, p.code) for p in build.lint_code().problems}
    assert ("src/app.ts", 2, "@typescript-eslint/no-unused-vars") in codes
    coverage = TestRunner(folder, harness=harness).check_test_coverage()
    (app,) = [f for f in coverage.files if f.path == "src/app.ts"]
    assert 6 in app.missing_lines
    assert 0 < app.percent < 100


@pytest.mark.parametrize("framework", ["jest", "vitest", "mocha"])
def test_coverage_comes_from_each_framework(
    project: Project, harness: Harness, framework: str
) -> None:
    imports = {"jest": "{ test } from '@jest/globals'", "vitest": "{ test } from 'vitest'",
               "mocha": "{ it as test } from 'mocha'"}[framework]  # fmt: skip
    folder = project(
        {
            "package.json": package(),
            "src/app.js": "export function size(n) {\n  if (n > 10) {\n    return 'big'\n  }\n"
            "  return 'small'\n}\n",
            "tests/a.test.js": f"import {imports}\nimport {{ size }} from '../src/app.js'\n"
            "test('big', () => { if (size(11) !== 'big') throw new Error('no') })\n",
        }
    )
    coverage = TestRunner(folder, harness=harness).check_test_coverage()
    (app,) = [f for f in coverage.files if f.path == "src/app.js"]
    assert 5 in app.missing_lines
    assert 3 not in app.missing_lines


def test_detection_distinguishes_the_languages_of_a_polyglot_folder(project: Project) -> None:
    folder = project(
        {
            "package.json": package(devDependencies={"prettier": "3"}),
            "requirements.txt": "six\n",
            "app.py": "x = 1\n",
            "tests/test_app.py": "def test_it(): pass\n",
        }
    )
    results = TestRunnerRegistry.detect_all(folder)
    assert [r.runner for r in results if r.detected] == ["python", "typescript"]
    assert results[0].confidence > results[1].confidence


def test_executor_installs_and_knows(project: Project, harness: Harness, tmp_path: Path) -> None:
    folder = project({"package.json": package(dependencies={"is-number": "7.0.0"}), "a.js": ""})
    executor = Executor(folder, harness=harness)
    assert executor.check_node_installed()
    assert executor.check_npm_installed()
    assert executor.install_dependencies().success
    assert executor.check_dependencies_installed()
    fresh = Executor(folder, harness=harness._replace(cache=Cache(tmp_path / "none")))
    assert not fresh.check_dependencies_installed()


def test_the_runner_reads_and_runs_nothing_in_a_quick_check(project: Project) -> None:
    folder = project({"package.json": "{", "index.test.js": TEST})
    check = TypeScriptTestRunner(folder).quick_check()
    assert (check.has_tests, check.ok) == (True, False)


def test_plain_javascript_is_checked_as_what_it_is(project: Project, harness: Harness) -> None:
    folder = project(
        {
            "package.json": '{"name": "x"}',
            "index.js": "'use strict'\nconst path = require('path')\n\n"
            "function size(n) {\n  return path.sep + n\n}\n\nmodule.exports = { size }\n",
            "bin/run.js": "#!/usr/bin/env node\nconst { size } = require('..')\n"
            "console.log(size(1), __dirname, process.argv)\n",
            "web.mjs": "export const page = () => document.title\n",
            "test/a.test.js": "const { size } = require('../index.js')\n"
            "describe('size', () => {\n  beforeEach(() => {})\n"
            "  it('is text', () => { expect(size(1)).toBe('/1') })\n})\n",
        }
    )
    build = BuildRunner(folder, harness=harness)
    assert build.check_type_errors().problems == []
    assert build.lint_code().problems == []
    (folder / "index.js").write_text("module.exports = { size: (n) => missing(n).x }\n")
    build = BuildRunner(folder, harness=harness)
    assert [p.code for p in build.check_type_errors().problems] == ["TS2304"]
    assert [p.code for p in build.lint_code().problems] == ["no-undef"]
