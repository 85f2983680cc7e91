"""Tests in one sandbox, the solution in another: four frameworks, and every kind of value."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.datasets import Sample, load_sample
from sdkbench.datasets.layout import lay_out
from sdkbench.test_harness import BaseTestRunner, Harness, TestRunnerRegistry
from sdkbench.test_harness.apart import ApartRun
from sdkbench.test_harness.models import TestStatus
from tests.support.nightly import mostly_nightly
from tests.support.places import SAMPLES
from tests.support.projects import Files, MakeSample, contents, write

ZOO = Path(__file__).parents[3] / "data" / "apart_node"
FRAMEWORKS = ["jest", "vitest", "mocha", "node_test"]
KINDS = ["esm", "cjs", "ts"]
DAILY = {("jest", "cjs"), ("vitest", "ts"), ("mocha", "esm"), ("node_test", "ts")}
MATRIX = mostly_nightly(
    [(framework, kind) for framework in FRAMEWORKS for kind in KINDS],
    DAILY.__contains__,
    name="-".join,
)
BUNDLED = [
    "jose/jose_tokens_001",
    "octokit/octokit_issues_001",
    "stripe/stripe_webhook_001",
]
IMPORTS = {
    "jest": "{ describe, test } from '@jest/globals'",
    "vitest": "{ describe, test } from 'vitest'",
    "mocha": "{ describe, it as test } from 'mocha'",
    "node_test": "{ describe, test } from 'node:test'",
}

RunApart = Callable[..., ApartRun | None]


@pytest.fixture
def run_apart(harness: Harness, tmp_path: Path) -> RunApart:
    """The reference's run, or, with its profile, that of a solution made of `changed` files."""

    def run(
        sample: Sample,
        profile: str | None = None,
        changed: Files | None = None,
        *,
        copies: bool = False,
    ) -> ApartRun | None:
        number = len(list(tmp_path.glob("run-*")))
        solution = tmp_path / f"run-{number}" / "solution"
        write(solution, contents(sample.reference_dir) | (changed or {}))
        project = lay_out(sample, solution, tmp_path / f"run-{number}" / "laid out")
        runner: BaseTestRunner | None = TestRunnerRegistry.get_runner(
            solution, 60, project=project, harness=harness
        )
        assert runner
        installed = runner.install_dependencies()
        assert installed.success, installed.error
        return runner.examine_apart(profile, copies=copies)

    return run


def passed(run: ApartRun | None) -> list[str]:
    """The tests that passed; all have, and nothing was in the way."""
    assert run
    evidence = run.examination.evidence
    assert evidence, run.examination.build.errors
    assert evidence.ended
    assert not evidence.failures, [f.error_message for f in evidence.failures]
    assert (run.departures, run.obstacles) == ((), {})
    return [report.id for report in evidence.reports]


def failed(run: ApartRun | None) -> set[str]:
    """The titles of tests that failed."""
    assert run
    assert run.examination.evidence
    bad = [r.id for r in run.examination.evidence.reports if r.status is TestStatus.FAILED]
    return {name.rpartition(" > ")[2] for name in bad}


def module(kind: str) -> tuple[Files, str]:
    """A solution of this kind of module, and what a test writes to import it."""
    ending = "ts" if kind == "ts" else "js"
    typed = ": number" if kind == "ts" else ""
    export = "" if kind == "cjs" else "export "
    text = (
        f"{export}class Total {{\n  sum = 0\n"
        f"  add(n{typed}) {{\n    this.sum += n\n    return this\n  }}\n}}\n"
        f"{export}function double(n{typed}) {{\n"
        "  if (typeof n !== 'number') throw new TypeError('no number')\n  return 2 * n\n}\n"
        f"{export}async function later(n{typed}) {{\n  return {{ n, list: [n] }}\n}}\n"
    )
    if kind == "cjs":
        text += "module.exports = { Total, double, later }\n"
    files = {
        "package.json": '{"name": "x", "type": "%s"}' % ("commonjs" if kind == "cjs" else "module"),
        f"src/app.{ending}": text,
    }
    if kind == "ts":
        options = '{"module": "nodenext", "target": "es2022", "strict": true, "noEmit": true}'
        files["tsconfig.json"] = f'{{"compilerOptions": {options}}}'
    return files, "{ Total, double, later } from '../expected/src/app.js'"


BODY = """
describe('app', () => {
  test('doubles', () => assert.equal(double(2), 4))
  test('refuses', () => assert.throws(() => double('2'), TypeError))
  test('waits', async () => assert.deepEqual((await later(3)).list, [3]))
  test('adds', () => assert.equal(new Total().add(1).add(2).sum, 3))
})
"""


@pytest.mark.parametrize("way", MATRIX)
def test_every_kind_of_module_runs_apart(
    make_sample: MakeSample, run_apart: RunApart, way: tuple[str, str]
) -> None:
    framework, kind = way
    files, imported = module(kind)
    lines = [IMPORTS[framework], imported, "assert from 'node:assert'"]
    if kind == "cjs" and framework != "vitest":
        text = "".join(
            f"const {line.replace(' as ', ': ').replace(' from ', ' = require(')})\n"
            for line in lines
        )
    else:
        text = "".join(f"import {line}\n" for line in lines)
    ending = "ts" if kind == "ts" else "mjs" if framework == "vitest" else "js"
    tests = {f"app.test.{ending}": text + BODY}
    if kind == "esm" and ending == "js":
        tests["package.json"] = '{"type": "module"}'
    sample = make_sample(files, tests)
    first = run_apart(sample)
    assert len(passed(first)) == 4
    assert first
    source = next(name for name in files if name.startswith("src/"))
    assert len(passed(run_apart(sample, first.profile))) == 4
    wrong = files[source].replace("2 * n", "3 * n")
    assert failed(run_apart(sample, first.profile, {source: wrong})) == {"doubles"}


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_sample_passes_apart(run_apart: RunApart, name: str) -> None:
    sample = load_sample(SAMPLES / name)
    first = run_apart(sample)
    assert len(passed(first)) == 8
    assert first
    assert len(passed(run_apart(sample, first.profile))) == 8


@pytest.mark.parametrize("framework", mostly_nightly(["node_test", "vitest"], "vitest".__eq__))
def test_every_kind_of_value_crosses(
    make_sample: MakeSample, run_apart: RunApart, framework: str
) -> None:
    text = (ZOO / "tests" / "zoo.test.mjs").read_text()
    if framework == "vitest":
        text = text.replace(
            "import { mock, test } from 'node:test'",
            "import { test, vi as mock } from 'vitest'",
        )
    sample = make_sample(contents(ZOO / "expected"), {"zoo.test.mjs": text})
    first = run_apart(sample)
    assert len(passed(first)) == 17
    assert first
    assert len(passed(run_apart(sample, first.profile))) == 17


OBSTACLES = {
    "the text of a source file": "readFileSync('expected/src/app.js', 'utf8')",
    # Under its plain name it would be refused before anything runs.
    "a program of the solution": (
        "createRequire(import.meta.url)('child_' + 'process')"
        ".spawnSync('node', ['expected/src/app.js'])"
    ),
    "a class that another one extends": "new (class extends Total {})()",
    "a clock that the tests have replaced": (
        "mock.timers.enable(['setTimeout']); double(1); mock.timers.reset()"
    ),
}


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_what_can_not_be_apart_is_an_obstacle(
    make_sample: MakeSample, run_apart: RunApart, obstacle: str
) -> None:
    files, imported = module("esm")
    text = (
        f"import {{ mock, test }} from 'node:test'\nimport assert from 'node:assert'\n"
        "import { createRequire } from 'node:module'\nimport { readFileSync } from 'node:fs'\n"
        f"import {imported}\n"
        f"test('it', () => {{ try {{ {OBSTACLES[obstacle]} }} catch {{}} }})\n"
        "test('uses it', () => { double(1); new Total(); void later })\n"
    )
    run = run_apart(make_sample(files, {"app.test.mjs": text}))
    assert run
    assert any(obstacle in sentence for sentence in run.obstacles.values()), run


def test_solution_of_another_make_is_no_departure(
    make_sample: MakeSample, run_apart: RunApart
) -> None:
    """Other classes, other packages' ways, more exports, errors of its own: all of it honest."""
    files, imported = module("esm")
    lines = [IMPORTS["node_test"], imported, "assert from 'node:assert'"]
    text = "".join(f"import {line}\n" for line in lines) + BODY
    sample = make_sample(files, {"app.test.mjs": text})
    first = run_apart(sample)
    assert first
    passed(first)
    other = """
      class Refusal extends TypeError { get code() { return 'E' } toJSON() { return {} } }
      class Answer { constructor(n) { this.n = n } get list() { return [this.n] } }
      class Base { sum = 0 }
      export class Total extends Base {
        #log = new WeakMap()
        add = (n) => { this.sum += n; return this }
      }
      export const double = (n) => {
        if (typeof n !== 'number') throw new Refusal('x')
        return n + n
      }
      export const later = (n) => new Promise((done) => setImmediate(done, new Answer(n)))
      export const helper = Symbol('helper')
      export default { double, nested: { deep: new WeakMap() } }
    """
    passed(run_apart(sample, first.profile, {"src/app.js": other}))


def test_promise_that_nothing_settles_fails_at_once(
    make_sample: MakeSample, run_apart: RunApart
) -> None:
    files, _ = module("esm")
    text = (
        "import test from 'node:test'\n"
        "import { later } from '../expected/src/app.js'\n"
        "test('waits', async () => { await later(1) })\n"
    )
    sample = make_sample(files, {"app.test.mjs": text})
    first = run_apart(sample)
    assert first
    passed(first)
    endless = "export const later = () => new Promise(() => {})\n"
    run = run_apart(sample, first.profile, {"src/app.js": endless})
    assert failed(run) == {"waits"}
    assert run
    assert run.examination.evidence
    assert run.examination.evidence.ended


def test_solution_that_ends_or_lies_fails(make_sample: MakeSample, run_apart: RunApart) -> None:
    files, _ = module("esm")
    text = (
        "import test from 'node:test'\nimport assert from 'node:assert'\n"
        "import { double } from '../expected/src/app.js'\n"
        "test('refuses', () => assert.throws(() => double('2')))\n"
    )
    sample = make_sample(files, {"app.test.mjs": text})
    first = run_apart(sample)
    assert first
    passed(first)
    for body in (
        "process.exit(0)",
        "process.kill(process.pid, 'SIGKILL')",
        "setTimeout(() => process.exit(0)); return",
    ):
        run = run_apart(
            sample, first.profile, {"src/app.js": f"export function double() {{ {body} }}\n"}
        )
        assert run
        assert run.examination.evidence
        assert run.examination.evidence.failures


def test_tests_may_keep_their_own_of_what_the_solution_changes(
    make_sample: MakeSample, run_apart: RunApart
) -> None:
    """What is expected is worked out from what is left; and a change that does not matter."""
    text = """
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubled, total } from '../expected/app.js'
test('doubled', () => {
  const numbers = [1, 2]
  assert.deepEqual(doubled(numbers), numbers.map((n) => 2 * n))
})
test('total', () => assert.equal(total([1, 2]), 3))
"""
    app = """
export const doubled = (numbers) => numbers.map((n) => 2 * n)
export const total = (numbers) => numbers.reduce((a, b) => a + b)
"""
    sample = make_sample(
        {"package.json": '{"name": "x", "type": "module"}', "app.js": app}, {"app.test.mjs": text}
    )
    first = run_apart(sample)
    assert first
    assert len(passed(first)) == 2
    assert not first.changes
    changing = """
export const doubled = (numbers) => { numbers.length = 0; return numbers }
export const total = (numbers) => {
  let sum = 0
  while (numbers.length) sum += numbers.pop()
  return sum
}
"""
    seen = run_apart(sample, first.profile, {"app.js": changing})
    assert seen
    assert len(passed(seen)) == 2
    assert len(seen.changes) == 2
    kept = run_apart(sample, first.profile, {"app.js": changing}, copies=True)
    assert failed(kept) == {"doubled"}


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("// @vitest-environment jsdom\n", "jsdom"),
        ("test('run', () => eval(view()))\n", "eval("),
        ("import { execSync } from 'node:child_process'\n", "child_process"),
        (
            "import { writeFileSync } from 'node:fs'\nconst made = await import(path)\n",
            "import(path)",
        ),
    ],
)
def test_such_tests_say_why_they_are_not_apart(
    lines: str, why: str, make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    tests = (
        f"{lines}import {{ test }} from 'vitest'\n"
        "import { view } from '../expected/app.js'\ntest('it', () => view())\n"
    )
    sample = make_sample(
        {"package.json": '{"name": "x", "type": "module"}', "app.js": "export const view = 1\n"},
        {"app.test.js": tests},
    )
    project = lay_out(sample, sample.reference_dir, tmp_path / "laid out")
    runner = TestRunnerRegistry.get_runner(
        sample.reference_dir, 60, project=project, harness=harness
    )
    assert runner
    assert why in runner.why_not_apart()


DRIVER = """
import { Total, double } from '%s'
class Weighted extends Total {
  add(n) { return super.add(n * 10) }
}
export function weigh(numbers) {
  const total = new Weighted()
  for (const n of numbers) total.add(n)
  return { sum: total.sum, twice: double(total.sum) }
}
"""


@pytest.mark.parametrize("framework", mostly_nightly(FRAMEWORKS, "vitest".__eq__))
@pytest.mark.parametrize("place", mostly_nightly(["shared", "tests"], "shared".__eq__))
def test_driver_runs_beside_the_solution(
    make_sample: MakeSample, run_apart: RunApart, framework: str, place: str
) -> None:
    """What it does with the solution would be an obstacle in a test; its answers are values."""
    files, _ = module("esm")
    up, beside = ("../", "../") if place == "shared" else ("../../", "./")
    driver = {"solution_driver/weigh.mjs": DRIVER % f"{up}expected/src/app.js"}
    test = (
        f"import {IMPORTS[framework]}\nimport assert from 'node:assert'\n"
        f"import {{ weigh }} from '{beside}solution_driver/weigh.mjs'\n"
        "test('weighs', () => assert.deepEqual(weigh([1, 2]), { sum: 30, twice: 60 }))\n"
    )
    tests = {"app.test.mjs": test} | (driver if place == "tests" else {})
    sample = make_sample(files, tests, driver if place == "shared" else {})
    first = run_apart(sample)
    assert len(passed(first)) == 1
    assert first
    wrong = files["src/app.js"].replace("2 * n", "3 * n")
    assert failed(run_apart(sample, first.profile, {"src/app.js": wrong})) == {"weighs"}


def test_setup_file_in_the_driver_runs_beside_the_solution(
    make_sample: MakeSample, run_apart: RunApart
) -> None:
    """It stands in for a module of the solution's; the tests' own one does not cross."""
    app = "import { userInfo } from 'node:os'\nexport const name = () => userInfo().username\n"
    files = {"package.json": '{"name": "x", "type": "module"}', "src/app.js": app}
    test = (
        "import { expect, test } from 'vitest'\nimport { name } from '../expected/src/app.js'\n"
        "test('asks', () => expect(name()).toBe('ada'))\n"
    )
    settings = "export default { test: { setupFiles: ['./solution_driver/setup.js'] } }\n"
    setup = (
        "import { vi } from 'vitest'\n"
        "vi.mock('node:os', () => ({ userInfo: () => ({ username: 'ada' }) }))\n"
    )
    shared = {"vitest.config.mjs": settings, "solution_driver/setup.js": setup}
    sample = make_sample(files, {"app.test.mjs": test}, shared)
    first = run_apart(sample)
    assert len(passed(first)) == 1
    assert first
    assert len(passed(run_apart(sample, first.profile))) == 1
    wrong = {"src/app.js": app.replace("username", "shell")}
    assert failed(run_apart(sample, first.profile, wrong)) == {"asks"}


NODE_TEST = """import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
"""
NOW = "import { double } from '../expected/src/app.js'\n"
LATER = "const { double } = await import('../expected/src/app.js')\n"
READS = "readFileSync(new URL('../expected/src/app.js', import.meta.url))\n"
TWO = "assert.equal(double(2), 4)\n"
WAYS_TO_IMPORT = {
    "before it runs": (f"{NOW}test('two', () => {{ {TWO} }})", ""),
    "when it runs": (f"test('two', async () => {{ {LATER} {TWO} }})", ""),
    "and reads": (f"{NOW}test('two', () => {{ {TWO} {READS} }})", "the text of a source file"),
}


@pytest.mark.parametrize(("text", "obstacle"), WAYS_TO_IMPORT.values(), ids=[*WAYS_TO_IMPORT])
def test_a_test_imports_a_module_of_the_solution(
    make_sample: MakeSample, run_apart: RunApart, text: str, obstacle: str
) -> None:
    files, _ = module("esm")
    run = run_apart(make_sample(files, {"app.test.mjs": f"{NODE_TEST}{text}\n"}))
    assert run
    assert all(obstacle in told for told in run.obstacles.values())
    assert bool(run.obstacles) == bool(obstacle)
    if not obstacle:
        assert len(passed(run)) == 1


def test_what_does_not_parse_beside_the_tests_is_a_failed_build(
    make_sample: MakeSample, run_apart: RunApart
) -> None:
    files, _ = module("esm")
    text = WAYS_TO_IMPORT["before it runs"][0]
    sample = make_sample(files, {"app.test.mjs": f"{NODE_TEST}{text}\n"})
    first = run_apart(sample)
    assert len(passed(first)) == 1
    assert first
    wrong = run_apart(sample, first.profile, {"src/more.js": "export const = 1\n"})
    assert wrong
    assert not wrong.examination.build.success
    assert "more.js" in wrong.examination.build.errors[0]
