"""JavaTestRunner: Java with JUnit 5 and 4.

A sample's solution is compiled by us and tested by a launcher of ours; a project that is judged
on its own tests is built by Maven and tested by Surefire, as its manifest says.
"""

import tempfile
from pathlib import Path
from typing import Self

from sdkbench.core import Project
from sdkbench.environments import Environment, Provision
from sdkbench.errors import MissingTool
from sdkbench.test_harness.evidence import Examination
from sdkbench.test_harness.examination import case_evidence, examined
from sdkbench.test_harness.java import needs as java_needs
from sdkbench.test_harness.java import project as reading
from sdkbench.test_harness.java.environment import provide
from sdkbench.test_harness.java.expectations import mutations_of
from sdkbench.test_harness.java.repository import RepositoryRequest, provide_repository
from sdkbench.test_harness.java.session import (
    compile_session,
    compiled,
    maven_session,
    test_session,
)
from sdkbench.test_harness.models import (
    BuildResult,
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
)
from sdkbench.test_harness.mutations import Mutation, mutations_in
from sdkbench.test_harness.protocol import Built
from sdkbench.test_harness.runner import BaseTestRunner
from sdkbench.test_harness.source_files import text_of

MAVEN_FILES = (".mvn/extensions.xml", ".mvn/maven.config", ".mvn/jvm.config")
SUREFIRE = "3.5.2"  # where the project names none: Maven's own choice is older than JUnit 5


class JavaTestRunner(BaseTestRunner):
    __test__ = False
    name = "java"

    _read: reading.Reading | None = None

    def get_language(self) -> Language:
        return Language.JAVA

    def get_framework(self) -> TestFramework:
        return TestFramework.JUNIT

    def detect(self) -> RunnerDetectionResult:
        found = self._reading()
        root = self.readable_project.solution.source
        markers = [name for name in reading.MARKERS if (root / name).is_file()]
        manifest = "pom.xml" in markers or found.gradle
        confidence = 0.5 * bool(found.test_files) + 0.1 * bool(found.sources)
        confidence += 0.3 * manifest + 0.1 * (len(markers) > 1)
        markers += [placed.target for placed in (found.test_files or found.sources)[:5]]
        return RunnerDetectionResult.of(confidence, markers, Language.JAVA, TestFramework.JUNIT)

    def install_dependencies(self) -> DependencyInstallResult:
        """Raises MissingTool for a Gradle project that is to be judged on its own tests."""
        found = self._reading()
        if self._by_maven(found):
            if found.pom.refused:
                return DependencyInstallResult.refused(found.pom.refused)
            provision, added = self._repository(found), self._brought(found)
        else:
            if found.gradle and self.project.has_own_tests:
                raise _no_gradle(self.working_dir)
            needs = java_needs.needs(self.project, found)
            if needs.refused:
                return DependencyInstallResult.refused(needs.refused)
            harness = self.harness
            provision = provide(
                needs.request, harness.cache, harness.sandbox, install=harness.install
            )
            added = needs.completed_with
        self._environment = provision.environment
        return DependencyInstallResult.of(provision, added)

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        project = self.project_for(test_dir)
        found = self._reading() if test_dir is None else reading.read(project)
        environment = self.provided()
        with self.harness.cache.in_use(environment):
            if self._by_maven(found):
                return self._examine_by_maven(
                    project, found, environment, run_build=run_build, run_tests=run_tests
                )
            return self._examine(project, found, environment, run_tests=run_tests)

    def quick_check(self) -> QuickCheck:
        found = self._reading()
        return QuickCheck(
            language=Language.JAVA,
            framework=TestFramework.JUNIT,
            has_manifest=found.has_manifest,
            has_tests=bool(found.test_files),
            problems=list(found.pom.refused),
        )

    def mutations(self) -> tuple[Mutation, ...]:
        if self.readable_project.has_own_tests:
            return ()
        return mutations_in(self._reading().test_files, mutations_of)

    def with_project(self, project: Project) -> Self:
        other = super().with_project(project)
        other._read = None  # noqa: SLF001 - of the same class
        return other

    def _examine(
        self, project: Project, found: reading.Reading, environment: Environment, *, run_tests: bool
    ) -> Examination:
        """Compile always: there is nothing to run otherwise."""
        completed, records = compile_session(project, found, environment, self.harness, self.limits)
        compilation = examined(project, completed, records, case_evidence, run_tests=False)
        if not run_tests or not compilation.build.success:
            return compilation
        classes = compiled(records)
        if classes is None:
            lost = f"The compiled classes did not come out of the sandbox: {completed.ending()}."
            build = BuildResult(success=False, errors=[lost, *records.faults])
            return compilation.model_copy(update={"build": build})
        left = max(1.0, self.limits.wall_seconds - completed.duration_seconds)
        limits = self.limits.model_copy(update={"wall_seconds": left})
        with tempfile.TemporaryDirectory(prefix="sdkbench-classes-") as folder:
            done, told = test_session(
                project, found, environment, classes, Path(folder), self.harness, limits
            )
        whole = told._replace(items=(*records.of(Built), *told.items))
        return examined(project, done, whole, case_evidence, run_tests=True)

    def _examine_by_maven(
        self,
        project: Project,
        found: reading.Reading,
        environment: Environment,
        *,
        run_build: bool,
        run_tests: bool,
    ) -> Examination:
        completed, records = maven_session(
            project,
            found,
            environment,
            _goals(found),
            self.harness,
            self.limits,
            run_build=run_build,
            run_tests=run_tests,
        )
        return examined(project, completed, records, case_evidence, run_tests=run_tests)

    def _by_maven(self, found: reading.Reading) -> bool:
        return self.readable_project.has_own_tests and found.by_maven

    def _repository(self, found: reading.Reading) -> Provision:
        root = self.project.solution.source
        names = [*found.pom.files, *(name for name in MAVEN_FILES if (root / name).is_file())]
        manifests = {name: text_of(root / name) for name in names}
        request = RepositoryRequest(manifests, _goals(found))
        harness = self.harness
        return provide_repository(request, harness.cache, harness.sandbox, install=harness.install)

    def _brought(self, found: reading.Reading) -> tuple[str, ...]:
        if found.pom.surefire:
            return ()
        return (f"maven-surefire-plugin:{SUREFIRE} (the project names no version)",)

    def _reading(self) -> reading.Reading:
        if self._read is None:
            self._read = reading.read(self.readable_project)
        return self._read


def _goals(found: reading.Reading) -> tuple[str, ...]:
    version = found.pom.surefire or SUREFIRE
    plugin = f"org.apache.maven.plugins:maven-surefire-plugin:{version}"
    return ("test-compile", f"{plugin}:test@default-test")


def _no_gradle(folder: Path) -> MissingTool:
    return MissingTool(
        f"{folder} is a Gradle project, and this runner drives Maven only. Give it a pom.xml "
        "beside its build.gradle, or judge it as the solution of a sample: that needs no Gradle."
    )
