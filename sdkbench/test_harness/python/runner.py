"""PythonTestRunner: pytest and unittest suites, through the trusted pytest channel."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sdkbench.core import BlackBox, Project, tree
from sdkbench.environments import Environment
from sdkbench.errors import HarnessFault, InputError
from sdkbench.sandbox import Completed, Mount, Program
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.sandbox.levels import divides
from sdkbench.test_harness.alteration import Alteration, alterations_in
from sdkbench.test_harness.evidence import Examination
from sdkbench.test_harness.examining import examined
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
from sdkbench.test_harness.python import checks as python_checks
from sdkbench.test_harness.python import project as reading
from sdkbench.test_harness.python.alterations import alterations_of
from sdkbench.test_harness.python.deck_records import to_runs
from sdkbench.test_harness.python.environment import provide, site_packages
from sdkbench.test_harness.python.manifest import declared_requirements
from sdkbench.test_harness.python.records import to_evidence
from sdkbench.test_harness.python.session import decks_order
from sdkbench.test_harness.recognition import displayed_path, present, recognised
from sdkbench.test_harness.records import Records
from sdkbench.test_harness.runner import BaseTestRunner
from sdkbench.test_harness.session import INSIDE, Boot, run_session

BOOT = "python.boot"
DECKS = "python.forked_runs"
PRELOAD_SECONDS = 60  # for what the runs share; a heavy SDK takes three
TRUSTED_INI = INSIDE / "python" / "trusted_pytest.ini"
ENVIRONMENT = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",  # the same answer tomorrow
    "CI": "true",
}


class PythonTestRunner(BaseTestRunner):
    name = "python"

    def get_language(self) -> Language:
        return Language.PYTHON

    def get_framework(self) -> TestFramework:
        texts = [reading.source_of(path) for path in reading.test_files(self.readable_project)]
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
            manifests=present(root, reading.MANIFESTS),
            configs=present(root, reading.CONFIGS),
            tests=[displayed_path(path, project) for path in reading.test_files(project)],
            sources=[displayed_path(source, project)] if source else [],
        )

    def install_dependencies(self) -> DependencyInstallResult:
        needs = reading.needs(self.project)
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
        completed, records = self._run_boot(
            project,
            compile_all=run_build,
            run_tests=run_tests,
            imports=reading.solution_imports(project) if run_build and not run_tests else [],
        )
        return examined(project, completed, records, to_evidence, run_tests=run_tests)

    def examine_together(
        self, projects: Sequence[Project], *, run_build: bool = True
    ) -> list[Examination] | None:
        harness, environment, limits = self.harness, self.provided(), self.limits
        order = self._order(projects[0]) | {
            "imports": [],
            "run_tests": True,
            "coverage_path": None,
        }
        boot = self._boot(DECKS, environment, trusted=True)
        session_limits = limits.model_copy(
            update={"wall_seconds": len(projects) * limits.wall_seconds + PRELOAD_SECONDS}
        )
        with harness.cache.in_use(environment):
            completed, records = run_session(
                harness.sandbox,
                boot,
                (),
                decks_order(projects, order, limits, run_build=run_build),
                session_limits,
                stages=tuple(project.placements for project in projects),
            )
        runs = to_runs(records, completed)
        if runs is None:
            return None
        return [
            examined(project, *run, to_evidence, run_tests=True)
            for project, run in zip(projects, runs, strict=False)
        ]

    @property
    def shares_imports(self) -> bool:
        return divides(self.harness.sandbox)

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
                env=ENVIRONMENT | {"PYTHONPATH": WORKSPACE},
                search_path=(environment.path / "venv" / "bin",),
            )

    def quick_check(self) -> QuickCheck:
        project = self.readable_project
        problems = [
            f"{displayed_path(path, project)}: {problem}"
            for path in reading.python_files([project.solution.source])
            for problem in reading.syntax_problems(path)
        ]
        declared = declared_requirements(project.solution.source)
        return QuickCheck(
            language=Language.PYTHON,
            framework=self.get_framework(),
            has_manifest=declared.source is not None,
            has_tests=bool(reading.test_files(project)),
            problems=[*problems, *declared.refused],
        )

    def alterations(self) -> tuple[Alteration, ...]:
        project = self.readable_project
        if project.has_own_tests:
            return ()
        files = [(path, displayed_path(path, project)) for path in reading.test_files(project)]
        return alterations_in(files, alterations_of)

    def type_check(self) -> CheckDetails:
        return python_checks.type_check(self.project, self._installed(), self.harness, self.limits)

    def lint(self) -> CheckDetails:
        return python_checks.lint(self.project, self.harness, self.limits)

    def coverage(self) -> CoverageDetails:
        """Lines of the solution that its tests run through, as coverage.py counts them."""
        self._installed()
        packages = site_packages(python_checks.tool(python_checks.COVERAGE, self.harness))
        completed, records = self._run_boot(self.project, coverage=packages)
        for record in records.items:
            if record["kind"] == "coverage":
                files = [
                    FileCoverage(path=path, statements=statements, missing_lines=missing)
                    for path, (statements, missing) in record["files"].items()
                ]
                return CoverageDetails(tool=python_checks.COVERAGE, files=files)
        raise HarnessFault(f"Coverage was not measured: {completed.ending()}.\n{completed.output}")

    def _installed(self) -> Environment:
        """The solution's environment, for checks that need it; InputError if it can't be had."""
        installed = self.install_dependencies()
        if self._environment is None:
            raise InputError(f"The dependencies cannot be installed: {installed.error}")
        return self._environment

    def _run_boot(
        self,
        project: Project,
        *,
        compile_all: bool = True,
        run_tests: bool = True,
        imports: Sequence[str] = (),
        coverage: Path | None = None,
    ) -> tuple[Completed, Records]:
        environment = self.provided()
        order = self._order(project) | {
            "compile": compile_all,
            "imports": list(imports),
            "run_tests": run_tests,
            "coverage_path": str(coverage) if coverage else None,
        }
        boot = self._boot(BOOT, environment, trusted=not project.has_own_tests)
        if coverage:
            boot = boot._replace(mounts=(*boot.mounts, Mount(path=coverage)))
        with self.harness.cache.in_use(environment):
            return run_session(self.harness.sandbox, boot, project.placements, order, self.limits)

    def _boot(self, program: str, environment: Environment, *, trusted: bool) -> Boot:
        python = environment.path / "venv" / "bin" / "python"
        autoload = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} if trusted else {}
        return Boot(
            # Not -I, which would ignore the PYTHON* settings below: the environment is ours anyway.
            argv=(str(python), "-s", "-P", str(INSIDE), program),
            mounts=(Mount(path=environment.path),),
            env=ENVIRONMENT | autoload,
            search_path=(python.parent,),
            counterpart=self.counterpart,
        )

    def _order(self, project: Project) -> dict[str, Any]:
        solution = project.solution.target
        # Behind everything installed: the solution may be imported by its bare names, as when it
        # is run from its own folder, but can't stand in for pytest or the standard library.
        # The tests' own helpers come before it.
        behind = [f"{WORKSPACE}/tests", f"{WORKSPACE}/{solution}"]
        if project.has_own_tests:
            is_package = (project.solution.source / "src" / "__init__.py").is_file()
            behind = [] if is_package else [f"{WORKSPACE}/src"]
        settings = []
        if self.get_framework() is TestFramework.UNITTEST:
            settings.append("python_files=test*.py *_test.py")
        environment = self._environment
        xdist = environment and any(p.startswith("pytest-xdist==") for p in environment.packages)
        return {
            "solution": solution,
            "trusted": not project.has_own_tests,
            "tests": list(project.tests),  # none: the project's own `testpaths` count
            "ini": _trusted_ini(project),
            "ini_settings": settings,
            # One process reports; a project that would spread its tests over several still may.
            "extra_words": ["-n0"] if xdist and project.has_own_tests else [],
            "plugin_distributions": list(reading.needs(project).plugin_distributions),
            "path_first": [WORKSPACE],
            "path_last": behind,
            "coverage_omit": ["*/tests/*", "*/test_*.py"],
        }


def _trusted_ini(project: Project) -> str:
    """The sample's own pytest configuration, where it brings one."""
    for placement in project.trusted:
        for name in ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"):
            if placement.target == name and placement.source.is_file():
                return f"{WORKSPACE}/{name}"
            if placement.source.is_dir() and (placement.source / name).is_file():
                return f"{WORKSPACE}/{placement.target}/{name}"
    return str(TRUSTED_INI)
