"""Executor, BuildRunner, TestRunner and a runner of five methods, on small real projects."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sdkbench.core import Assurance, Outcome, Solution
from sdkbench.errors import ArgumentError, InputError, NoRunner
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.test_harness import (
    BaseTestRunner,
    BuildRunner,
    DependencyInstallResult,
    Executor,
    Harness,
    Language,
    RunnerDetectionResult,
    TestFailure,
    TestFramework,
    TestResult,
    TestRunner,
    TestRunnerRegistry,
    quick_check,
)
from sdkbench.test_harness.models import Severity
from tests.support.projects import Files, MakeSample, ProjectFactory, write
from tests.support.toolchains import needs

PYTHON: Files = {
    "requirements.txt": "iniconfig==2.1.0\n",
    "app.py": "import iniconfig\n\n\ndef one():\n    return 1\n",
    "tests/test_app.py": "from app import one\n\n\ndef test_one():\n    assert one() == 1\n",
    "checks/test_two.py": "def test_two():\n    assert False, 'two'\n",
}
NODE: Files = {
    "package.json": '{"scripts": {"build": "echo warning: old; echo built"}, '
    '"dependencies": {"ms": "2.1.3"}}',
    "app.js": "module.exports = require('ms')(1000)\n",
    "app.test.js": "require('node:test').test('ms', () => {})\n",
}


def test_a_command_runs_with_what_was_installed(project: ProjectFactory, harness: Harness) -> None:
    executor = Executor(project(PYTHON), timeout=60, harness=harness)
    words = ["python3", "-c", "import iniconfig"]
    assert executor.run_command(words).return_code == 1
    assert executor.install_dependencies().success
    assert executor.check_dependencies_installed()
    done = executor.run_command(
        ["python", "-c", "import iniconfig, os; print(os.environ['NAME'])"],
        env={"NAME": "value"},
        timeout=30,
    )
    assert (done.success, done.return_code, done.stdout) == (True, 0, "value\n")
    assert done.duration > 0
    assert executor.run_command(["pytest", "--version"]).success


def test_a_command_sees_the_packages_of_npm(project: ProjectFactory, harness: Harness) -> None:
    executor = Executor(project(NODE), timeout=60, harness=harness)
    assert executor.install_dependencies().success
    done = executor.run_command(["node", "-p", "require('ms')(1000) + process.env.X"], {"X": "!"})
    assert (done.success, done.stdout) == (True, "1s!\n")


def test_a_command_sees_the_folder_as_it_is_now(project: ProjectFactory, harness: Harness) -> None:
    root = project(PYTHON)
    executor = Executor(root, timeout=60, harness=harness)
    executor.install_dependencies()
    for text in ("first", "second"):
        (root / "note.txt").write_text(text)
        assert executor.run_command(["cat", "note.txt"]).stdout == text


def test_a_command_is_held_to_its_limit(project: ProjectFactory, harness: Harness) -> None:
    done = Executor(project(PYTHON), harness=harness).run_command(["sleep", "60"], timeout=0.3)
    assert (done.success, done.return_code) == (False, None)
    assert done.error == "stopped at its wall time limit"


def test_a_build_tells_its_output_warnings_and_duration(
    project: ProjectFactory, harness: Harness
) -> None:
    runner = BuildRunner(project(NODE), harness=harness)
    for build in (runner.run_build(), runner.run_build(install_deps=False)):
        assert (build.success, build.errors) == (True, [])
        assert build.warnings == ["warning: old"]
        assert "built" in build.output
        assert build.duration > 0


def test_a_judged_solution_tells_of_its_build_too(
    project: ProjectFactory, harness: Harness
) -> None:
    files = {"app.py": "PATTERN = '\\d'\n", "test_app.py": "import app\n\n\ndef test_it(): pass\n"}
    for root, warning in ((write(project({}) / "py", files), "app.py:1: "), (project(NODE), "old")):
        build = FCorrEvaluator(Solution(root), harness=harness).evaluate().build_results
        assert build
        assert build.duration > 0
        assert warning in build.warnings[0]


@pytest.mark.parametrize("what", ["build", "tests"])
def test_without_installing_what_is_not_there_is_a_failure(
    project: ProjectFactory, harness: Harness, what: str
) -> None:
    root = project({**PYTHON, "requirements.txt": "a-package-that-nobody-has-installed==1.2.3\n"})
    if what == "build":
        build = BuildRunner(root, harness=harness).run_build(install_deps=False)
        assert not build.success
        assert build.errors
    else:
        result = TestRunner(root, harness=harness).run_tests(install_deps=False)
        assert (result.success, result.total) == (False, 0)
        assert [failure.test_name for failure in result.failures] == ["installation"]


@pytest.mark.parametrize("form", ["relative", "text", "absolute", "from here", "file"])
def test_test_dir_takes_any_form_of_path(
    project: ProjectFactory, harness: Harness, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(PYTHON)
    monkeypatch.chdir(root.parent)
    forms: dict[str, Path | str] = {
        "relative": Path("tests"),
        "text": "tests/",
        "absolute": root / "tests",
        "from here": f"{root.name}/tests",
        "file": "tests/test_app.py",
    }
    result = TestRunner(root, harness=harness).run_tests(forms[form])
    assert (result.success, result.total, result.passed) == (True, 1, 1)
    assert TestRunner(root, harness=harness).run_tests().total == 2
    judged = FCorrEvaluator(Solution(root), harness=harness).evaluate(test_dir=forms[form])
    assert (judged.outcome, judged.tests_total) == (Outcome.PASSED, 1)


@pytest.mark.parametrize("wrong", ["nowhere", "/nowhere", "..", "/tmp", "tests/test_none.py"])
def test_a_test_dir_that_is_not_there_is_refused(
    project: ProjectFactory, harness: Harness, wrong: str
) -> None:
    root = project(PYTHON)
    with pytest.raises(InputError, match="The folder of tests"):
        TestRunner(root, harness=harness).run_tests(wrong)
    with pytest.raises(InputError, match="The folder of tests"):
        FCorrEvaluator(Solution(root), harness=harness).evaluate(test_dir=wrong)


def test_lint_findings_have_a_severity(project: ProjectFactory, harness: Harness) -> None:
    details = BuildRunner(
        project({"app.py": "import os\nimport sys\n", "test_a.py": ""}), harness=harness
    ).lint_code()
    assert [problem.severity for problem in details.problems] == [Severity.ERROR] * 2
    js = {
        "package.json": "{}",
        "eslint.config.mjs": "export default [{rules: {'no-var': 'warn', 'no-undef': 'error'}}]\n",
        "app.js": "var a = 1\nb()\n",
    }
    details = BuildRunner(project(js), harness=harness).lint_code()
    assert {problem.severity for problem in details.problems} <= set(Severity)


def test_reading_a_typescript_folder_tells_all_there_is_to_know(
    project: ProjectFactory,
) -> None:
    check = quick_check(
        project(
            {
                "package.json": '{"scripts": {"test": "jest"}, "dependencies": {"ms": "2.1.3"}, '
                '"devDependencies": {"jest": "30.0.0"}}',
                "tsconfig.json": "{}",
                "src/app.ts": "export const one: = 1\n",
                "src/fine.ts": "export const two = <T,>(x: T) => x satisfies T\n",
                "src/app.test.ts": "test('a', () => {})\n",
                "src/b.test.tsx": "test('b', () => <p>b</p>)\n",
            }
        )
    )
    assert (check.language, check.framework) == (Language.TYPESCRIPT, TestFramework.JEST)
    assert (check.has_tsconfig, check.has_tests, check.test_file_count) == (True, True, 2)
    assert check.scripts == {"test": "jest"}
    assert check.dependencies == ["jest", "ms"]
    assert check.confidence == 1.0
    assert check.markers[:2] == ["package.json", "tsconfig.json"]
    assert check.problems == ["src/app.ts:1: Type expected. (TS1110)"]
    assert not check.ok


RUST: Files = {
    "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub fn one() -> i32 {\n    let unused = 1;\n    1\n}\n",
}


@needs("rust")
@pytest.mark.nightly
def test_a_compiler_checks_types_and_its_warnings_are_findings(
    project: ProjectFactory, harness: Harness
) -> None:
    root = project(RUST)
    runner = BuildRunner(root, harness=harness)
    assert runner.check_type_errors().success
    (warning,) = runner.lint_code().problems
    assert (warning.path, warning.line, warning.severity) == ("src/lib.rs", 2, "warning")
    assert [line.partition("\n")[0] for line in runner.run_build().warnings] == [
        "warning: unused variable: `unused`"
    ]
    (root / "src/lib.rs").write_text('pub fn one() -> i32 {\n    "one"\n}\n')
    details = BuildRunner(root, harness=harness).check_type_errors()
    assert (details.tool, details.success) == ("cargo build", False)
    (wrong,) = details.problems
    assert (wrong.path, wrong.line, wrong.severity) == ("src/lib.rs", 2, "error")
    assert "mismatched types" in wrong.message


class CountingTestRunner(BaseTestRunner):
    """All that the documentation asks of a runner: it reads verdicts from a file."""

    __test__ = False

    def get_language(self) -> Language:
        return Language("counting")

    def get_framework(self) -> TestFramework:
        return TestFramework("tally")

    def detect(self) -> RunnerDetectionResult:
        found = (self.working_dir / "tally.txt").is_file()
        return RunnerDetectionResult(
            detected=found, language=self.get_language(), confidence=1.0 if found else 0.0
        )

    def install_dependencies(self) -> DependencyInstallResult:
        return DependencyInstallResult(success=True)

    def run_tests(self, test_dir: Path | str | None = None) -> TestResult:
        wanted = Path(test_dir, "wanted.txt").read_text().split() if test_dir else ["one"]
        words = (self.working_dir / "tally.txt").read_text().split()
        if "explode" in words:
            raise RuntimeError("out of ink")
        missing = [word for word in wanted if word not in words]
        failures = [TestFailure(test_name=m, error_message="not written") for m in missing]
        passed = len(wanted) - len(missing)
        return TestResult(
            success=not missing,
            total=len(wanted),
            passed=passed,
            failed=len(missing),
            failures=failures,
        )


@pytest.fixture
def counting() -> Iterator[type[BaseTestRunner]]:
    yield TestRunnerRegistry.register(CountingTestRunner)
    del TestRunnerRegistry._registry._items[CountingTestRunner.name]


def test_a_runner_of_five_methods_registers_and_judges_a_folder(
    counting: type[BaseTestRunner], project: ProjectFactory, harness: Harness
) -> None:
    assert counting.name == "counting"
    root = project({"tally.txt": "one"})
    assert isinstance(TestRunnerRegistry.get_runner(root), CountingTestRunner)
    result = FCorrEvaluator(Solution(root), harness=harness).evaluate()
    assert (result.outcome, result.score) == (Outcome.PASSED, 100.0)
    assert result.assurance is Assurance.PLAIN
    assert quick_check(root).language == Language("counting")
    assert TestRunner(root, harness=harness).run_tests().passed == 1
    (root / "tally.txt").write_text("two")
    result = FCorrEvaluator(Solution(root), harness=harness).evaluate()
    assert (result.outcome, result.failed_tests) == (Outcome.FAILED, ["one"])


def test_a_runner_of_five_methods_judges_a_sample_at_level_plain(
    counting: type[BaseTestRunner], make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    del counting
    sample = make_sample({"tally.txt": "one two"}, {"wanted.txt": "one two"})
    right = write(tmp_path / "right", {"tally.txt": "two one"})
    result = judge_attempt(Subject(right, sample), Options(), harness)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, Assurance.PLAIN)
    wrong = write(tmp_path / "wrong", {"tally.txt": "two"})
    result = judge_attempt(Subject(wrong, sample), Options(), harness)
    assert (result.outcome, result.tests_passed, result.tests_total) == (Outcome.FAILED, 1, 2)


def test_what_such_a_runner_raises_is_the_plugins_fault(
    counting: type[BaseTestRunner], project: ProjectFactory, harness: Harness
) -> None:
    del counting
    result = FCorrEvaluator(Solution(project({"tally.txt": "explode"})), harness=harness).evaluate()
    assert (result.outcome, result.fault) == (Outcome.ERROR, "plugin")
    assert result.error
    assert "'counting' failed while it ran the tests: RuntimeError: out of ink" in result.error


def test_a_runner_that_lacks_a_method_is_refused_by_its_name() -> None:
    class Half(BaseTestRunner):
        def get_language(self) -> Language:
            return Language.GO

    with pytest.raises(ArgumentError, match="Half has no detect, get_framework, install_dep"):
        TestRunnerRegistry.register(Half)  # type: ignore[type-abstract]


def test_a_folder_that_no_runner_recognises_is_told_in_a_sentence(
    project: ProjectFactory, harness: Harness
) -> None:
    root = project({"letter.txt": "Dear reader"})
    for facade in (BuildRunner, TestRunner):
        with pytest.raises(NoRunner, match="No runner recognised"):
            facade(root, harness=harness)
    assert not Executor(root, harness=harness).install_dependencies().success
