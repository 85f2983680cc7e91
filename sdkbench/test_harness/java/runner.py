"""JavaTestRunner: Java with JUnit 5 and 4.

A sample's solution is compiled by us and tested by a launcher of ours; a project that is judged
on its own tests is built by Maven and tested by Surefire, as its manifest says.
"""

import contextlib
import functools
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sdkbench.core import BlackBox
from sdkbench.environments import Environment
from sdkbench.sandbox import Completed, Program
from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.java.environment import JavaRecipe, needs
from sdkbench.test_harness.java.expectations import mutations_of
from sdkbench.test_harness.java.maven import jdk, jdk_mounts, maven_mounts
from sdkbench.test_harness.java.program import java_program
from sdkbench.test_harness.java.project import BUILD_TOOLS, GRADLE, JavaProject, doubts, read
from sdkbench.test_harness.java.repository import (
    REPOSITORY,
    SUREFIRE,
    SUREFIRE_GOALS,
    RepositoryRecipe,
    RepositoryRequest,
    goals_of,
    lack_of_version,
    lacks_something,
)
from sdkbench.test_harness.java.session import (
    compile_session,
    kept_solution,
    maven_session,
    test_session,
)
from sdkbench.test_harness.java.skeleton import skeleton, sources_of_tests
from sdkbench.test_harness.language_runner import LanguageRunner, Surroundings
from sdkbench.test_harness.missing_tools import refuse_lacks
from sdkbench.test_harness.models import (
    BuildResult,
    DependencyInstallResult,
    Language,
    TestFramework,
)
from sdkbench.test_harness.recognition import Unsupported, bytes_of, present
from sdkbench.test_harness.session import Built, Records


class JavaTestRunner(LanguageRunner[JavaProject]):
    name = "java"
    language = Language.JAVA
    framework = TestFramework.JUNIT
    manifests = ("pom.xml",)
    configs = (*GRADLE, "mvnw", "gradlew")
    supported = ("Maven",)
    compiler = "javac"
    compiles_program = True
    read = staticmethod(read)
    mutations_of = staticmethod(mutations_of)

    def markers(self, root: Path) -> tuple[list[str], list[str]]:
        # Beside a pom.xml, what is there for Gradle only adds to the certainty.
        manifests = present(root, self.manifests) or present(root, GRADLE)[:1]
        known = present(root, self.manifests + self.configs)
        return manifests, [name for name in known if name not in manifests and len(known) > 1]

    def unsupported(self) -> Unsupported | None:
        name = self.known.build_file
        return Unsupported(BUILD_TOOLS[name], name) if name else None

    def surroundings(self, environment: Environment) -> Surroundings:
        home = jdk(self.harness.sandbox).home
        repository = environment.path / "repository"
        env = {"JAVA_HOME": str(home), "MAVEN_ARGS": f"-o -Dmaven.repo.local={repository}"}
        return Surroundings((*jdk_mounts(), *maven_mounts()), env, (home / "bin",))

    def dependencies(self) -> list[str]:
        return [str(dependency.name) for dependency in self.known.pom.dependencies]

    def install_dependencies(self) -> DependencyInstallResult:
        project = read(self.project)
        if project.by_maven:
            return self._install_repository(project, whole=False)
        if project.refused:
            return DependencyInstallResult.refused(project.refused)
        return self.install(JavaRecipe, *needs(project))

    def _install_repository(self, project: JavaProject, *, whole: bool) -> DependencyInstallResult:
        """What Maven wants; it is shown the `whole` project where less did not tell."""
        root = project.given.solution.source
        jupiter = any(b"jupiter" in bytes_of(path) for path in sources_of_tests(root))
        request = RepositoryRequest(skeleton(root), jupiter)
        if whole:
            before = self._environment.path / REPOSITORY if self._environment else None
            request = request._replace(project=root, downloaded=before)
        result = self.install(RepositoryRecipe, request)
        if not result.success and not whole:
            return self._install_repository(project, whole=True)
        if result.success and goals_of(self.provided()) == SUREFIRE_GOALS:
            added = f"maven-surefire-plugin:{SUREFIRE} (the project names none that knows JUnit 5)"
            return result.model_copy(update={"completed_with": [added]})
        return result

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        project = read(self.project_for(test_dir))
        if not project.by_maven:
            with self.harness.cache.in_use(self.provided()):
                return self._examine_sample(project, run_tests=run_tests)
        examination = self._examine_own(project, run_build=run_build, run_tests=run_tests)
        if lacks_something(examination.build.errors) and self.harness.install:
            self._install_repository(project, whole=True)
            examination = self._examine_own(project, run_build=run_build, run_tests=run_tests)
        refuse_lacks(examination.build.errors, lack_of_version)
        return examination

    def _examine_own(
        self, project: JavaProject, *, run_build: bool, run_tests: bool
    ) -> Examination:
        environment = self.provided()
        with self.harness.cache.in_use(environment):
            completed, records = maven_session(
                project,
                environment,
                self.harness,
                self.limits,
                run_build=run_build,
                run_tests=run_tests,
            )
        judge = functools.partial(case_evidence, tried=project.tried)
        return examined(project.given, completed, records, judge, run_tests=run_tests)

    def _examine_sample(self, project: JavaProject, *, run_tests: bool) -> Examination:
        """Compile always: there is nothing to run otherwise."""
        given, environment = project.given, self.provided()
        completed, records = compile_session(project, environment, self.harness, self.limits)
        compilation = examined(given, completed, records, case_evidence, run_tests=False)
        if self.program_folder is not None and compilation.build.success:
            if not kept_solution(records, self.program_folder):
                return _lost(compilation, completed, records)
            return compilation
        if not run_tests or not compilation.build.success:
            return compilation
        limits = self.limits_after(completed)
        with tempfile.TemporaryDirectory(prefix="sdkbench-classes-") as folder:
            run = test_session(project, environment, records, Path(folder), self.harness, limits)
        if run is None:
            return _lost(compilation, completed, records)
        done, tested = run
        whole = tested._replace(items=(*records.of(Built), *tested.items))
        reasons = doubts(project)
        noted = done.model_copy(update={"notes": (*done.notes, *reasons)})
        judge = functools.partial(case_evidence, doubts=reasons)
        return examined(given, noted, whole, judge, run_tests=True)

    @contextlib.contextmanager
    def program(self, box: BlackBox) -> Iterator[Program]:
        """The command `java` knows the solution's classes and those of its dependencies."""
        environment = self.provided()
        with self.harness.cache.in_use(environment):
            yield java_program(self.project, box, environment, self.built_into(), self.harness)


def _lost(compilation: Examination, completed: Completed, records: Records) -> Examination:
    lost = f"The compiled classes did not come out of the sandbox: {completed.ending()}."
    build = BuildResult(success=False, errors=[lost, *records.faults])
    return compilation.model_copy(update={"build": build})
