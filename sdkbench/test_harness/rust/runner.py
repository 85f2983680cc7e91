"""RustTestRunner: cargo projects and workspaces, one process for each test."""

import contextlib
import functools
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path

from sdkbench.core import BlackBox
from sdkbench.environments import Environment
from sdkbench.sandbox import Program
from sdkbench.test_harness.compiled import compiled_program
from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.language_runner import LanguageRunner, Surroundings
from sdkbench.test_harness.missing_tools import refuse_lacks
from sdkbench.test_harness.models import (
    BuildResult,
    DependencyInstallResult,
    Language,
    TestFramework,
)
from sdkbench.test_harness.rust import session
from sdkbench.test_harness.rust.environment import (
    CARGO_HOME,
    RustRecipe,
    lack_of_version,
    toolchain,
)
from sdkbench.test_harness.rust.expectations import mutations_of
from sdkbench.test_harness.rust.project import RustProject, doubts, read
from sdkbench.test_harness.session import Records

PROGRAMS = "debug"  # where cargo leaves programs, below the folder that leaves the sandbox
NO_PROGRAM = "the solution has no program: neither src/main.rs, nor src/bin, nor a [[bin]]"


class RustTestRunner(LanguageRunner[RustProject]):
    name = "rust"
    language = Language.RUST
    framework = TestFramework.CARGO_TEST
    manifests = ("Cargo.toml",)
    configs = ("Cargo.lock",)
    compiler = "cargo build"
    compiles_program = True
    read = staticmethod(read)
    mutations_of = staticmethod(mutations_of)

    def surroundings(self, environment: Environment) -> Surroundings:
        tools = toolchain()
        env = {"CARGO_HOME": str(environment.path / CARGO_HOME), "CARGO_NET_OFFLINE": "true"}
        return Surroundings(tools.mounts, env, (tools.sysroot / "bin",))

    def dependencies(self) -> list[str]:
        packages = self.known.manifests.packages
        return [name for p in packages for name in (*p.dependencies, *p.dev_dependencies)]

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
        with contextlib.ExitStack() as stack:
            out = self.program_folder or Path(
                stack.enter_context(tempfile.TemporaryDirectory(prefix="sdkbench-programs-"))
            )
            completed, records = session.build_session(
                project, environment, out, harness, self.limits, run_tests=run_tests
            )
            if run_tests and session.built_programs(records) is not None:
                limits = self.limits_after(completed)
                completed, tested = session.test_session(
                    project, environment, records, out, harness, limits
                )
                records = Records(records.items + tested.items, records.faults + tested.faults)
        reasons = doubts(project)
        noted = completed.model_copy(update={"notes": (*completed.notes, *reasons)})
        judge = functools.partial(case_evidence, doubts=reasons, tried=project.tried)
        examination = examined(project.given, noted, records, judge, run_tests=run_tests)
        if project.given.has_own_tests:
            refuse_lacks(examination.build.errors, lack_of_version)
        if self.program_folder is None or not examination.build.success:
            return examination
        main = session.main_program(project)
        if main is not None and (self.program_folder / PROGRAMS / main).is_file():
            return examination
        build = BuildResult(success=False, errors=[NO_PROGRAM])
        return examination.model_copy(update={"build": build})

    def program(self, box: BlackBox) -> AbstractContextManager[Program]:
        """Every program of the package goes by its name, its main one by `{program}` too."""
        folder = self.built_into() / PROGRAMS
        main = session.main_program(read(self.project))
        return contextlib.nullcontext(compiled_program(self.project, box, folder, main))
