"""BuildRunner and TestRunner: one folder's build, checks and tests, whatever its language."""

from pathlib import Path

from sdkbench.core import tree
from sdkbench.errors import InputError
from sdkbench.test_harness.models import (
    BuildResult,
    CheckDetails,
    CoverageDetails,
    QuickCheck,
    TestResult,
)
from sdkbench.test_harness.runner import (
    DEFAULT_TIMEOUT_SECONDS,
    BaseTestRunner,
    Harness,
    TestRunnerRegistry,
)


class _FolderRunner:
    def __init__(
        self,
        working_dir: Path | str,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        *,
        harness: Harness | None = None,
    ) -> None:
        runner = TestRunnerRegistry.get_runner(working_dir, timeout, harness=harness)
        if runner is None:
            raise InputError(
                f"No runner recognised {working_dir}: no manifest, source or test file."
            )
        self._runner: BaseTestRunner = runner


class BuildRunner(_FolderRunner):
    """The language's own build, type checker and linter on one folder."""

    def run_build(self) -> BuildResult:
        return self._runner.build()

    def check_type_errors(self) -> CheckDetails:
        return self._runner.type_check()

    def lint_code(self) -> CheckDetails:
        return self._runner.lint()


class TestRunner(_FolderRunner):
    """A folder's own tests, for callers that want counts and no verdict."""

    __test__ = False

    def run_tests(self, test_dir: str | None = None) -> TestResult:
        return self._runner.run_tests(test_dir)

    def check_test_coverage(self) -> CoverageDetails:
        return self._runner.coverage()


def quick_check(folder: Path) -> QuickCheck:
    """What reading alone tells: language, framework, manifest, tests, syntax."""
    root = tree.folder(folder, what="The solution folder")
    runner = TestRunnerRegistry.get_runner(root)
    if runner is None:
        return QuickCheck(problems=["no runner recognises this folder"])
    return runner.quick_check()
