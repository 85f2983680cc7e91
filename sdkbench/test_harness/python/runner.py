"""PythonTestRunner: pytest and unittest suites, through the trusted pytest channel."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from sdkbench.core import BlackBox, Project, tree
from sdkbench.environments import Environment
from sdkbench.errors import HarnessFault, InputError
from sdkbench.sandbox import Completed, Mount, Program
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.evidence import Examination, examined
from sdkbench.test_harness.models import (
    BuildResult,
    CheckDetails,
    CoverageDetails,
    DependencyInstallResult,
    FileCoverage,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
)
from sdkbench.test_harness.mutations import Mutation, mutations_in
from sdkbench.test_harness.python import checks, session, warm
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python.environment import provide, site_packages
from sdkbench.test_harness.python.expectations import mutations_of
from sdkbench.test_harness.python.manifest import declared_requirements
from sdkbench.test_harness.python.records import to_evidence
from sdkbench.test_harness.recognition import displayed_path, present, recognised
from sdkbench.test_harness.runner import BaseTestRunner
from sdkbench.test_harness.session import Coverage, Records, run_session

BOOT = "python.boot"
BRIEFLY = ("--tb=no",)


class PythonTestRunner(BaseTestRunner):
    name = "python"

    def get_language(self) -> Language:
        return Language.PYTHON

    def get_framework(self) -> TestFramework:
        texts = [
            python_project.source_of(path)
            for path in python_project.test_files(self.readable_project)
        ]
        uses_pytest = any("pytest" in text for text in texts)
        uses_unittest = any("TestCase" in text for text in texts)
        return TestFramework.UNITTEST if uses_unittest and not uses_pytest else TestFramework.PYTEST

    def detect(self) -> RunnerDetectionResult:
        project = self.readable_project
        root = project.solution.source
        source = next((path for path in tree.files(root) if path.suffix == ".py"), None)
        return recognised(
            Language.PYTHON,
            self.get_framework(),
            manifests=present(root, python_project.MANIFESTS),
            configs=present(root, python_project.CONFIGS),
            tests=[displayed_path(path, project) for path in python_project.test_files(project)],
            sources=[displayed_path(source, project)] if source else [],
        )

    def install_dependencies(self) -> DependencyInstallResult:
        needs = python_project.needs(self.project)
        if needs.refused:
            return DependencyInstallResult.refused(needs.refused)
        harness = self.harness
        provision = provide(needs.request, harness.cache, harness.sandbox, install=harness.install)
        self._environment = provision.environment
        return DependencyInstallResult.of(provision, needs.completed_with)

    def build(self) -> BuildResult:
        """Byte-compile everything and import the modules that the project or its tests name."""
        return super().build()

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        """One process compiles and tests: the tests' own collection imports the solution, under
        the conditions the tests set up, so a heavy SDK is imported once and not twice.
        """
        project = self.project_for(test_dir)
        imports = python_project.solution_imports(project) if run_build and not run_tests else []
        completed, records = self._run(
            project, run_build=run_build, imports=tuple(imports), run_tests=run_tests
        )
        return examined(project, completed, records, to_evidence, run_tests=run_tests)

    @contextlib.contextmanager
    def program(self, box: BlackBox) -> Iterator[Program]:
        """The solution's folder is a package named as it stands in the workspace."""
        environment = self.provided()
        with self.harness.cache.in_use(environment):
            yield Program(
                command=tuple(self.project.filled_in(box.command, WORKSPACE)),
                port=box.port,
                placements=(self.project.solution,),
                mounts=(Mount(path=environment.path),),
                env=session.ENVIRONMENT | {"PYTHONPATH": WORKSPACE},
                search_path=(environment.path / "venv" / "bin",),
            )

    def quick_check(self) -> QuickCheck:
        project = self.readable_project
        problems = [
            f"{displayed_path(path, project)}: {problem}"
            for path in python_project.python_files([project.solution.source])
            for problem in python_project.syntax_problems(path)
        ]
        declared = declared_requirements(project.solution.source)
        return QuickCheck(
            language=Language.PYTHON,
            framework=self.get_framework(),
            has_manifest=declared.source is not None,
            has_tests=bool(python_project.test_files(project)),
            problems=[*problems, *declared.refused],
        )

    def mutations(self) -> tuple[Mutation, ...]:
        project = self.readable_project
        if project.has_own_tests:
            return ()
        files = [
            (path, displayed_path(path, project)) for path in python_project.test_files(project)
        ]
        return mutations_in(files, mutations_of)

    def type_check(self) -> CheckDetails:
        return checks.type_check(self.project, self._installed(), self.harness, self.limits)

    def lint(self) -> CheckDetails:
        return checks.lint(self.project, self.harness, self.limits)

    def coverage(self) -> CoverageDetails:
        """Lines of the solution that its tests run through, as coverage.py counts them."""
        self._installed()
        packages = site_packages(checks.tool(checks.COVERAGE, self.harness))
        completed, records = self._run(self.project, coverage=packages)
        for coverage in records.of(Coverage):
            files = FileCoverage.of(coverage.files)
            return CoverageDetails(tool=checks.COVERAGE, files=files)
        raise HarnessFault(f"Coverage was not measured: {completed.ending()}.\n{completed.output}")

    def _installed(self) -> Environment:
        """The solution's environment, for checks that need it; InputError if it can't be had."""
        installed = self.install_dependencies()
        if self._environment is None:
            raise InputError(f"The dependencies cannot be installed: {installed.error}")
        return self._environment

    def _run(
        self,
        project: Project,
        *,
        run_build: bool = True,
        run_tests: bool = True,
        imports: tuple[str, ...] = (),
        coverage: Path | None = None,
    ) -> tuple[Completed, Records]:
        environment = self.provided()
        order = session.python_order(
            project, self.get_framework(), environment, run_build=run_build
        )
        order = order.model_copy(
            update={
                "imports": imports,
                "run_tests": run_tests,
                "coverage_path": str(coverage) if coverage else None,
                "extra_words": (*order.extra_words, *(() if self.explains_failures else BRIEFLY)),
            }
        )
        shared = warm.trusted_layer(environment, self.harness, self.trusted_environment)
        if shared and run_tests and not (coverage or self.counterpart or project.has_own_tests):
            environments = shared, environment
            run = warm.run_warm(project, order, environments, self.harness, self.limits)
            if run is not None:
                return run
        boot = session.boot(BOOT, environment, trusted=not project.has_own_tests)
        mounts = (*boot.mounts, Mount(path=coverage)) if coverage else boot.mounts
        boot = boot._replace(mounts=mounts, counterpart=self.counterpart)
        with self.harness.cache.in_use(environment):
            return run_session(self.harness.sandbox, boot, project.placements, order, self.limits)
