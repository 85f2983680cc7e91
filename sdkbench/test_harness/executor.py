"""One folder for callers that want no verdict: commands in it, its build, checks and tests."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pydantic import InstanceOf

from sdkbench.core import Project, tree
from sdkbench.core.arguments import AnyPath, Seconds, Variables, Words, public, public_methods
from sdkbench.errors import EnvironmentFault, NoRunner
from sdkbench.sandbox import Command, Program
from sdkbench.sandbox.command import WORKSPACE, Limits
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
from sdkbench.test_harness.registry import TestRunnerRegistry
from sdkbench.test_harness.runner import (
    DEFAULT_TIMEOUT_SECONDS,
    INSTALLATION,
    BaseTestRunner,
    Harness,
)

NO_RUNNER = "no runner recognises this folder"


class ExecutionResult(Value):
    success: bool
    stdout: str = ""
    stderr: str = ""
    return_code: int | None = None  # None when a signal or a limit ended it
    duration: float = 0.0
    error: str | None = None  # how it ended, where that is not by itself and well


@public_methods
class Executor:
    """Runs programs on a copy of `working_dir`; the folder itself is never written to.

    Programs see the packages that `install_dependencies` provided, if it was called before.
    """

    def __init__(
        self,
        working_dir: AnyPath,
        timeout: Seconds = DEFAULT_TIMEOUT_SECONDS,
        *,
        harness: InstanceOf[Harness] | None = None,
    ) -> None:
        self.working_dir = tree.folder(Path(working_dir), what="The project folder")
        self.timeout = timeout
        self.harness = harness or Harness.default()
        self._provided: BaseTestRunner | None = None  # whose dependencies are installed

    def run_command(
        self,
        command: Words,
        env: Variables | None = None,
        timeout: Seconds | None = None,
        *,
        network: bool = False,
    ) -> ExecutionResult:
        """Run an argv list; a program that is not there has return code 127."""
        seconds = timeout or self.timeout
        with self._program(tuple(command)) as program:
            bins = [f"{WORKSPACE}/{folder}" for folder in program.bins]
            done = self.harness.sandbox.run(
                Command(
                    argv=(*_path_before(bins), *program.command),
                    env={**program.env, **(env or {})},
                    placements=program.placements,
                    mounts=program.mounts,
                    search_path=program.search_path,
                    scratch=program.scratch,
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
            error=None if done.ok else done.ending(),
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
        try:
            runner = TestRunnerRegistry.get_runner(self.working_dir, self.timeout, harness=harness)
        except NoRunner as error:
            return DependencyInstallResult(success=False, error=str(error))
        if runner is None:
            return DependencyInstallResult(success=False, error=NO_RUNNER)
        installed = runner.install_dependencies()
        self._provided = runner if installed.success else None
        return installed

    @contextlib.contextmanager
    def _program(self, command: tuple[str, ...]) -> Iterator[Program]:
        if self._provided is not None:
            # As the folder is now: it may have changed since its dependencies were installed.
            self._provided.forget_snapshots()
            with self._provided.command(command) as program:
                yield program
            return
        with tempfile.TemporaryDirectory(prefix="sdkbench-project-") as name:
            project = Project.of_folder(tree.snapshot(self.working_dir, Path(name) / "project"))
            yield Program(command=command, placements=project.placements)


def _path_before(bins: list[str]) -> tuple[str, ...]:
    """Words that start the command after them with these folders first on its PATH."""
    if not bins:
        return ()
    return ("/bin/sh", "-c", f'PATH="{":".join(bins)}:$PATH" exec "$@"', "sh")


@public_methods
class _FolderRunner:
    def __init__(
        self,
        working_dir: AnyPath,
        timeout: Seconds = DEFAULT_TIMEOUT_SECONDS,
        *,
        harness: InstanceOf[Harness] | None = None,
    ) -> None:
        self.working_dir = tree.folder(Path(working_dir), what="The project folder")
        self.timeout = timeout
        self.harness = harness or Harness.default()
        self._runner = self._chosen(self.harness)

    def _chosen(self, harness: Harness) -> BaseTestRunner:
        runner = TestRunnerRegistry.get_runner(self.working_dir, self.timeout, harness=harness)
        if runner is None:
            raise NoRunner(
                f"No runner recognised {self.working_dir}: no manifest, source or test file."
            )
        return runner

    def _runner_for(self, *, install: bool) -> BaseTestRunner:
        """Without `install`, one that works only with what is there already."""
        return self._runner if install else self._chosen(self.harness._replace(install=False))


@public_methods
class BuildRunner(_FolderRunner):
    """The language's own build, type checker and linter on one folder."""

    def run_build(self, install_deps: bool = True) -> BuildResult:
        """With `install_deps` off, dependencies that are not there yet are a failed build."""
        try:
            return self._runner_for(install=install_deps).build()
        except EnvironmentFault as error:
            if install_deps:
                raise
            return BuildResult(success=False, output=str(error), errors=[str(error)])

    def check_type_errors(self) -> CheckDetails:
        return self._runner.type_check()

    def lint_code(self) -> CheckDetails:
        return self._runner.lint()


@public_methods
class TestRunner(_FolderRunner):
    """A folder's own tests, for callers that want counts and no verdict."""

    __test__ = False

    def run_tests(self, test_dir: AnyPath | None = None, install_deps: bool = True) -> TestResult:
        """All tests, or those in `test_dir`; InputError where that is not in the folder.

        With `install_deps` off, dependencies that are not there yet are a failed run.
        """
        try:
            return self._runner_for(install=install_deps).run_tests(test_dir)
        except EnvironmentFault as error:
            if install_deps:
                raise
            return TestResult.broken(str(error), name=INSTALLATION)

    def check_test_coverage(self) -> CoverageDetails:
        return self._runner.coverage()


@public
def quick_check(folder: AnyPath) -> QuickCheck:
    """What reading alone tells: language, framework, manifest, tests, syntax."""
    root = tree.folder(Path(folder), what="The solution folder")
    try:
        runner = TestRunnerRegistry.get_runner(root)
    except NoRunner as error:
        return QuickCheck(problems=[str(error)])
    if runner is None:
        return QuickCheck(problems=[NO_RUNNER])
    return runner.quick_check()
