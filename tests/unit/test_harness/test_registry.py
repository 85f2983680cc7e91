"""TestRunnerRegistry: every runner there is, and the one that fits a folder."""

from pathlib import Path

import pytest

from sdkbench.errors import ArgumentError, InputError
from sdkbench.test_harness import (
    BaseTestRunner,
    GoTestRunner,
    JavaTestRunner,
    PythonTestRunner,
    RustTestRunner,
    TestRunnerRegistry,
    TypeScriptTestRunner,
)
from tests.support.projects import write

PROJECTS: dict[type[BaseTestRunner], dict[str, str]] = {
    PythonTestRunner: {"test_app.py": "def test_it(): pass\n"},
    TypeScriptTestRunner: {"package.json": "{}", "app.test.ts": "test('a', () => {})\n"},
    GoTestRunner: {"go.mod": "module a\n", "a_test.go": "package a\n"},
    RustTestRunner: {"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": ""},
    JavaTestRunner: {"pom.xml": "<project/>", "src/test/java/ATest.java": "class ATest {}\n"},
}


@pytest.mark.parametrize("kind", PROJECTS, ids=lambda kind: kind.name)
def test_the_runner_that_fits_is_chosen(kind: type[BaseTestRunner], tmp_path: Path) -> None:
    root = write(tmp_path, PROJECTS[kind])
    runner = TestRunnerRegistry.get_runner(root, 12)
    assert type(runner) is kind
    assert (runner.working_dir, runner.timeout) == (root.resolve(), 12)
    assert runner.can_handle()
    assert runner.detect().language == runner.get_language()


def test_every_runner_says_what_it_found_the_surest_first(tmp_path: Path) -> None:
    root = write(tmp_path, PROJECTS[PythonTestRunner])
    results = TestRunnerRegistry.detect_all(str(root))
    assert (results[0].runner, results[0].detected) == ("python", True)
    assert {result.runner for result in results} == {
        runner.name for runner in TestRunnerRegistry.get_all_runners()
    }
    confidences = [result.confidence for result in results]
    assert confidences == sorted(confidences, reverse=True)


def test_the_built_in_runners_are_all_there() -> None:
    assert set(PROJECTS) <= set(TestRunnerRegistry.get_all_runners())


def test_no_runner_fits_a_folder_of_letters(tmp_path: Path) -> None:
    assert TestRunnerRegistry.get_runner(write(tmp_path, {"letter.txt": ""})) is None


def test_a_language_may_be_named_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path, PROJECTS[PythonTestRunner])
    named = TestRunnerRegistry.get_runner(root, language="go")
    assert isinstance(named, GoTestRunner)
    assert not named.can_handle()
    with pytest.raises(InputError, match=r"No runner for 'klingon'\. There are: go, java, "):
        TestRunnerRegistry.get_runner(root, language="klingon")


def test_a_folder_that_is_not_there_is_no_plugins_fault(tmp_path: Path) -> None:
    for wrong in (tmp_path / "nowhere", str(tmp_path / "nowhere")):
        with pytest.raises(InputError, match="The project folder not found"):
            TestRunnerRegistry.detect_all(wrong)
    with pytest.raises(ArgumentError, match="working_dir should be a path"):
        TestRunnerRegistry.get_runner(5)  # type: ignore[arg-type]
