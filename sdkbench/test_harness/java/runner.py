"""JavaTestRunner: Java with JUnit 5 and 4.

A sample's solution is compiled by us and tested by a launcher of ours; a project that is judged
on its own tests is built by Maven and tested by Surefire, as its manifest says.
"""

import tempfile
from pathlib import Path

from sdkbench.environments import Provision
from sdkbench.errors import MissingTool
from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.java.environment import needs, provide
from sdkbench.test_harness.java.expectations import mutations_of
from sdkbench.test_harness.java.maven import RepositoryRequest, provide_repository
from sdkbench.test_harness.java.project import GRADLE, JavaProject, read
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
from sdkbench.test_harness.recognition import present, recognised, text_of
from sdkbench.test_harness.runner import BaseTestRunner
from sdkbench.test_harness.session import Built

MAVEN_FILES = (".mvn/extensions.xml", ".mvn/maven.config", ".mvn/jvm.config")
SUREFIRE = "3.5.2"  # where the project names none: Maven's own choice is older than JUnit 5


class JavaTestRunner(BaseTestRunner):
    __test__ = False
    name = "java"

    _read: JavaProject | None = None

    def get_language(self) -> Language:
        return Language.JAVA

    def get_framework(self) -> TestFramework:
        return TestFramework.JUNIT

    def detect(self) -> RunnerDetectionResult:
        project = self._java_project()
        root = project.given.solution.source
        by_maven = present(root, ("pom.xml",))
        # Beside a pom.xml, what is there for Gradle only adds to the certainty.
        manifests = by_maven or present(root, GRADLE)[:1]
        known = present(root, ("pom.xml", *GRADLE, "mvnw", "gradlew"))
        return recognised(
            Language.JAVA,
            TestFramework.JUNIT,
            manifests=manifests,
            configs=[name for name in known if name not in manifests and len(known) > 1],
            tests=[placed.target for placed in project.test_files],
            sources=[placed.target for placed in project.sources],
        )

    def install_dependencies(self) -> DependencyInstallResult:
        """Raises MissingTool for a Gradle project that is to be judged on its own tests."""
        project, harness = read(self.project), self.harness
        if project.by_maven:
            if project.pom.refused:
                return DependencyInstallResult.refused(project.pom.refused)
            provision = self._repository(project)
            added: tuple[str, ...] = ()
            if not project.pom.surefire:
                added = (f"maven-surefire-plugin:{SUREFIRE} (the project names no version)",)
        else:
            if project.gradle and project.given.has_own_tests:
                raise _no_gradle(self.working_dir)
            needed = needs(project)
            if needed.refused:
                return DependencyInstallResult.refused(needed.refused)
            provision = provide(
                needed.request, harness.cache, harness.sandbox, install=harness.install
            )
            added = needed.completed_with
        self._environment = provision.environment
        return DependencyInstallResult.of(provision, added)

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        project, environment = read(self.project_for(test_dir)), self.provided()
        with self.harness.cache.in_use(environment):
            if not project.by_maven:
                return self._examine_sample(project, run_tests=run_tests)
            completed, records = maven_session(
                project,
                environment,
                _goals(project),
                self.harness,
                self.limits,
                run_build=run_build,
                run_tests=run_tests,
            )
        return examined(project.given, completed, records, case_evidence, run_tests=run_tests)

    def quick_check(self) -> QuickCheck:
        project = self._java_project()
        return QuickCheck(
            language=Language.JAVA,
            framework=TestFramework.JUNIT,
            has_manifest=project.has_manifest,
            has_tests=bool(project.test_files),
            problems=list(project.pom.refused),
        )

    def mutations(self) -> tuple[Mutation, ...]:
        project = self._java_project()
        files = () if project.given.has_own_tests else project.test_files
        return mutations_in(files, mutations_of)

    def _examine_sample(self, project: JavaProject, *, run_tests: bool) -> Examination:
        """Compile always: there is nothing to run otherwise."""
        given, environment, limits = project.given, self.provided(), self.limits
        completed, records = compile_session(project, environment, self.harness, limits)
        compilation = examined(given, completed, records, case_evidence, run_tests=False)
        if not run_tests or not compilation.build.success:
            return compilation
        classes = compiled(records)
        if classes is None:
            lost = f"The compiled classes did not come out of the sandbox: {completed.ending()}."
            build = BuildResult(success=False, errors=[lost, *records.faults])
            return compilation.model_copy(update={"build": build})
        left = max(1.0, limits.wall_seconds - completed.duration_seconds)
        limits = limits.model_copy(update={"wall_seconds": left})
        with tempfile.TemporaryDirectory(prefix="sdkbench-classes-") as folder:
            done, tested = test_session(
                project, environment, classes, Path(folder), self.harness, limits
            )
        whole = tested._replace(items=(*records.of(Built), *tested.items))
        return examined(given, done, whole, case_evidence, run_tests=True)

    def _repository(self, project: JavaProject) -> Provision:
        root = project.given.solution.source
        names = [*project.pom.files, *present(root, MAVEN_FILES)]
        manifests = {name: text_of(root / name) for name in names}
        request = RepositoryRequest(manifests, _goals(project))
        harness = self.harness
        return provide_repository(request, harness.cache, harness.sandbox, install=harness.install)

    def _java_project(self) -> JavaProject:
        """For reading only, and read once."""
        if self._read is None or self._read.given != self.readable_project:  # other tests, say
            self._read = read(self.readable_project)
        return self._read


def _goals(project: JavaProject) -> tuple[str, ...]:
    version = project.pom.surefire or SUREFIRE
    plugin = f"org.apache.maven.plugins:maven-surefire-plugin:{version}"
    return ("test-compile", f"{plugin}:test@default-test")


def _no_gradle(folder: Path) -> MissingTool:
    return MissingTool(
        f"{folder} is a Gradle project, and this runner drives Maven only. Give it a pom.xml "
        "beside its build.gradle, or judge it as the solution of a sample: that needs no Gradle."
    )
