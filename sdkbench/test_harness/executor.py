"""One folder for callers that want no verdict: commands in it, its build, checks and tests."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sdkbench.core import Project, tree
from sdkbench.errors import EnvironmentFault, InputError
from sdkbench.sandbox import Command
from sdkbench.sandbox.command import Limits
from sdkbench.test_harness.models import (
    BuildResult,
    CheckDetails,
    CoverageDetails,
    DependencyInstallResult,
    QuickCheck,
    TestResult,
    Value,
)
from sdkbench.test_harness.node.manifest import read_package_json
from sdkbench.test_harness.runner import (
    DEFAULT_TIMEOUT_SECONDS,
    BaseTestRunner,
    Harness,
    TestRunnerRegistry,
)


class ExecutionResult(Value):
    success: bool
    stdout: str = ""
    stderr: str = ""
    return_code: int | None = None  # None when a signal or a limit ended it
    duration: float = 0.0


class Executor:
    """Runs programs on a copy of `working_dir`; the folder itself is never written to."""

    def __init__(
        self,
        working_dir: Path | str,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        *,
        harness: Harness | None = None,
    ) -> None:
        self.working_dir = tree.folder(Path(working_dir), what="The project folder")
        self.timeout = timeout
        self.harness = harness or Harness.default()

    def run_command(
        self, command: Sequence[str], timeout: float | None = None, *, network: bool = False
    ) -> ExecutionResult:
        """Run an argv list; a program that is not there has return code 127."""
        if isinstance(command, str):
            raise InputError("Pass the command as a list of words: nothing is given to a shell.")
        seconds = timeout or self.timeout
        with tempfile.TemporaryDirectory(prefix="sdkbench-project-") as name:
            project = Project.of_folder(tree.snapshot(self.working_dir, Path(name) / "project"))
            done = self.harness.sandbox.run(
                Command(
                    argv=tuple(command),
                    placements=project.placements,
                    network=network,
                    limits=Limits(wall_seconds=seconds, cpu_seconds=max(1, round(2 * seconds))),
                )
            )
        return ExecutionResult(
            success=done.ok,
            stdout=done.stdout,
            stderr=done.stderr,
            return_code=done.exit_code,
            duration=done.duration_seconds,
        )

    def check_node_installed(self) -> bool:
        return shutil.which("node") is not None

    def check_npm_installed(self) -> bool:
        return shutil.which("npm") is not None

    def check_dependencies_installed(self) -> bool:
        """Whether the environment of this folder is in the cache already."""
        try:
            return self._install(self.harness._replace(install=False)).success
        except EnvironmentFault:
            return False

    def install_dependencies(self) -> DependencyInstallResult:
        return self._install(self.harness)

    def get_package_scripts(self) -> dict[str, str]:
        """The scripts of package.json; empty where there is none or it can't be read."""
        package = read_package_json(self.working_dir)
        return package.scripts if package else {}

    def _install(self, harness: Harness) -> DependencyInstallResult:
        runner = TestRunnerRegistry.get_runner(self.working_dir, self.timeout, harness=harness)
        if runner is None:
            return DependencyInstallResult(success=False, error="no runner recognises this folder")
        return runner.install_dependencies()


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
