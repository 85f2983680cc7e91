"""BlackBoxRunner: a runner for the solution and one for the tests, each in its own sandbox."""

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import BlackBox, Project
from sdkbench.errors import MissingTool, SampleError
from sdkbench.sandbox import Counterpart, Level
from sdkbench.sandbox.command import GIB
from sdkbench.test_harness.evidence import Examination
from sdkbench.test_harness.models import (
    BuildResult,
    CheckDetails,
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
)
from sdkbench.test_harness.registry import TestRunnerRegistry
from sdkbench.test_harness.runner import BaseTestRunner, Harness

CALL_MEMORY_BYTES = 2 * GIB  # of each call: several may run beside the tests


class Sides(NamedTuple):
    """The two halves of a black-box sample, neither of which holds anything of the other."""

    solution: Project
    tests: Project
    reference: Path  # tells the language: a solution has no say in what runs it


class BlackBoxRunner(BaseTestRunner):
    """Builds the solution without the tests, then runs the tests without the solution.

    The tests call it by the command `solution`. Everything the solution could forge is what it
    answers to a call; the record of the tests is out of its reach.
    """

    name = "black-box"

    def __init__(
        self,
        sides: Sides,
        box: BlackBox,
        timeout: float,
        *,
        harness: Harness,
        language: str | None = None,
    ) -> None:
        """Raises MissingTool where a port can't be kept apart: both sides would share it."""
        super().__init__(sides.solution.solution.source, timeout, project=sides.solution,
                         harness=harness)  # fmt: skip
        has_port = box.port is not None or box.tests_port is not None
        if has_port and harness.sandbox.level is Level.PLAIN:
            raise MissingTool(
                "Tests and solution of this sample meet at a port, and the plain sandbox "
                "has no network of its own for each side. Run `sdkbench doctor` to see what "
                "bubblewrap lacks here."
            )
        self._box = box
        self._tests = _runner(sides.tests, timeout, harness)
        if language is None:
            reference = TestRunnerRegistry.get_runner(sides.reference, timeout)
            language = reference.name if reference else None
        self._solution = _runner(sides.solution, timeout, harness, language)
        self._built: Examination | None = None
        if self._solution.compiles_program:
            folder = tempfile.mkdtemp(prefix="sdkbench-program-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            Path(folder).chmod(0o755)  # the program runs as another user
            self._solution.program_folder = Path(folder)

    def get_language(self) -> Language:
        return self._solution.get_language()

    def get_framework(self) -> TestFramework:
        return self._tests.get_framework()

    def detect(self) -> RunnerDetectionResult:
        return self._solution.detect()

    def install_dependencies(self) -> DependencyInstallResult:
        """Both environments; the tests' hangs on the sample alone, so its failure is not the
        solution's: SampleError.
        """
        tests = self._tests.install_dependencies()
        if not tests.success:
            raise SampleError(f"What the sample's tests need cannot be installed: {tests.error}")
        return self._solution.install_dependencies()

    def registry_answers(self) -> bool:
        return self._solution.registry_answers()

    def build(self) -> BuildResult:
        return self._solution.build()

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        """Raises SandboxFault where the solution's sandbox failed for a reason of ours."""
        built = None
        self._solution.skips_build = self.skips_build
        if self._solution.compiles_program:  # once: there is nothing to run otherwise
            self._built = self._built or self._solution.examine(run_tests=False)
            built = self._built
        elif run_build or not run_tests:
            built = self._solution.examine(run_build=run_build, run_tests=False)
        if built is not None and (not run_tests or not built.build.success):
            return built
        limits = self.limits.model_copy(update={"memory_bytes": CALL_MEMORY_BYTES})
        with self._solution.program(self._box) as program:
            self._tests.counterpart = Counterpart(self.harness.sandbox, program, limits)
            tested = self._tests.examine(run_build=False, test_dir=test_dir)
        return tested.model_copy(update={"build": built.build}) if built else tested

    def quick_check(self) -> QuickCheck:
        return self._solution.quick_check()

    def type_check(self) -> CheckDetails:
        return self._solution.type_check()

    def lint(self) -> CheckDetails:
        return self._solution.lint()


def _runner(
    project: Project, timeout: float, harness: Harness, language: str | None = None
) -> BaseTestRunner:
    folder = project.solution.source
    runner = TestRunnerRegistry.get_runner(
        folder, timeout, language=language, project=project, harness=harness
    )
    if runner is None:
        raise SampleError(
            "No runner recognises this black-box sample: it needs tests in a language that has "
            "one, and a reference in such a language."
        )
    return runner
