"""RustTestRunner: cargo projects and workspaces, one process for each test."""

import tempfile
from pathlib import Path

from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.models import (
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
)
from sdkbench.test_harness.mutations import Mutation, mutations_in
from sdkbench.test_harness.recognition import present, recognised
from sdkbench.test_harness.runner import BaseTestRunner
from sdkbench.test_harness.rust import session
from sdkbench.test_harness.rust.environment import provide, toolchain
from sdkbench.test_harness.rust.expectations import mutations_of
from sdkbench.test_harness.rust.project import RustProject, read, sources
from sdkbench.test_harness.session import Records

LEAST_SECONDS = 1.0  # for the tests, however long the build took


class RustTestRunner(BaseTestRunner):
    __test__ = False
    name = "rust"

    _read: RustProject | None = None

    def get_language(self) -> Language:
        return Language.RUST

    def get_framework(self) -> TestFramework:
        return TestFramework.CARGO_TEST

    def detect(self) -> RunnerDetectionResult:
        project = self._rust_project()
        root = project.given.solution.source
        return recognised(
            Language.RUST,
            TestFramework.CARGO_TEST,
            manifests=present(root, ("Cargo.toml",)),
            configs=present(root, ("Cargo.lock",)),
            tests=[placed.target for placed in project.test_files],
            sources=[path.relative_to(root).as_posix() for path in sources(root)],
        )

    def install_dependencies(self) -> DependencyInstallResult:
        toolchain()  # the first thing to be missed, whatever the manifest says
        project = read(self.project)
        if project.refused:
            return DependencyInstallResult.refused(project.refused)
        harness = self.harness
        provision = provide(
            session.request(project), harness.cache, harness.sandbox, install=harness.install
        )
        self._environment = provision.environment
        return DependencyInstallResult.of(provision, project.remarks)

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        """There are no tests without a build, so `run_build` changes nothing."""
        del run_build
        project = read(self.project_for(test_dir))
        environment, harness, limits = self.provided(), self.harness, self.limits
        with tempfile.TemporaryDirectory(prefix="sdkbench-programs-") as name:
            out = Path(name)
            completed, records = session.build_session(
                project, environment, out, harness, limits, run_tests=run_tests
            )
            if run_tests and session.built_programs(records) is not None:
                left = max(LEAST_SECONDS, self.timeout - completed.duration_seconds)
                limits = limits.model_copy(update={"wall_seconds": left})
                completed, tested = session.test_session(project, records, out, harness, limits)
                records = Records(records.items + tested.items, records.faults + tested.faults)
        return examined(project.given, completed, records, case_evidence, run_tests=run_tests)

    def quick_check(self) -> QuickCheck:
        project = self._rust_project()
        return QuickCheck(
            language=Language.RUST,
            framework=TestFramework.CARGO_TEST,
            has_manifest=project.has_manifest,
            has_tests=bool(project.test_files),
            problems=list(project.refused),
        )

    def mutations(self) -> tuple[Mutation, ...]:
        project = self._rust_project()
        files = () if project.given.has_own_tests else project.test_files
        return mutations_in(files, mutations_of)

    def _rust_project(self) -> RustProject:
        """For reading only, and read once."""
        if self._read is None or self._read.given != self.readable_project:  # other tests, say
            self._read = read(self.readable_project)
        return self._read
