"""LanguageRunner: what runners share that read a project once, and answer most from that."""

import contextlib
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Generic, NamedTuple, TypeVar

from sdkbench.core import Project
from sdkbench.environments import Environment, Provision
from sdkbench.environments.installation import Recipe, provide
from sdkbench.errors import InputError
from sdkbench.sandbox import Completed, Limits, Mount, Program
from sdkbench.test_harness.models import (
    BuildResult,
    CheckDetails,
    DependencyInstallResult,
    Language,
    Problem,
    QuickCheck,
    RunnerDetectionResult,
    Severity,
    TestFramework,
)
from sdkbench.test_harness.mutations import Mutation, mutations_in
from sdkbench.test_harness.recognition import ReadProject, Unsupported, present, recognised
from sdkbench.test_harness.runner import BaseTestRunner

# Where a compiler says that something is wrong: before what it says, or as rustc does.
PLACED = re.compile(
    r"(?P<path>[^\s:]+):(?P<line>[0-9]{1,9}):(?:[0-9]+:)? ?(?P<message>.*)", re.DOTALL
)
ARROW = re.compile(r"(?P<message>[^\n]*)\n *--> (?P<path>[^\n:]+):(?P<line>[0-9]{1,9}):")
LEAST_SECONDS = 1.0  # for the tests, however long the build took
P = TypeVar("P", bound=ReadProject)
R = TypeVar("R")


class Surroundings(NamedTuple):
    """The toolchain for any command in a project: what it sees, and what it is told."""

    mounts: tuple[Mount, ...] = ()
    env: Mapping[str, str] = {}
    search_path: tuple[Path, ...] = ()


class LanguageRunner(BaseTestRunner, Generic[P]):
    """A subclass says how its language's projects are read, provided for and examined."""

    __test__ = False
    language: ClassVar[Language]
    framework: ClassVar[TestFramework]
    manifests: ClassVar[tuple[str, ...]]
    configs: ClassVar[tuple[str, ...]]
    compiler: ClassVar[str] = ""  # what the build is made with, where that checks types
    supported: ClassVar[tuple[str, ...]] = ()  # frameworks, as their users call them
    _read: P | None = None
    _provision: Provision | None = None

    @abstractmethod
    def read(self, project: Project) -> P: ...

    def mutations_of(self, text: str, path: str) -> list[Mutation]:
        """Every mutation of the tests in `text`, which stands at `path` below the workspace."""
        del text, path
        return []

    def unsupported(self) -> Unsupported | None:
        """The framework that a project's own tests are written for, where this runner cannot run
        it. `supported` tells which it can.
        """
        return None

    @property
    def known(self) -> P:
        """The project, for reading only, and read once."""
        if self._read is None or self._read.given != self.readable_project:  # other tests, say
            self._read = self.read(self.readable_project)
        return self._read

    def get_language(self) -> Language:
        return self.language

    def get_framework(self) -> TestFramework:
        return self.framework

    def detect(self) -> RunnerDetectionResult:
        manifests, configs = self.markers(self.known.given.solution.source)
        # A sample's tests are known to run; what its solution declares beside them has no say.
        unsupported = self.unsupported() if self.known.given.has_own_tests else None
        return recognised(
            self.get_language(),
            TestFramework(unsupported.framework) if unsupported else self.get_framework(),
            manifests=manifests,
            configs=configs,
            tests=[placed.target for placed in self.known.test_files],
            sources=[placed.target for placed in self.known.sources],
            unsupported=unsupported and unsupported.sentence(self.supported),
        )

    def markers(self, root: Path) -> tuple[list[str], list[str]]:
        """The manifests and the configuration files that are there."""
        return present(root, self.manifests), present(root, self.configs)

    def dependencies(self) -> list[str]:
        """The packages that the manifest names."""
        return []

    def quick_check(self) -> QuickCheck:
        known = self.known
        return QuickCheck.of(self.detect()).model_copy(
            update={
                "language": self.get_language(),
                "framework": self.get_framework(),
                "has_manifest": known.has_manifest,
                "has_tests": bool(known.test_files),
                "test_file_count": len(known.test_files),
                "has_tsconfig": (known.given.solution.source / "tsconfig.json").is_file(),
                "dependencies": sorted(set(self.dependencies())),
                "problems": list(known.refused),
            }
        )

    def type_check(self) -> CheckDetails:
        """By the compiler, for a language that is compiled: its build is the check."""
        build = self._compiled()
        return CheckDetails(
            tool=self.compiler,
            success=build.success,
            problems=[placed_problem(error) for error in build.errors],
            output=build.output,
        )

    def lint(self) -> CheckDetails:
        """The compiler's errors and its warnings."""
        build = self._compiled()
        problems = [placed_problem(error) for error in build.errors]
        problems += [placed_problem(text, Severity.WARNING) for text in build.warnings]
        success = build.success and not problems
        return CheckDetails(
            tool=self.compiler, success=success, problems=problems, output=build.output
        )

    def _compiled(self) -> BuildResult:
        """InputError where it cannot come to that: a missing package is no finding in the code."""
        if not self.compiler:
            raise self._unsupported("a compiler that checks types")
        installed = self.install_dependencies()
        if not installed.success:
            raise InputError(f"The dependencies cannot be installed: {installed.error}")
        return self.examine(run_tests=False).build

    def mutations(self) -> tuple[Mutation, ...]:
        files = () if self.known.given.has_own_tests else self.known.test_files
        return mutations_in(files, self.mutations_of)

    def install(
        self, kind: type[Recipe[R]], request: R, completed_with: Sequence[str] = ()
    ) -> DependencyInstallResult:
        harness = self.harness
        self._recipe = kind(request, harness.cache, harness.sandbox)
        self._provision = provide(self._recipe, install=harness.install)
        self._environment = self._provision.environment
        return DependencyInstallResult.of(self._provision, completed_with)

    @contextlib.contextmanager
    def command(self, words: tuple[str, ...]) -> Iterator[Program]:
        environment = self.provided()
        around = self.surroundings(environment)
        with self.harness.cache.in_use(environment):
            yield Program(
                command=words,
                placements=self.project.placements,
                mounts=(Mount(path=environment.path), *around.mounts),
                env=around.env,
                search_path=around.search_path,
            )

    def surroundings(self, environment: Environment) -> Surroundings:
        """What a command needs besides the environment's folder."""
        del environment
        return Surroundings()

    def limits_after(self, completed: Completed) -> Limits:
        """For a second sandbox: what the first one left of the time."""
        left = max(LEAST_SECONDS, self.timeout - completed.duration_seconds)
        return self.limits.model_copy(update={"wall_seconds": left})


def placed_problem(text: str, severity: Severity = Severity.ERROR) -> Problem:
    """What a compiler says, which most often begins with a place."""
    placed = PLACED.match(text) or ARROW.match(text)
    if placed is None:
        return Problem(path="", message=text, severity=severity)
    line = int(placed["line"])
    return Problem(path=placed["path"], line=line, message=placed["message"], severity=severity)
