"""Four frameworks × three kinds of module: the same tests, the same counts, every trap."""

from typing import NamedTuple

import pytest

from sdkbench.core import Fault, Outcome
from tests.support.nightly import mostly_nightly
from tests.support.projects import Files, Judge

FRAMEWORKS = ["jest", "vitest", "mocha", "node_test"]
KINDS = ["esm", "cjs", "ts"]
# Each framework meets one kind of module each day, and all of them at night.
DAILY = {("jest", "cjs"), ("vitest", "ts"), ("mocha", "cjs"), ("node_test", "esm")}
MATRIX = [
    pytest.param(framework, kind, marks=() if (framework, kind) in DAILY else pytest.mark.nightly)
    for framework in FRAMEWORKS
    for kind in KINDS
]
TSCONFIG = (
    '{"compilerOptions": {"module": "nodenext", "target": "es2022", "strict": true, '
    '"noEmit": true, "skipLibCheck": true, "types": ["node"]}}'
)


class Dialect(NamedTuple):
    """How a framework writes things."""

    imports: str  # the names it gives, and the module they come from
    module: str
    test: str = "test"


DIALECTS = {
    "jest": Dialect("describe, test, expect", "@jest/globals"),
    "vitest": Dialect("describe, test, expect", "vitest"),
    "mocha": Dialect("describe, it", "mocha", "it"),
    "node_test": Dialect("describe, test", "node:test"),
}


def test_file(framework: str, kind: str, body: str) -> str:
    """`body` with the framework's imports, for a CommonJS, ESM or TypeScript file."""
    dialect = DIALECTS[framework]
    lines = {dialect.module: f"{{ {dialect.imports} }}", "node:assert/strict": "assert"}
    text = ""
    for module, names in lines.items():
        if kind == "cjs" and module != "vitest":
            text += f"const {names} = require('{module}')\n"
        else:
            text += f"import {names} from '{module}'\n"
    if kind == "cjs" and framework != "vitest":
        text += "const { double } = require('../src/app.js')\n"
    else:
        text += "import { double } from '../src/app.js'\n"
    return text + body.replace("TEST", dialect.test)


test_file.__test__ = False  # type: ignore[attr-defined]


def project(framework: str, kind: str, **bodies: str) -> Files:
    """A project without its test framework declared; `bodies` become test files."""
    esm = kind != "cjs"
    ending = "ts" if kind == "ts" else "js"
    signature = "(n: number): number" if kind == "ts" else "(n)"
    export = "export function" if esm else "exports.double = function"
    files = {
        "package.json": '{"name": "x", "type": "%s"}' % ("module" if esm else "commonjs"),
        f"src/app.{ending}": f"{export} double{signature} {{\n  return 2 * n\n}}\n",
    }
    if kind == "ts":
        files["tsconfig.json"] = TSCONFIG
    test_ending = "mjs" if kind == "cjs" and framework == "vitest" else ending
    for name, body in bodies.items():
        files[f"tests/{name}.test.{test_ending}"] = test_file(framework, kind, body)
    return files


MIXED = """
describe('math', () => {
  TEST('doubles', () => assert.equal(double(2), 4))
  TEST('is wrong', () => {
    console.log('Tests: 4 passed, 4 total')
    assert.equal(double(2), 5)
  })
  TEST.skip('not today', () => assert.fail())
  TODO
})
TEST('waits', async () => {
  await new Promise((done) => setTimeout(done, 5))
})
"""


@pytest.mark.parametrize(("framework", "kind"), MATRIX)
def test_counts_and_details_are_right(judge: Judge, framework: str, kind: str) -> None:
    todo = "it('some day')" if framework == "mocha" else "test.todo('some day')"
    broken = "throw new Error('cannot load')\n"
    files = project(framework, kind, math=MIXED.replace("TODO", todo), broken=broken)
    result = judge(files)
    assert (result.framework, result.outcome) == (framework, Outcome.FAILED), result.error
    assert result.language == ("typescript" if kind == "ts" else "javascript")
    assert result.test_results
    counts = result.test_results
    assert (counts.passed, counts.skipped, counts.failed) == (2, 2, 2), counts.failures
    failures = {f.test_name: f for f in counts.failures}
    wrong = next(f for name, f in failures.items() if "is wrong" in name)
    assert wrong.test_name.startswith("tests/math.test.")
    assert "math > is wrong" in wrong.test_name
    assert wrong.file_path == wrong.test_name.split(" > ")[0]
    expected_line = 1 + next(
        number
        for number, line in enumerate(files[wrong.file_path].splitlines())
        if "double(2), 5" in line
    )
    assert wrong.line_number == expected_line
    assert "5" in wrong.error_message
    assert wrong.stack_trace
    assert any("cannot load" in f.error_message for f in failures.values())


@pytest.mark.parametrize(("framework", "kind"), MATRIX)
def test_a_clean_project_passes_and_says_what_was_brought_along(
    judge: Judge, framework: str, kind: str
) -> None:
    body = "TEST('doubles', () => assert.equal(double(2), 4))\n"
    result = judge(project(framework, kind, one=body, two=body))
    assert (result.outcome, result.tests_total) == (Outcome.PASSED, 2), result.error
    assert result.install_results
    added = " ".join(result.install_results.completed_with)
    assert framework == "node_test" or f"{framework}@" in added


TRAPS = {
    "exit in a test": "TEST('leaves', () => process.exit(0))\n",
    "exit at import": "process.exit(0)\nTEST('never', () => {})\n",
    "no tests": "void 0\n",
    "everything skipped": "TEST.skip('later', () => {})\n",
    "an endless loop": "TEST('spins', () => { while (true) {} })\n",
    "a crash": "TEST('crashes', () => process.kill(process.pid, 'SIGSEGV'))\n",
    "a rejection nobody handles": "TEST('floats', async () => {\n"
    "  Promise.reject(new Error('floating'))\n  await new Promise((d) => setTimeout(d, 50)) })\n",
    "a summary that lies": "console.log('Tests: 9 passed, 9 total')\n"
    "TEST('fails', () => assert.fail('no'))\n",
}


# Each trap is met by one framework each day, and by all of them at night.
TURNS = {("jest", "a rejection nobody handles"), ("vitest", "a crash"), ("mocha", "no tests"),
         ("node_test", "an endless loop"), ("jest", "a summary that lies"),
         ("mocha", "exit at import"), ("node_test", "exit in a test"),
         ("vitest", "everything skipped")}  # fmt: skip
TRAPPED = [
    pytest.param(
        framework,
        trap,
        marks=() if (framework, trap) in TURNS else pytest.mark.nightly,
    )
    for framework in FRAMEWORKS
    for trap in TRAPS
]


@pytest.mark.parametrize(("framework", "trap"), TRAPPED)
def test_a_trap_never_passes(judge: Judge, framework: str, trap: str) -> None:
    result = judge(project(framework, "esm", trap=TRAPS[trap]), timeout=15)
    assert result.outcome in {Outcome.FAILED, Outcome.INVALID}, result.error
    assert result.score == 0
    assert result.error
    if trap == "an endless loop":
        assert result.fault is Fault.TIMEOUT


@pytest.mark.parametrize(
    ("framework", "body"),
    [
        ("jest", "test.failing('meant to fail', () => assert.fail())\n"),
        ("vitest", "test.fails('meant to fail', () => assert.fail())\n"),
    ],
)
def test_an_expected_failure_is_no_clean_pass(judge: Judge, framework: str, body: str) -> None:
    result = judge(project(framework, "esm", one=body))
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.NO_TESTS)


@pytest.mark.parametrize("framework", mostly_nightly(FRAMEWORKS, "mocha".__eq__))
def test_two_tests_of_one_name_are_numbered(judge: Judge, framework: str) -> None:
    body = "TEST('same', () => {})\nTEST('same', () => {})\n"
    result = judge(project(framework, "esm", one=body))
    assert (result.outcome, result.tests_passed, result.tests_total) == (Outcome.PASSED, 2, 2)
    assert result.test_results
    assert any(name.endswith("same (2)") for name in result.test_results.cases)


@pytest.mark.parametrize("framework", mostly_nightly(FRAMEWORKS, "vitest".__eq__))
def test_open_handles_do_not_hold_up_the_end(judge: Judge, framework: str) -> None:
    body = "setInterval(() => {}, 1000)\nTEST('passes', () => assert.equal(double(1), 2))\n"
    result = judge(project(framework, "esm", one=body), timeout=15)
    assert result.outcome in {Outcome.PASSED, Outcome.FAILED}
    assert result.tests_passed == 1 or result.fault is Fault.TIMEOUT
