"""A Rust project as it is read: its packages, its tests and what these need."""

import dataclasses
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sdkbench.core import Project, tree
from sdkbench.test_harness.recognition import Placed, ReadProject, text_of
from sdkbench.test_harness.rust.manifest import Manifests, Package, read_manifests

TEST = re.compile(r"#\[(?:\w+::)*test\b")
TEST_DEPENDENCIES = "Cargo.toml"  # in a sample's tests/ or beside its samples: what the tests need
RESERVED = "sdkbench"
# Crates by which safe code does what only unsafe code can: call the system and the C library at
# will, fork, write to memory, run before main.
UNSAFE = frozenset({
    "ctor", "daemonize", "dlopen", "dlopen2", "fork", "inventory", "libc", "libffi",
    "libloading", "linkme", "linux-raw-sys", "memmap", "memmap2", "nix", "ptrace", "region",
    "rustix", "sc", "syscalls",
})  # fmt: skip


@dataclasses.dataclass(frozen=True, kw_only=True)
class RustProject(ReadProject):
    manifests: Manifests  # the solution's, or what stands in for them
    dependencies: Mapping[str, dict[str, Any]]  # of a sample's tests
    edition: str  # of a sample's tests
    has_library: bool  # whose documentation may hold tests
    remarks: tuple[str, ...]  # what was added or left out


def read(project: Project) -> RustProject:
    root = project.solution.source
    own = read_manifests(root, own=project.has_own_tests)
    manifests, remarks = own, []
    for fallback in project.manifest_fallbacks:
        if manifests is None:
            manifests = read_manifests(fallback)
            remarks = ["Cargo.toml: the sample's, for the solution has none"] if manifests else []
    manifests = manifests or Manifests(refused=("there is no Cargo.toml",))
    sources = Placed.below(root, (path for path in tree.files(root) if path.suffix == ".rs"))
    refused = list(manifests.refused)
    if not project.has_own_tests:
        refused += _refused_of_samples(manifests)
        remarks += [
            f"left out: {package.folder}/build.rs, which would run while building"
            for package in manifests.packages
            if package.has_build_script
        ]
    trusted = _trusted_packages(project) or manifests.packages[:1]
    return RustProject(
        given=project,
        manifests=manifests,
        has_manifest=own is not None,
        sources=sources,
        test_files=tuple(_test_files(project, sources)),
        dependencies=_test_dependencies(manifests, trusted),
        edition=trusted[-1].edition if trusted else "2021",
        has_library=any(is_library(package, root) for package in manifests.packages),
        refused=tuple(refused),
        remarks=tuple(remarks),
    )


def doubts(project: RustProject) -> tuple[str, ...]:
    """Crates of the solution's choice by which it could change the program that tests it. What the
    reference or the tests need too is no reason to doubt.
    """
    given = project.given
    if given.has_own_tests or not given.manifest_fallbacks:
        return ()
    used = {name for package in project.manifests.packages for name in _crates(package)}
    known = {name for package in _trusted_packages(given) for name in _crates(package)}
    return tuple(
        f"the solution depends on {name}, by which it could forge its own verdict"
        for name in sorted((used - known) & UNSAFE)
    )


def _crates(package: Package) -> Iterator[str]:
    """What it depends on, by the names under which that is published."""
    tables = [package.dependencies]
    tables += [sections.get("dependencies", {}) for sections in package.targets.values()]
    for table in tables:
        for name, spec in table.items():
            yield str(spec.get("package", name)).replace("_", "-")


def judged_package(manifests: Manifests) -> Package | None:
    """The one that a sample's tests see as `expected`: the root, else the first member."""
    at_root = [package for package in manifests.packages if package.folder == "."]
    return next(iter([*at_root, *manifests.packages]), None)


def programs(package: Package, folder: Path) -> list[str]:
    """Names of the package's programs, by cargo's own rules of where they stand."""
    named = [str(target["name"]) for target in package.bins if "name" in target]
    home = folder / package.folder / "src"
    named += [package.name] if (home / "main.rs").is_file() else []
    named += sorted(path.stem for path in home.glob("bin/*.rs"))
    named += sorted(path.parent.name for path in home.glob("bin/*/main.rs"))
    return list(dict.fromkeys(named))


def is_library(package: Package, root: Path) -> bool:
    path = package.lib.get("path", "src/lib.rs")
    return not package.is_macro and tree.is_file(root / package.folder / str(path))


def _refused_of_samples(manifests: Manifests) -> Iterator[str]:
    for package in manifests.packages:
        if package.is_macro:
            yield (
                f"{package.name} is a procedural macro, which would run inside the compiler; "
                "a solution may use published ones only"
            )
        names = [package.name, *(str(t.get("name", "")) for t in (package.lib, *package.bins))]
        if any(name.startswith(RESERVED) for name in names):
            yield f"{package.name}: names that begin with {RESERVED!r} are ours"


def _trusted_packages(project: Project) -> tuple[Package, ...]:
    """The reference, and the manifest that the tests bring, if they do."""
    folders = [*project.manifest_fallbacks[-1:]]
    for placement in project.trusted:
        if placement.target in {"tests", TEST_DEPENDENCIES}:
            folder = placement.source if placement.source.is_dir() else placement.source.parent
            folders.append(folder)
    manifests = [m for m in map(read_manifests, folders) if m is not None]
    return tuple(package for package in map(judged_package, manifests) if package is not None)


def _test_dependencies(
    manifests: Manifests, trusted: tuple[Package, ...]
) -> dict[str, dict[str, Any]]:
    """What the reference and the tests name, in the versions that the solution chose."""
    needed: dict[str, dict[str, Any]] = {}
    for package in trusted:
        for name, spec in {**package.dependencies, **package.dev_dependencies}.items():
            if "path" not in spec:
                needed[name] = {k: v for k, v in spec.items() if k != "optional"}
    judged = judged_package(manifests)
    for name, spec in (judged.dependencies if judged else {}).items():
        same = name in needed and needed[name].get("package") == spec.get("package")
        if same and "version" in spec:
            needed[name] = {**needed[name], "version": spec["version"]}
    return needed


def _test_files(project: Project, sources: tuple[Placed, ...]) -> Iterator[Placed]:
    """A sample's: as cargo finds them, tests/*.rs and tests/*/main.rs. Own: what holds a test."""
    if project.has_own_tests:
        yield from (placed for placed in sources if TEST.search(text_of(placed.source)))
        return
    for placement in project.trusted:
        if placement.target == "tests" and placement.source.is_dir():
            paths = [*placement.source.glob("*.rs"), *placement.source.glob("*/main.rs")]
            yield from Placed.below(placement.source, sorted(paths), placement.target)
