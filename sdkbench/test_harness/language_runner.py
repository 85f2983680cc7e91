"""LanguageRunner: what runners share that read a project once, and answer most from that."""

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from sdkbench.core import Project
from sdkbench.environments import Provision
from sdkbench.environments.installation import Recipe, provide
from sdkbench.sandbox import Completed, Limits
from sdkbench.test_harness.models import (
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
)
from sdkbench.test_harness.mutations import Mutation, mutations_in
from sdkbench.test_harness.recognition import ReadProject, present, recognised
from sdkbench.test_harness.runner import BaseTestRunner

LEAST_SECONDS = 1.0  # for the tests, however long the build took
P = TypeVar("P", bound=ReadProject)
R = TypeVar("R")


class LanguageRunner(BaseTestRunner, Generic[P]):
    """A subclass says how its language's projects are read, provided for and examined."""

    __test__ = False
    language: ClassVar[Language]
    framework: ClassVar[TestFramework]
    manifests: ClassVar[tuple[str, ...]]
    configs: ClassVar[tuple[str, ...]]
    _read: P | None = None
    _provision: Provision | None = None

    @abstractmethod
    def read(self, project: Project) -> P: ...

    def mutations_of(self, text: str, path: str) -> list[Mutation]:
        """Every mutation of the tests in `text`, which stands at `path` below the workspace."""
        del text, path
        return []

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
        return recognised(
            self.get_language(),
            self.get_framework(),
            manifests=manifests,
            configs=configs,
            tests=[placed.target for placed in self.known.test_files],
            sources=[placed.target for placed in self.known.sources],
        )

    def markers(self, root: Path) -> tuple[list[str], list[str]]:
        """The manifests and the configuration files that are there."""
        return present(root, self.manifests), present(root, self.configs)

    def quick_check(self) -> QuickCheck:
        return QuickCheck(
            language=self.get_language(),
            framework=self.get_framework(),
            has_manifest=self.known.has_manifest,
            has_tests=bool(self.known.test_files),
            problems=list(self.known.refused),
        )

    def mutations(self) -> tuple[Mutation, ...]:
        files = () if self.known.given.has_own_tests else self.known.test_files
        return mutations_in(files, self.mutations_of)

    def install(
        self, kind: type[Recipe[R]], request: R, completed_with: Sequence[str] = ()
    ) -> DependencyInstallResult:
        harness = self.harness
        recipe = kind(request, harness.cache, harness.sandbox)
        self._provision = provide(recipe, install=harness.install)
        self._environment = self._provision.environment
        return DependencyInstallResult.of(self._provision, completed_with)

    def limits_after(self, completed: Completed) -> Limits:
        """For a second sandbox: what the first one left of the time."""
        left = max(LEAST_SECONDS, self.timeout - completed.duration_seconds)
        return self.limits.model_copy(update={"wall_seconds": left})
