"""RustTestRunner: cargo projects and workspaces, one process for each test."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sdkbench.core import Placement, Project, tree
from sdkbench.sandbox import Completed, Level, Limits, Mount
from sdkbench.sandbox.command import GIB, WORKSPACE
from sdkbench.test_harness.evidence import Examination
from sdkbench.test_harness.examination import case_evidence, examined
from sdkbench.test_harness.models import (
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
)
from sdkbench.test_harness.mutations import Mutation, mutations_in
from sdkbench.test_harness.protocol import Built, Case, Record, Records, RunError
from sdkbench.test_harness.runner import BaseTestRunner
from sdkbench.test_harness.rust import project as reading
from sdkbench.test_harness.rust import session as rust_layout
from sdkbench.test_harness.rust.environment import cargo_settings, provide
from sdkbench.test_harness.rust.expectations import mutations_of
from sdkbench.test_harness.rust.harness import harness_library, wrappers
from sdkbench.test_harness.rust.toolchain import Toolchain, toolchain
from sdkbench.test_harness.session import Boot, boot_words, run_session

BUILD_BOOT = "rust.build"
TEST_BOOT = "rust.tests"
MARKERS = ("Cargo.toml", "Cargo.lock")
BUILD_DISK = 4 * GIB  # compiled code is large, linked or not
LEAST_SECONDS = 1.0  # for the tests, however long the build took


class BuiltProgram(BaseModel):
    """A test program: its file below what the build handed out, and what it was made from."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    file: str
    name: str
    source: str
    folder: str


class Programs(Record):
    """The test programs of a good build."""

    kind: Literal["programs"]
    programs: tuple[BuiltProgram, ...]


class RustTestRunner(BaseTestRunner):
    __test__ = False
    name = "rust"

    _read: tuple[Project, reading.Reading] | None = None

    def get_language(self) -> Language:
        return Language.RUST

    def get_framework(self) -> TestFramework:
        return TestFramework.CARGO_TEST

    def detect(self) -> RunnerDetectionResult:
        project = self.readable_project
        root = project.solution.source
        markers = [name for name in MARKERS if (root / name).is_file()]
        source = next((p for p in tree.files(root) if p.suffix == ".rs"), None)
        tests = list(self._reading().test_files) if markers or source or project.trusted else []
        confidence = 0.5 * bool(tests) + 0.1 * (source is not None)
        confidence += 0.3 * ("Cargo.toml" in markers) + 0.1 * ("Cargo.lock" in markers)
        markers += [placed.target for placed in tests[:5]]
        if source is not None and not tests:
            markers.append(source.relative_to(root).as_posix())
        return RunnerDetectionResult.of(
            confidence, markers, Language.RUST, TestFramework.CARGO_TEST
        )

    def install_dependencies(self) -> DependencyInstallResult:
        toolchain()  # the first thing to be missed, whatever the manifest says
        found = self._reading()
        if found.refused:
            return DependencyInstallResult.refused(found.refused)
        harness = self.harness
        asked = rust_layout.request(self.project, found)
        provision = provide(asked, harness.cache, harness.sandbox, install=harness.install)
        self._environment = provision.environment
        return DependencyInstallResult.of(provision, found.remarks)

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        """Two sandboxes: one builds, and when it is gone another runs what was built.

        There are no tests without a build, so `run_build` changes nothing.
        """
        del run_build
        project = self.project_for(test_dir)
        found = self._reading() if test_dir is None else reading.read(project)
        with tempfile.TemporaryDirectory(prefix="sdkbench-programs-") as name:
            out = Path(name)
            completed, built = self._build_session(project, found, out, run_tests=run_tests)
            programs = _programs(built)
            if programs is None or not run_tests:
                return examined(project, completed, built, case_evidence, run_tests=run_tests)
            wanted = [_described(p, project, found) for p in programs if _asked_for(p, project)]
            left = max(LEAST_SECONDS, self.timeout - completed.duration_seconds)
            limits = self.limits.model_copy(update={"wall_seconds": left})
            failed = any(built.of(RunError)) or any(c.status == "failed" for c in built.of(Case))
            order = {"out": str(out), "programs": wanted, "failed_before": failed}
            with _for_running(project, out) as placements:
                completed, tested = self._test_session(project, placements, order, out, limits)
        whole = Records(built.items + tested.items, built.faults + tested.faults)
        return examined(project, completed, whole, case_evidence, run_tests=True)

    def quick_check(self) -> QuickCheck:
        found = self._reading()
        return QuickCheck(
            language=Language.RUST,
            framework=TestFramework.CARGO_TEST,
            has_manifest=found.has_manifest,
            has_tests=bool(found.test_files),
            problems=list(found.refused),
        )

    def mutations(self) -> tuple[Mutation, ...]:
        if self.readable_project.has_own_tests:
            return ()
        return mutations_in(self._reading().test_files, mutations_of)

    def _reading(self) -> reading.Reading:
        project = self.readable_project
        if self._read is None or self._read[0] != project:  # other tests, say
            self._read = (project, reading.read(project))
        return self._read[1]

    def _build_session(
        self, project: Project, found: reading.Reading, out: Path, *, run_tests: bool
    ) -> tuple[Completed, Records]:
        environment = self.provided()
        tools, harness = toolchain(), self.harness
        library = harness_library(tools, harness.cache, harness.sandbox)
        lock = (environment.path / "Cargo.lock").read_text(encoding="utf-8")
        laid = rust_layout.layout(project, found, lock)
        cargo = str(tools.cargo)
        doc_tests = run_tests and found.has_doc_tests and not project.tests
        order = {
            "files": dict(laid.files),
            "environment": str(environment.path),
            "linked": harness.sandbox.level is Level.BUBBLEWRAP,
            "build": [cargo, *laid.words],
            "inside": laid.inside,
            "programs": dict(laid.programs),
            "env": {**cargo_settings(tools), **wrappers(tools, library)},
            "out": str(out),
            "doc_tests": [cargo, "test", "--doc", "--workspace", "--offline", "--no-fail-fast"]
            if doc_tests
            else [],
        }
        mounts = (
            *tools.mounts,
            Mount(path=environment.path),
            Mount(path=library.path),
            Mount(path=out, writable=True),
        )
        limits = self.limits.model_copy(update={"disk_bytes": BUILD_DISK})
        boot = _boot(BUILD_BOOT, mounts, tools)
        with harness.cache.in_use(environment), harness.cache.in_use(library):
            return run_session(harness.sandbox, boot, _placements(project), order, limits)

    def _test_session(
        self,
        project: Project,
        placements: tuple[Placement, ...],
        order: dict[str, Any],
        out: Path,
        limits: Limits,
    ) -> tuple[Completed, Records]:
        # Own tests may look at /proc. In a sample's, the descriptor of the verdict and the memory
        # of the process would be files there, which safe code can open.
        boot = _boot(TEST_BOOT, (Mount(path=out),))
        boot = boot._replace(process_files=project.has_own_tests)
        return run_session(self.harness.sandbox, boot, placements, order, limits)


def _boot(program: str, mounts: Sequence[Mount], tools: Toolchain | None = None) -> Boot:
    return Boot(
        argv=boot_words(program),
        mounts=tuple(mounts),
        env={"CI": "true"},
        search_path=(tools.sysroot / "bin",) if tools else (),
        own_records=(Programs,),
    )


def _placements(project: Project) -> tuple[Placement, ...]:
    """All but the tests' own list of dependencies, where it stands in the way of our manifest."""
    return tuple(p for p in project.placements if p.target != reading.TEST_DEPENDENCIES)


@contextlib.contextmanager
def _for_running(project: Project, out: Path) -> Iterator[tuple[Placement, ...]]:
    """What stands in the workspace while tests run.

    What a sample's tests expect is not for the solution to read: neither their sources, which are
    no longer needed, nor the programs, which can be run all the same.
    """
    if project.has_own_tests:
        yield _placements(project)
        return
    for program in out.rglob("*"):
        if program.is_file():
            program.chmod(0o111)
    with tempfile.TemporaryDirectory(prefix="sdkbench-fixtures-") as name:
        placements = [project.solution]
        for number, placement in enumerate(_placements(project)[1:]):
            if placement.source.is_file():
                placements += [placement] if placement.source.suffix != ".rs" else []
                continue
            copy = Path(name) / str(number)
            shutil.copytree(placement.source, copy, ignore=shutil.ignore_patterns("*.rs"))
            placements.append(placement.model_copy(update={"source": copy}))
        yield tuple(placements)


def _programs(records: Records) -> tuple[BuiltProgram, ...] | None:
    """The test programs that were built; None if the build failed or never finished."""
    if any(built.errors for built in records.of(Built)):
        return None
    return next((record.programs for record in records.of(Programs)), None)


def _asked_for(program: BuiltProgram, project: Project) -> bool:
    if not project.has_own_tests or not project.tests:
        return True
    wanted = [Path(test) for test in project.tests]
    return any(Path(program.source).is_relative_to(test) for test in wanted)


def _described(program: BuiltProgram, project: Project, found: reading.Reading) -> dict[str, Any]:
    """A program as the second boot script wants it. A sample's tests run at the workspace's top."""
    source = rust_layout.source_of(program.name, found) or program.source
    own = project.has_own_tests
    bare = own and any(program.name in package.unharnessed for package in found.manifests.packages)
    return {
        "file": program.file,
        "source": source,
        "bare": bare,
        "cwd": program.folder if own else ".",
        "env": {"CARGO_MANIFEST_DIR": f"{WORKSPACE}/{program.folder}" if own else WORKSPACE},
    }
