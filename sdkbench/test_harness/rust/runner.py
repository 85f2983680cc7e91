"""RustTestRunner: cargo projects and workspaces, one process for each test."""

import tempfile
from pathlib import Path

from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.language_runner import LanguageRunner
from sdkbench.test_harness.models import DependencyInstallResult, Language, TestFramework
from sdkbench.test_harness.rust import session
from sdkbench.test_harness.rust.environment import RustRecipe, toolchain
from sdkbench.test_harness.rust.expectations import mutations_of
from sdkbench.test_harness.rust.project import RustProject, read
from sdkbench.test_harness.session import Records


class RustTestRunner(LanguageRunner[RustProject]):
    name = "rust"
    language = Language.RUST
    framework = TestFramework.CARGO_TEST
    manifests = ("Cargo.toml",)
    configs = ("Cargo.lock",)
    read = staticmethod(read)
    mutations_of = staticmethod(mutations_of)

    def install_dependencies(self) -> DependencyInstallResult:
        toolchain()  # the first thing to be missed, whatever the manifest says
        project = read(self.project)
        if project.refused:
            return DependencyInstallResult.refused(project.refused)
        return self.install(RustRecipe, session.request(project), project.remarks)

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        """There are no tests without a build, so `run_build` changes nothing."""
        del run_build
        project = read(self.project_for(test_dir))
        environment, harness = self.provided(), self.harness
        with tempfile.TemporaryDirectory(prefix="sdkbench-programs-") as name:
            out = Path(name)
            completed, records = session.build_session(
                project, environment, out, harness, self.limits, run_tests=run_tests
            )
            if run_tests and session.built_programs(records) is not None:
                limits = self.limits_after(completed)
                completed, tested = session.test_session(project, records, out, harness, limits)
                records = Records(records.items + tested.items, records.faults + tested.faults)
        return examined(project.given, completed, records, case_evidence, run_tests=run_tests)
