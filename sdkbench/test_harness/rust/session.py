"""How a Rust project is built and tested: our manifests around a solution, or its own.

Two sandboxes: one builds, and when it is gone another runs what was built.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sdkbench.core import Placement, Project
from sdkbench.environments import Environment
from sdkbench.sandbox import Completed, Level, Limits, Mount
from sdkbench.sandbox.command import GIB, WORKSPACE
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.rust.environment import (
    RustRequest,
    Toolchain,
    cargo_settings,
    harness_library,
    toolchain,
    wrappers,
)
from sdkbench.test_harness.rust.manifest import Package
from sdkbench.test_harness.rust.our_manifests import (
    judged_manifest,
    skeleton,
    tests_manifest,
    workspace_manifest,
)
from sdkbench.test_harness.rust.own import own_skeleton
from sdkbench.test_harness.rust.project import (
    TEST_DEPENDENCIES,
    RustProject,
    is_library,
    judged_package,
    programs,
)
from sdkbench.test_harness.session import (
    Boot,
    Built,
    Case,
    Order,
    Record,
    Records,
    RunError,
    boot_words,
    run_session,
)

BUILD_BOOT = "rust.build"
TEST_BOOT = "rust.tests"
TESTS_PACKAGE = "sdkbench-tests"
TEST_TARGET = "sdkbench_test_"  # and a number: no crate of a solution may have such a name
BUILD_OWN = ("test", "--no-run", "--offline")
BUILD_SAMPLE = ("build", "--workspace", "--all-targets", "--offline")
BUILD_PROGRAM = ("build", "--workspace", "--offline")  # of a solution that is called from outside
DOC_TESTS = ("test", "--doc", "--offline", "--no-fail-fast")
BUILD_DISK = 4 * GIB  # compiled code is large, linked or not
ALIAS = "expected"  # what a sample's tests call the solution, whatever it calls itself


class RustBuildOrder(Order):
    """inside/rust/build.py says what its fields mean."""

    files: dict[str, str]
    environment: str
    linked: bool
    build: tuple[str, ...]
    inside: str | None  # the folder that a solution must be compiled from alone
    programs: dict[str, str]  # name that the tests know → program of the solution
    env: dict[str, str]
    out: str
    doc_tests: tuple[str, ...]


class RustTestProgram(BaseModel):
    file: str
    source: str
    bare: bool
    cwd: str
    env: dict[str, str]


class RustTestOrder(Order):
    """inside/rust/tests.py says what its fields mean."""

    out: str
    programs: tuple[RustTestProgram, ...]
    failed_before: bool
    environment: str


class BuiltProgram(BaseModel):
    """A test program: below the folder that left the sandbox, and what it was made from."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    file: str
    name: str
    source: str
    folder: str


class Programs(Record):
    """The test programs of a good build."""

    kind: Literal["programs"]
    programs: tuple[BuiltProgram, ...]


def request(project: RustProject) -> RustRequest:
    """The dependencies of all that will be built together."""
    manifests = project.manifests
    if project.given.has_own_tests:
        return RustRequest(own_skeleton(project.given.solution.source), manifests.lock, own=True)
    packages = [_bare(package) for package in manifests.packages]
    if len(packages) == 1:  # solutions that differ in their name alone share an environment
        packages = [packages[0]._replace(name="solution", version="0.0.0", edition="2021")]
    tests = Package(
        folder=TESTS_PACKAGE, name=TESTS_PACKAGE, edition="2021", dependencies=project.dependencies
    )
    return RustRequest(skeleton([*packages, tests], _resolver(project), {}), manifests.lock)


def _sample_order(project: RustProject, lock: str) -> dict[str, Any]:
    """The part of an order that lays our manifests around a solution."""
    home = Path(project.given.solution.target)
    packages = project.manifests.packages
    members = [(home / package.folder).as_posix() for package in packages]
    targets = {
        f"{TEST_TARGET}{number}": f"../{placed.target}"
        for number, placed in enumerate(project.test_files)
    }
    files = {
        "Cargo.toml": workspace_manifest([*members, TESTS_PACKAGE], _resolver(project)),
        "Cargo.lock": lock,
        f"{TESTS_PACKAGE}/Cargo.toml": tests_manifest(
            _with_solution(project, home) if targets else project.dependencies,
            targets,
            project.edition,
        ),
    }
    if not targets:  # of a solution that is only called from outside
        files[f"{TESTS_PACKAGE}/src/lib.rs"] = ""
    for member, package in zip(members, packages, strict=True):
        library = is_library(package, project.given.solution.source)
        files[f"{member}/Cargo.toml"] = judged_manifest(package, has_library=library)
    return {"files": files, "inside": home.as_posix(), "programs": _programs(project)}


def build_session(
    project: RustProject,
    environment: Environment,
    out: Path,
    harness: Harness,
    limits: Limits,
    *,
    run_tests: bool,
) -> tuple[Completed, Records]:
    """Build, and have the programs in the folder `out`, which is ours."""
    tools = toolchain()
    library = harness_library(tools, harness.cache, harness.sandbox)
    lock = (environment.path / "Cargo.lock").read_text(encoding="utf-8")
    own = project.given.has_own_tests
    bare: dict[str, Any] = {"files": {"Cargo.lock": lock}, "inside": None, "programs": {}}
    doc_tests = own and run_tests and project.has_library and not project.given.tests
    order = RustBuildOrder(
        **(bare if own else _sample_order(project, lock)),
        environment=str(environment.path),
        linked=harness.sandbox.level is Level.BUBBLEWRAP,
        build=(str(tools.cargo), *_build_words(project)),
        env={**cargo_settings(tools), **wrappers(tools, library)},
        out=str(out),
        doc_tests=(str(tools.cargo), *DOC_TESTS) if doc_tests else (),
    )
    boot = Boot(
        argv=boot_words(BUILD_BOOT),
        mounts=(
            *tools.mounts,
            Mount(path=environment.path),
            Mount(path=library.path),
            Mount(path=out, writable=True),
        ),
        env={} if own else {"CI": "true"},
        search_path=(tools.sysroot / "bin",),
        own_records=(Programs,),
    )
    roomy = limits.model_copy(update={"disk_bytes": BUILD_DISK})
    with harness.cache.in_use(environment), harness.cache.in_use(library):
        return run_session(harness.sandbox, boot, _placements(project.given), order, roomy)


def _build_words(project: RustProject) -> tuple[str, ...]:
    if project.given.has_own_tests:
        return BUILD_OWN
    return BUILD_SAMPLE if project.test_files else BUILD_PROGRAM


def test_session(
    project: RustProject,
    environment: Environment,
    built: Records,
    out: Path,
    harness: Harness,
    limits: Limits,
) -> tuple[Completed, Records]:
    """Run the tests of the programs in `out`; `built` are the records of the build."""
    failed = any(built.of(RunError)) or any(c.status == "failed" for c in built.of(Case))
    own, tools = project.given.has_own_tests, toolchain()
    order = RustTestOrder(
        out=str(out),
        programs=tuple(
            _described(program, project)
            for program in built_programs(built) or ()
            if _asked_for(program, project.given)
        ),
        failed_before=failed,
        environment=str(environment.path) if own else "",
    )
    # Own tests may look at /proc, and call cargo. In a sample's, the descriptor of the verdict and
    # the memory of the process would be files there, which safe code can open.
    boot = Boot(
        argv=boot_words(TEST_BOOT),
        mounts=(Mount(path=out), *((*tools.mounts, Mount(path=environment.path)) if own else ())),
        env=_cargo_for_tests(tools) if own else {"CI": "true"},
        search_path=(tools.sysroot / "bin",) if own else (),
        process_files=own,
    )
    with harness.cache.in_use(environment), _for_running(project.given, out) as placements:
        return run_session(harness.sandbox, boot, placements, order, limits)


def _cargo_for_tests(tools: Toolchain) -> dict[str, str]:
    """What cargo sets for all tests that it runs."""
    return {
        "CARGO": str(tools.cargo),
        "CARGO_NET_OFFLINE": "true",
        "LD_LIBRARY_PATH": str(tools.sysroot / "lib"),
    }


def built_programs(records: Records) -> tuple[BuiltProgram, ...] | None:
    """The test programs that were built; None if the build failed or never finished."""
    if any(built.errors for built in records.of(Built)):
        return None
    return next((record.programs for record in records.of(Programs)), None)


def _asked_for(program: BuiltProgram, project: Project) -> bool:
    if not project.has_own_tests or not project.tests:
        return True
    return any(Path(program.source).is_relative_to(test) for test in project.tests)


def _described(program: BuiltProgram, project: RustProject) -> RustTestProgram:
    """A sample's tests run at the workspace's top."""
    number = program.name.removeprefix(TEST_TARGET)
    ours = number != program.name and number.isdigit()
    own = project.given.has_own_tests
    packages = project.manifests.packages
    return RustTestProgram(
        file=program.file,
        source=project.test_files[int(number)].target if ours else program.source,
        bare=own and any(program.name in package.unharnessed for package in packages),
        cwd=program.folder if own else ".",
        env=_variables(program, packages) if own else {"CARGO_MANIFEST_DIR": WORKSPACE},
    )


def _variables(program: BuiltProgram, packages: Sequence[Package]) -> dict[str, str]:
    """What cargo sets for the tests of one package."""
    folder = PurePosixPath(program.folder)
    known = {PurePosixPath(package.folder): package for package in packages}
    package = known.get(folder)
    names = (
        {"CARGO_PKG_NAME": package.name, "CARGO_PKG_VERSION": package.version} if package else {}
    )
    return {"CARGO_MANIFEST_DIR": str(PurePosixPath(WORKSPACE) / folder), **names}


def _placements(project: Project) -> tuple[Placement, ...]:
    """All but the tests' own list of dependencies, where it stands in the way of our manifest."""
    return tuple(p for p in project.placements if p.target != TEST_DEPENDENCIES)


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


def _with_solution(project: RustProject, home: Path) -> dict[str, dict[str, Any]]:
    package = judged_package(project.manifests)
    if package is None:
        return dict(project.dependencies)
    path = (Path("..") / home / package.folder).as_posix()
    return {**project.dependencies, ALIAS: {"path": path, "package": package.name}}


def _programs(project: RustProject) -> dict[str, str]:
    package = judged_package(project.manifests)
    names = programs(package, project.given.solution.source) if package else []
    main = main_program(project)
    return {**{name: name for name in names}, **({ALIAS: main} if main else {})}


def main_program(project: RustProject) -> str | None:
    """The only one of the judged package, or the one named as the package."""
    package = judged_package(project.manifests)
    names = programs(package, project.given.solution.source) if package else []
    return package.name if package and package.name in names else next(iter(names), None)


def _bare(package: Package) -> Package:
    """Without what is not built of a solution."""
    return package._replace(
        dev_dependencies={},
        build_dependencies={},
        targets={
            platform: {name: t if name == "dependencies" else {} for name, t in sections.items()}
            for platform, sections in package.targets.items()
        },
        lib={},
        bins=(),
    )


def _resolver(project: RustProject) -> str:
    # The first would mix features of what is built for the compiler with those of the program.
    return max(project.manifests.resolver or "2", "2")
