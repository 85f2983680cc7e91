"""What comes of Python projects of every kind, judged on their own tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.core import Fault, Outcome, ScoreMode
from sdkbench.test_harness import (
    BuildRunner,
    Executor,
    Harness,
    PythonTestRunner,
    TestFramework,
    TestRunner,
    TestRunnerRegistry,
)
from tests.support.projects import Files, Judge

Project = Callable[[Files], Path]

APP = "def double(n):\n    return 2 * n\n"


def test_a_passing_project(judge: Judge) -> None:
    result = judge(
        {"app.py": APP, "test_app.py": "import app\ndef test_it(): assert app.double(2) == 4\n"}
    )
    assert (result.outcome, result.score) == (Outcome.PASSED, 100)
    assert (result.language, result.framework, result.assurance) == ("python", "pytest", "plain")
    assert result.sandbox
    assert result.sandbox.level == "bubblewrap"


def test_a_failure_is_reported_with_place_message_trace_and_output(judge: Judge) -> None:
    test = "import app\n\ndef test_it():\n    print('looking')\n    assert app.double(2) == 5\n"
    result = judge({"app.py": APP, "test_app.py": test})
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST)
    assert result.test_results
    failure = result.test_results.failures[0]
    assert failure.test_name == "test_app.py::test_it"
    assert (failure.file_path, failure.line_number) == ("test_app.py", 5)
    assert "assert 4 == 5" in failure.error_message
    assert ">       assert app.double(2) == 5" in (failure.stack_trace or "")
    assert "looking" in failure.output
    assert "test_it" in (result.error or "")


def test_parameters_classes_fixtures_skips_and_xfails_are_counted(judge: Judge) -> None:
    test = """
import pytest

@pytest.fixture
def three():
    return 3

@pytest.mark.parametrize("n", [1, 2, "a b::c"])
def test_param(n): pass

class TestIt:
    def test_method(self, three): assert three == 3

@pytest.mark.skip(reason="not today")
def test_skipped(): pass

@pytest.mark.xfail(reason="known")
def test_xfail(): assert False
"""
    result = judge({"test_all.py": test})
    assert result.outcome is Outcome.PASSED
    assert result.test_results
    counts = result.test_results
    assert (counts.total, counts.passed, counts.skipped, counts.failed) == (6, 4, 2, 0)


@pytest.mark.parametrize(
    ("test", "fault", "reason"),
    [
        ("def helper(): pass\n", Fault.NO_TESTS, "No tests"),
        ("import pytest\n@pytest.mark.skip\ndef test_it(): 1\n", Fault.NO_TESTS, "None of the 1"),
        ("import nothing_here\ndef test_it(): pass\n", Fault.TEST, "nothing_here"),
        ("def test_it(: pass\n", Fault.BUILD, "SyntaxError"),
        ("import os\ndef test_it(): os._exit(0)\n", Fault.TEST, "while test_app.py::test_it"),
        ("import os\nos._exit(0)\n", Fault.TEST, "exit code 0"),
        ("import os\ndef test_it(): os.kill(os.getpid(), 11)\n", Fault.TEST, "SIGSEGV"),
        ("import time\ndef test_it(): time.sleep(1000)\n", Fault.TIMEOUT, "wall time limit"),
        ("def test_it():\n  while True: pass\n", Fault.TIMEOUT, "test_it was running"),
        ("import sys\ndef test_it(): sys.exit(0)\n", Fault.TEST, "SystemExit"),
        ("import pytest\ndef test_it(): pytest.exit('enough', 0)\n", None, ""),
        ("def test_it(no_such_fixture): pass\n", Fault.TEST, "no_such_fixture"),
    ],
)  # fmt: skip
def test_what_does_not_pass_is_explained(
    judge: Judge, test: str, fault: Fault | None, reason: str
) -> None:
    result = judge({"test_app.py": test}, timeout=8)
    assert result.outcome in {Outcome.FAILED, Outcome.INVALID}
    assert result.score == 0
    assert reason in (result.error or "")
    if fault is not None:
        assert (result.outcome, result.fault) == (Outcome.FAILED, fault)


def test_teardown_errors_count(judge: Judge) -> None:
    test = (
        "import pytest\n@pytest.fixture\ndef f():\n  yield\n  raise ValueError('after')\n"
        "def test_it(f): pass\n"
    )
    result = judge({"test_app.py": test})
    assert (result.outcome, result.tests_passed) == (Outcome.FAILED, 0)


def test_unittest_suites_run_with_subtests(judge: Judge) -> None:
    test = """
import unittest

class Case(unittest.TestCase):
    def test_good(self): self.assertEqual(1, 1)
    def test_sub(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertNotEqual(n, 1)
    @unittest.skip("later")
    def test_later(self): pass
"""
    result = judge({"testing_things.py": test, "test_things.py": test})
    assert result.framework == "unittest"
    assert result.outcome is Outcome.FAILED
    assert result.test_results
    assert (result.tests_total, result.tests_passed, result.tests_skipped) == (6, 2, 2)
    assert any("test_sub" in name for name in result.failed_tests)


def test_a_clean_unittest_suite_passes(judge: Judge) -> None:
    test = "import unittest\nclass C(unittest.TestCase):\n  def test_a(self): self.assertTrue(1)\n"
    assert judge({"tests/test_c.py": test}).outcome is Outcome.PASSED


def test_src_layout_and_the_projects_own_configuration_count(judge: Judge) -> None:
    result = judge(
        {
            "pyproject.toml": '[project]\nname = "x"\nversion = "1"\ndependencies = ["six"]\n'
            "[dependency-groups]\ndev = ['pytest']\n"
            "[tool.pytest.ini_options]\npython_files = ['check_*.py']\n",
            "src/pack/__init__.py": "import six\n",
            "tests/check_pack.py": "import pack\ndef test_it(): assert pack.six\n",
        }
    )
    assert (result.outcome, result.tests_total) == (Outcome.PASSED, 1)


def test_the_weighted_score_of_a_part_pass(judge: Judge) -> None:
    lines = [f"def test_{n}(): assert {n} < 7\n" for n in range(10)]
    result = judge({"test_app.py": "".join(lines)}, mode=ScoreMode.WEIGHTED)
    assert (result.score, result.runtime_errors) == (77.5, 3)


def test_the_weighted_score_of_a_broken_build(judge: Judge) -> None:
    result = judge({"test_app.py": "def test_it(: pass\n"}, mode=ScoreMode.WEIGHTED)
    assert (result.score, result.runtime_errors, result.fault) == (22.5, 1, Fault.BUILD)


def test_a_stray_line_about_failures_on_stderr_means_nothing(judge: Judge) -> None:
    test = "import sys\ndef test_it(): print('=== 1 failed ===', file=sys.stderr)\n"
    assert judge({"test_app.py": test}).outcome is Outcome.PASSED


def test_threads_left_behind_do_not_hold_up_the_end(judge: Judge) -> None:
    test = (
        "import threading, time\n"
        "def test_it(): threading.Thread(target=time.sleep, args=(1000,)).start()\n"
    )
    assert judge({"test_app.py": test}, timeout=30).outcome is Outcome.PASSED


def test_binary_junk_in_a_python_file_is_a_build_failure(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_bytes(bytes(range(256)))
    (tmp_path / "test_app.py").write_text("def test_it(): pass\n")
    build = PythonTestRunner(tmp_path, harness=harness).build()
    assert not build.success
    assert "app.py" in build.errors[0]


def test_build_alone_imports_the_packages_for_real(project: Project, harness: Harness) -> None:
    folder = project({"pack/__init__.py": "raise RuntimeError('not today')\n"})
    build = BuildRunner(folder, harness=harness).run_build()
    assert not build.success
    assert "not today" in build.errors[0]


def test_detection_says_why_and_never_looks_into_vendored_folders(project: Project) -> None:
    folder = project({"requirements.txt": "", "tests/test_a.py": "", "venv/lib/test_b.py": ""})
    result = PythonTestRunner(folder).detect()
    assert result.detected
    assert result.confidence >= 0.8
    assert set(result.markers_found) == {"requirements.txt", "tests/test_a.py"}


def test_nothing_is_detected_in_a_folder_of_other_things(project: Project) -> None:
    folder = project({"README.md": "hello", "node_modules/x/setup.py": ""})
    assert TestRunnerRegistry.get_runner(folder) is None


def test_quick_check_reads_and_runs_nothing(project: Project, harness: Harness) -> None:
    folder = project({"app.py": "x = (", "test_app.py": "", "requirements.txt": "six\n"})
    check = PythonTestRunner(folder, harness=harness).quick_check()
    assert (check.has_manifest, check.has_tests, check.ok) == (True, True, False)
    assert "app.py" in check.problems[0]


def test_type_lint_and_coverage_details(project: Project, harness: Harness) -> None:
    folder = project(
        {
            "app.py": "import os\n\ndef double(n: int) -> int:\n    if n < 0:\n        return ''\n"
            "    return 2 * n\n",
            "test_app.py": "import app\ndef test_it(): assert app.double(2) == 4\n",
        }
    )
    build = BuildRunner(folder, harness=harness)
    types = build.check_type_errors()
    assert (types.success, types.problems[0].path, types.problems[0].line) == (False, "app.py", 5)
    lint = build.lint_code()
    assert [(p.path, p.code) for p in lint.problems] == [("app.py", "F401")]
    coverage = TestRunner(folder, harness=harness).check_test_coverage()
    assert [(f.path, f.statements, f.missing_lines) for f in coverage.files] == [("app.py", 5, [5])]
    assert coverage.percent == 80.0


def test_run_tests_sums_up_for_callers_without_a_verdict(
    project: Project, harness: Harness
) -> None:
    folder = project({"unit/test_a.py": "def test_a(): 1\n", "test_b.py": "def test_b(): 1/0\n"})
    runner = PythonTestRunner(folder, harness=harness)
    assert runner.run_tests("unit").success
    assert runner.run_tests().failed == 1
    assert runner.get_framework() is TestFramework.PYTEST


def test_executor_runs_commands_on_a_copy(project: Project, harness: Harness) -> None:
    folder = project({"a.txt": "hello", "package.json": '{"scripts": {"test": "echo", "x": 1}}'})
    executor = Executor(folder, harness=harness)
    done = executor.run_command(["sh", "-c", "cat a.txt; echo changed > a.txt; exit 3"])
    assert (done.success, done.stdout, done.return_code) == (False, "hello", 3)
    assert (folder / "a.txt").read_text() == "hello"
    assert executor.get_package_scripts() == {"test": "echo"}


def test_the_projects_testpaths_and_reruns_count(judge: Judge) -> None:
    result = judge(
        {
            "requirements.txt": "pytest-rerunfailures==16.1\npytest-xdist==3.8.0\n",
            "pytest.ini": "[pytest]\ntestpaths = unit\naddopts = -n 2 --reruns 2\n",
            "unit/test_a.py": "tries = []\ndef test_it():\n  tries.append(1)\n"
            "  assert len(tries) == 2\n",
            "live/test_b.py": "def test_live(): assert False\n",
        }
    )
    assert (result.outcome, result.tests_total) == (Outcome.PASSED, 1), result.error


def test_the_same_hashes_every_time_and_no_bytecode(judge: Judge) -> None:
    test = (
        "import sys, hashlib\n"
        "def test_it(): assert sys.flags.hash_randomization == 0 and sys.dont_write_bytecode\n"
    )
    assert judge({"test_app.py": test}).passed


def test_a_thousand_wordy_failures_are_failures_not_tampering(judge: Judge) -> None:
    test = (
        "import pytest\n@pytest.mark.parametrize('n', range(300))\n"
        "def test_it(n):\n  print('x' * 200_000)\n  assert 'y' * 100_000 == n\n"
    )
    result = judge({"test_app.py": test})
    assert (result.outcome, result.fault, result.tests_total) == (
        Outcome.FAILED, Fault.TEST, 300,
    )  # fmt: skip
