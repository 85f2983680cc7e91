"""PythonTestRunner: pytest and unittest suites, through the trusted pytest channel."""

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from sdkbench.core import BlackBox, Project, tree
from sdkbench.environments import Environment
from sdkbench.environments.installation import provide
from sdkbench.errors import HarnessFault, InputError
from sdkbench.sandbox import Completed, Mount, Program
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.apart import ApartRun, apart_run
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
from sdkbench.test_harness.python import apart, checks, foreign, session, warm
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python.environment import PythonRecipe, site_packages
from sdkbench.test_harness.python.expectations import mutations_of
from sdkbench.test_harness.python.manifest import declared_requirements
from sdkbench.test_harness.python.origins import SOLUTION
from sdkbench.test_harness.python.own_examination import Circumstances, examined_own
from sdkbench.test_harness.python.own_project import OwnProject, provide_own
from sdkbench.test_harness.python.records import to_evidence
from sdkbench.test_harness.recognition import displayed_path, present, recognised
from sdkbench.test_harness.runner import BaseTestRunner
from sdkbench.test_harness.session import Coverage, Records, run_session

BOOT = "python.boot"
BRIEFLY = ("--tb=no",)


class PythonTestRunner(BaseTestRunner):
    name = "python"
    _own: OwnProject | None = None  # set by `install_dependencies` for one judged on its own tests

    def get_language(self) -> Language:
        return Language.PYTHON

    def get_framework(self) -> TestFramework:
        return python_project.framework_of(self.readable_project)

    def detect(self) -> RunnerDetectionResult:
        project = self.readable_project
        root = project.solution.source
        source = next((path for path in tree.files(root) if path.suffix == ".py"), None)
        other = foreign.unsupported(project) if project.has_own_tests else None
        return recognised(
            Language.PYTHON,
            TestFramework(other.framework) if other else self.get_framework(),
            manifests=present(root, python_project.MANIFESTS),
            configs=present(root, python_project.CONFIGS),
            tests=[displayed_path(path, project) for path in python_project.test_files(project)],
            sources=[displayed_path(source, project)] if source else [],
            unsupported=other and other.sentence(("pytest", "unittest")),
        )

    def install_dependencies(self) -> DependencyInstallResult:
        if self.project.has_own_tests:
            own = provide_own(self.project, self.harness, self.limits)
            self._recipe, self._environment = own.recipe, own.environment
            self._own = own
            return own.result
        needs = python_project.needs(self.project)
        if needs.refused:
            return DependencyInstallResult.refused(needs.refused)
        harness = self.harness
        self._recipe = PythonRecipe(needs.request, harness.cache, harness.sandbox)
        provision = provide(self._recipe, install=harness.install)
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
        if self._own is not None:
            given = Circumstances(self._own, run_tests)
            return examined_own(project, completed, records, given)
        return examined(project, completed, records, to_evidence, run_tests=run_tests)

    def examine_apart(
        self, profile: str | None, *, run_build: bool = True, copies: bool = False
    ) -> ApartRun | None:
        run_apart = partial(self._run_apart, run_build=run_build)
        if profile is not None:
            kept = apart.ApartProfile.model_validate_json(profile)
            return kept.held(run_apart, copies=copies)
        # Most tests and solutions meet in the folder where they begin, or nowhere; some tests read
        # files of their own from there.
        first = run_apart(apart.MEETING_PLACE, None)
        if first is None or first.is_clean:
            return first
        second = run_apart(WORKSPACE, None)
        return second if second and second.is_clean else first

    def why_not_apart(self) -> str:
        return "the reference's packages are not at hand"

    def _run_apart(self, folder: str, profile: str | None, *, run_build: bool) -> ApartRun | None:
        environment = self.provided()
        trusted = self.trusted_environment or environment.key
        tests = self.harness.cache.find(environment.language, trusted)
        if tests is None or self.project.has_own_tests:
            return None
        order = session.python_order(self.project, self.get_framework(), tests, run_build=run_build)
        package = self.project.solution.target
        told = session.ApartOrder(profile=profile, package=package, folder=folder)
        environments = apart.Environments(tests, environment)
        done, records = apart.run_apart(
            self.project,
            order.model_copy(update={"apart": told}),
            environments,
            self.harness,
            self.limits,
        )
        run = apart_run(self.project, done, records, to_evidence)
        return run._replace(profile=apart.ApartProfile.of(folder, run.profile))

    @contextlib.contextmanager
    def program(self, box: BlackBox) -> Iterator[Program]:
        """The solution's folder is a package named as it stands in the workspace."""
        environment = self.provided()
        with self.harness.cache.in_use(environment):
            yield Program(
                command=tuple(self.project.filled_in(box.command, WORKSPACE)),
                port=box.port,
                tests_port=box.tests_port,
                placements=(self.project.solution,),
                mounts=(Mount(path=environment.path),),
                env=session.ENVIRONMENT | {"CI": "true", "PYTHONPATH": WORKSPACE},
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
        tests = python_project.test_files(project)
        return QuickCheck.of(self.detect()).model_copy(
            update={
                "language": Language.PYTHON,
                "framework": self.get_framework(),
                "has_manifest": declared.source is not None,
                "has_tests": bool(tests),
                "test_file_count": len(tests),
                "dependencies": _names(declared.requirements),
                "problems": [*problems, *declared.refused],
            }
        )

    def mutations(self) -> tuple[Mutation, ...]:
        project = self.readable_project
        if project.has_own_tests:
            return ()
        files = [
            (path, displayed_path(path, project)) for path in python_project.test_files(project)
        ]
        source = project.solution.source
        modules = {p.stem for p in source.iterdir() if p.is_dir() or p.suffix == ".py"}
        return mutations_in(files, partial(mutations_of, solution=SOLUTION | modules))

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
                "shuffle_seed": self.harness.shuffle_seed,
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
        with contextlib.ExitStack() as used:
            used.enter_context(self.harness.cache.in_use(environment))
            installation = self._own.installation if self._own else None
            if installation is not None:
                used.enter_context(self.harness.cache.in_use(installation.environment))
                boot = session.installing(boot, installation)
                install = session.install_order(project, installation, environment)
                order = order.model_copy(update={"install": install})
            return run_session(self.harness.sandbox, boot, project.placements, order, self.limits)


def _names(requirements: Sequence[str]) -> list[str]:
    """The distributions that these lines name; a line that is none of PEP 508 has no say."""
    names = set()
    for line in requirements:
        with contextlib.suppress(InvalidRequirement, RecursionError):
            names.add(Requirement(line).name)
    return sorted(names)
