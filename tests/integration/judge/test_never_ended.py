"""A test that ends the whole run, or never ends, is a runtime error and a failure by its name."""

from pathlib import Path

import pytest

from sdkbench.core import Outcome, ScoreMode, Solution
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.test_harness import Harness, TestRunner
from tests.support.projects import Files, Judge, MakeSample, write
from tests.support.seven.node import PACKAGE
from tests.support.toolchains import needs

POM = """<project><modelVersion>4.0.0</modelVersion>
<groupId>a</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.release>17</maven.compiler.release></properties>
<dependencies><dependency><groupId>org.junit.jupiter</groupId>
<artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency>
</dependencies></project>
"""
# The first test passes, the second ends the process as if all were well.
EXITS: dict[str, Files] = {
    "python": {
        "test_app.py": "import os\n\n\ndef test_a(): pass\n\n\ndef test_b(): os._exit(0)\n\n\n"
        "def test_c(): pass\n",
    },
    "typescript": {
        "package.json": PACKAGE,
        "app.test.mjs": "import { test } from 'vitest'\ntest('a', () => {})\n"
        "test('b', () => process.reallyExit(0))\ntest('c', () => {})\n",
    },
    "go": {
        "go.mod": "module example.com/x\n\ngo 1.21\n",
        "app_test.go": 'package x\n\nimport (\n\t"os"\n\t"testing"\n)\n\n'
        "func TestA(t *testing.T) {}\nfunc TestB(t *testing.T) { os.Exit(0) }\n"
        "func TestC(t *testing.T) {}\n",
    },
    "rust": {
        "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n    #[test]\n"
        "    fn b() {\n        std::process::exit(0)\n    }\n}\n",
    },
    "java": {
        "pom.xml": POM,
        "src/test/java/a/AppTest.java": "package a;\n\nimport org.junit.jupiter.api.Test;\n\n"
        "class AppTest {\n  @Test void a() {}\n"
        "  @Test void b() { Runtime.getRuntime().halt(0); }\n}\n",
    },
}
# Each day in the languages that need no compiler; seven_projects has those that never end.
DAILY = {"python", "typescript", "go"}
LANGUAGES = [
    pytest.param(
        language, marks=[needs(language), *(() if language in DAILY else [pytest.mark.nightly])]
    )
    for language in EXITS
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_test_that_ends_the_process_is_a_failure(
    harness: Harness, tmp_path: Path, language: str
) -> None:
    root = write(tmp_path / "project", EXITS[language])
    result = TestRunner(root, timeout=120, harness=harness).run_tests()
    assert not result.success
    assert result.failures
    assert result.failed >= 1
    judged = FCorrEvaluator(Solution(root), harness=harness, timeout=120).evaluate(
        mode=ScoreMode.WEIGHTED
    )
    assert judged.outcome is Outcome.FAILED
    assert judged.runtime_errors >= 1
    assert judged.score < 100 - 2.5  # each takes a tenth of the runtime part, and its pass rate


@pytest.mark.parametrize(("end", "says"), [("os._exit(0)", "crash: "), ("os.abort()", "SIGABRT")])
def test_a_crash_is_named_and_the_test_it_came_in(
    harness: Harness, tmp_path: Path, end: str, says: str
) -> None:
    files = {name: text.replace("os._exit(0)", end) for name, text in EXITS["python"].items()}
    root = write(tmp_path / "project", files)
    result = TestRunner(root, timeout=60, harness=harness).run_tests()
    assert (result.total, result.passed, result.failed) == (3, 1, 1)
    (failure,) = result.failures
    assert failure.test_name == "test_app.py::test_b"
    assert failure.error_message.startswith("crash: the test run ended early while test_app.py::")
    assert says in failure.error_message


def test_a_timeout_is_named_and_the_test_it_came_in(harness: Harness, tmp_path: Path) -> None:
    endless = EXITS["python"]["test_app.py"].replace("os._exit(0)", "__import__('time').sleep(60)")
    root = write(tmp_path / "project", {"test_app.py": endless})
    result = TestRunner(root, timeout=4, harness=harness).run_tests()
    (failure,) = result.failures
    assert failure.test_name == "test_app.py::test_b"
    assert failure.error_message.startswith("timeout: ")


def test_a_crash_outside_of_any_test_is_a_failure_of_the_run(
    harness: Harness, tmp_path: Path
) -> None:
    root = write(tmp_path / "project", {"test_app.py": "import os\nos._exit(0)\n"})
    result = TestRunner(root, timeout=60, harness=harness).run_tests()
    assert not result.success
    assert [failure.test_name for failure in result.failures] == ["test run"]
    judged = FCorrEvaluator(Solution(root), harness=harness).evaluate(mode=ScoreMode.WEIGHTED)
    assert judged.score == 0.0  # nothing was tested


def test_what_the_reference_passes_and_a_crash_prevents_is_a_runtime_error(
    make_sample: MakeSample, judge: Judge
) -> None:
    tests = "from expected.app import f\n\n\n" + "\n\n\n".join(
        f"def test_{n}():\n    assert f({n}) == {n}" for n in range(4)
    )
    sample = make_sample({"app.py": "def f(n):\n    return n\n"}, {"test_app.py": f"{tests}\n"})
    crash = "import os\n\n\ndef f(n):\n    return n if n < 1 else os._exit(0)\n"
    result = judge({"app.py": crash}, sample, mode=ScoreMode.WEIGHTED)
    assert (result.tests_passed, result.tests_total, result.runtime_errors) == (1, 4, 3)
    assert result.score == 25 + 50 / 4 + 25 * 0.7
