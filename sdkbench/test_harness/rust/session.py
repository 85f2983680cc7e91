"""How a Rust project is laid out for building: our manifests around a solution, or its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.core import Project
from sdkbench.test_harness.rust import project as reading
from sdkbench.test_harness.rust.environment import RustRequest
from sdkbench.test_harness.rust.manifest import Package
from sdkbench.test_harness.rust.render import (
    judged_manifest,
    skeleton,
    tests_manifest,
    workspace_manifest,
)

TESTS_PACKAGE = "sdkbench-tests"
TEST_TARGET = "sdkbench_test_"  # and a number: no crate of a solution may have such a name
BUILD_OWN = ("test", "--no-run", "--workspace", "--offline")
BUILD_SAMPLE = ("build", "--workspace", "--all-targets", "--offline")
ALIAS = "expected"  # what a sample's tests call the solution, whatever it calls itself


class Layout(NamedTuple):
    """Files to write into the workspace, and what cargo is asked to build there."""

    files: Mapping[str, str]
    words: tuple[str, ...]  # of cargo
    inside: str | None  # the folder that a solution must be compiled from alone
    programs: Mapping[str, str]  # name that the tests know → program of the solution


def request(project: Project, found: reading.Reading) -> RustRequest:
    """The dependencies of all that will be built together."""
    manifests = found.manifests
    if project.has_own_tests:
        files = skeleton(manifests.packages, manifests.resolver, manifests.profile)
        return RustRequest(files, manifests.lock)
    packages = [_bare(package) for package in manifests.packages]
    if len(packages) == 1:  # solutions that differ in their name alone share an environment
        packages = [packages[0]._replace(name="solution", version="0.0.0", edition="2021")]
    tests = Package(
        folder=TESTS_PACKAGE, name=TESTS_PACKAGE, edition="2021", dependencies=found.dependencies
    )
    return RustRequest(skeleton([*packages, tests], _resolver(found), {}), manifests.lock)


def layout(project: Project, found: reading.Reading, lock: str) -> Layout:
    if project.has_own_tests:
        return Layout({"Cargo.lock": lock}, BUILD_OWN, None, {})
    home = Path(project.solution.target)
    packages = found.manifests.packages
    members = [(home / package.folder).as_posix() for package in packages]
    files = {
        "Cargo.toml": workspace_manifest([*members, TESTS_PACKAGE], _resolver(found)),
        "Cargo.lock": lock,
        f"{TESTS_PACKAGE}/Cargo.toml": tests_manifest(
            _with_solution(found, home), _targets(found), found.edition
        ),
    }
    for member, package in zip(members, packages, strict=True):
        files[f"{member}/Cargo.toml"] = judged_manifest(package)
    return Layout(files, BUILD_SAMPLE, home.as_posix(), _programs(project, found))


def source_of(program: str, found: reading.Reading) -> str | None:
    """The test file behind one of our test targets; None for any other name."""
    number = program.removeprefix(TEST_TARGET)
    if number == program or not number.isdigit():
        return None
    return found.test_files[int(number)].target


def _targets(found: reading.Reading) -> dict[str, str]:
    files = enumerate(found.test_files)
    return {f"{TEST_TARGET}{number}": f"../{placed.target}" for number, placed in files}


def _with_solution(found: reading.Reading, home: Path) -> dict[str, dict[str, Any]]:
    package = reading.judged_package(found.manifests)
    if package is None:
        return dict(found.dependencies)
    path = (Path("..") / home / package.folder).as_posix()
    return {**found.dependencies, ALIAS: {"path": path, "package": package.name}}


def _programs(project: Project, found: reading.Reading) -> dict[str, str]:
    package = reading.judged_package(found.manifests)
    names = reading.programs(package, project.solution.source) if package else []
    # The alias stands for the program where there is but one, or for the one named as the package.
    main = package.name if package and package.name in names else (names or [""])[0]
    return {**{name: name for name in names}, **({ALIAS: main} if main else {})}


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


def _resolver(found: reading.Reading) -> str:
    # The first would mix features of what is built for the compiler with those of the program.
    return max(found.manifests.resolver or "2", "2")
