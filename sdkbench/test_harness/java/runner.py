"""JavaTestRunner: Java with JUnit 5 and 4.

A sample's solution is compiled by us and tested by a launcher of ours; a project that is judged
on its own tests is built by Maven and tested by Surefire, as its manifest says.
"""

import tempfile
from pathlib import Path

from sdkbench.errors import MissingTool
from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.java.environment import JavaRecipe, needs
from sdkbench.test_harness.java.expectations import mutations_of
from sdkbench.test_harness.java.maven import RepositoryRecipe, RepositoryRequest
from sdkbench.test_harness.java.project import GRADLE, JavaProject, read
from sdkbench.test_harness.java.session import (
    compile_session,
    maven_session,
    test_session,
)
from sdkbench.test_harness.language_runner import LanguageRunner
from sdkbench.test_harness.models import (
    BuildResult,
    DependencyInstallResult,
    Language,
    TestFramework,
)
from sdkbench.test_harness.recognition import present, text_of
from sdkbench.test_harness.session import Built

MAVEN_FILES = (".mvn/extensions.xml", ".mvn/maven.config", ".mvn/jvm.config")
SUREFIRE = "3.5.2"  # where the project names none: Maven's own choice is older than JUnit 5


class JavaTestRunner(LanguageRunner[JavaProject]):
    name = "java"
    language = Language.JAVA
    framework = TestFramework.JUNIT
    manifests = ("pom.xml",)
    configs = (*GRADLE, "mvnw", "gradlew")
    read = staticmethod(read)
    mutations_of = staticmethod(mutations_of)

    def markers(self, root: Path) -> tuple[list[str], list[str]]:
        # Beside a pom.xml, what is there for Gradle only adds to the certainty.
        manifests = present(root, self.manifests) or present(root, GRADLE)[:1]
        known = present(root, self.manifests + self.configs)
        return manifests, [name for name in known if name not in manifests and len(known) > 1]

    def install_dependencies(self) -> DependencyInstallResult:
        """Raises MissingTool for a Gradle project that is to be judged on its own tests."""
        project = read(self.project)
        if project.refused:
            return DependencyInstallResult.refused(project.refused)
        if project.by_maven:
            added = f"maven-surefire-plugin:{SUREFIRE} (the project names no version)"
            root = project.given.solution.source
            names = [*project.pom.files, *present(root, MAVEN_FILES)]
            manifests = {name: text_of(root / name) for name in names}
            request = RepositoryRequest(manifests, _goals(project))
            return self.install(RepositoryRecipe, request, () if project.pom.surefire else (added,))
        if project.gradle and project.given.has_own_tests:
            raise MissingTool(
                f"{self.working_dir} is a Gradle project, and this runner drives Maven only. Give "
                "it a pom.xml beside its build.gradle, or judge it as the solution of a sample: "
                "that needs no Gradle."
            )
        return self.install(JavaRecipe, *needs(project))

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

    def _examine_sample(self, project: JavaProject, *, run_tests: bool) -> Examination:
        """Compile always: there is nothing to run otherwise."""
        given, environment = project.given, self.provided()
        completed, records = compile_session(project, environment, self.harness, self.limits)
        compilation = examined(given, completed, records, case_evidence, run_tests=False)
        if not run_tests or not compilation.build.success:
            return compilation
        limits = self.limits_after(completed)
        with tempfile.TemporaryDirectory(prefix="sdkbench-classes-") as folder:
            run = test_session(project, environment, records, Path(folder), self.harness, limits)
        if run is None:
            lost = f"The compiled classes did not come out of the sandbox: {completed.ending()}."
            build = BuildResult(success=False, errors=[lost, *records.faults])
            return compilation.model_copy(update={"build": build})
        done, tested = run
        whole = tested._replace(items=(*records.of(Built), *tested.items))
        return examined(given, done, whole, case_evidence, run_tests=True)


def _goals(project: JavaProject) -> tuple[str, ...]:
    version = project.pom.surefire or SUREFIRE
    plugin = f"org.apache.maven.plugins:maven-surefire-plugin:{version}"
    return ("test-compile", f"{plugin}:test@default-test")
