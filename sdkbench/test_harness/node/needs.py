"""What a JavaScript or TypeScript project needs installed, with the tools it forgot."""

import json
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Project
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.node.environment import NodeRequest
from sdkbench.test_harness.node.manifest import LOCKS, PackageJson, read_package_json
from sdkbench.test_harness.node.project import PACKAGE_OF, Reading
from sdkbench.test_harness.source_files import text_of

# Pinned, so that a verdict does not hang on the day it was made; all run on Node 20.
TOOLS = {
    "jest": "30.2.0",
    "@jest/globals": "30.2.0",
    "jest-environment-jsdom": "30.2.0",
    "@swc/jest": "0.2.39",
    "@swc/core": "1.15.8",
    "vitest": "3.2.7",
    "jsdom": "26.1.0",
    "mocha": "11.7.5",
    "tsx": "4.21.0",
    "typescript": "5.9.3",
    "@types/node": "20.19.43",
    "@types/react": "19.2.7",
    "@types/react-dom": "19.2.3",
    "@types/jest": "30.0.0",
    "@types/mocha": "10.0.10",
    # Only where the tests import them and nobody declares them.
    "chai": "6.2.1",
    "@testing-library/react": "16.3.3",
    "@testing-library/dom": "10.4.2",
    "@testing-library/jest-dom": "6.9.1",
    "@testing-library/user-event": "14.6.9",
    "supertest": "7.1.4",
    "sinon": "21.0.0",
}


MAX_MEMBERS = 200
VITEST_COVERAGE = "@vitest/coverage-v8"


class Needs(NamedTuple):
    """What to install, what was added to the solution's wishes, and what was refused."""

    request: NodeRequest
    completed_with: tuple[str, ...]
    refused: tuple[str, ...]


def needs(project: Project, reading: Reading, *, with_coverage: bool = False) -> Needs:
    """The solution's dependencies, completed by what the tests need to run at all."""
    solution = project.solution.source
    package = reading.package
    dependencies = dict(package.all_dependencies)
    added: list[str] = []
    if not project.has_own_tests:
        # Which tools judge is the sample's business, whatever the solution would like.
        dependencies = {name: spec for name, spec in dependencies.items() if name not in TOOLS}
        for name, spec in _reference_packages(project, reading):
            if name not in dependencies and name not in TOOLS:
                dependencies[name] = spec
                added.append(f"{name}@{spec} (the tests import it, and the reference declares it)")
    for name, spec in reading.tests_package.all_dependencies.items():
        # The solution's own dependencies stay; its wishes for tools give way to the sample's.
        if (name in TOOLS or name not in package.dependencies) and dependencies.get(name) != spec:
            dependencies[name] = spec
            added.append(f"{name}@{spec} (the sample's tests)")
    for name, reason in _missing_tools(reading, dependencies):
        dependencies[name] = TOOLS[name]
        added.append(f"{name}@{TOOLS[name]} ({reason})")
    if with_coverage and reading.framework is TestFramework.VITEST:
        dependencies[VITEST_COVERAGE] = dependencies["vitest"]  # must be of the same version
    lock = next((name for name in LOCKS if (solution / name).is_file()), None)
    if lock and not reading.has_manifest:
        lock = None
    members = _members(solution, package.workspaces)
    request = NodeRequest(
        dependencies=dependencies,
        overrides=package.overrides,
        workspaces=package.workspaces,
        manifests=members.manifests,
        lock_name=lock,
        lock_text=text_of(solution / lock) if lock else "",
        install_scripts=project.permissions.install_scripts,
    )
    return Needs(request, tuple(added), package.refused + members.refused)


def _reference_packages(project: Project, reading: Reading) -> list[tuple[str, str]]:
    """Packages that the tests import and the starter or the reference declares."""
    declared: dict[str, str] = {}
    for folder in project.manifest_fallbacks:
        manifest = read_package_json(folder)
        declared |= manifest.all_dependencies if manifest else {}
    return sorted((name, spec) for name, spec in declared.items() if name in reading.imports)


def _missing_tools(reading: Reading, have: dict[str, str]) -> list[tuple[str, str]]:
    """Tools nobody declares, each with the reason why it is brought along."""
    wanted = [*_framework_tools(reading), *_type_check_tools(reading, have)]
    wanted += [(name, "the tests import it") for name in sorted(reading.imports) if name in TOOLS]
    missing = {name: reason for name, reason in reversed(wanted) if name not in have}
    return sorted(missing.items())


def _framework_tools(reading: Reading) -> list[tuple[str, str]]:
    framework = reading.framework
    wanted = [(PACKAGE_OF[framework], "test framework")] if framework in PACKAGE_OF else []
    if framework is TestFramework.JEST:
        if reading.trusted_config is None and not reading.tests_package.jest:
            wanted += [("@swc/jest", "TypeScript and JSX"), ("@swc/core", "TypeScript and JSX")]
        if reading.jsdom:
            wanted.append(("jest-environment-jsdom", "the tests need a browser's document"))
    elif framework is TestFramework.VITEST and reading.jsdom:
        wanted.append(("jsdom", "the tests need a browser's document"))
    elif framework in {TestFramework.MOCHA, TestFramework.NODE_TEST} and reading.typed:
        wanted.append(("tsx", "TypeScript in tests"))
    return wanted


def _type_check_tools(reading: Reading, have: dict[str, str]) -> list[tuple[str, str]]:
    if not reading.has_tsconfig:
        return []
    names = ["typescript", "@types/node"]
    names += [f"@types/{name}" for name in ("react", "react-dom") if name in have]
    if reading.tests_are_checked and f"@types/{reading.framework.value}" in TOOLS:
        names.append(f"@types/{reading.framework.value}")
    return [(name, "type check") for name in names]


class Members(NamedTuple):
    """The manifests of a workspace's members, reduced to what was checked."""

    manifests: dict[str, str]
    refused: tuple[str, ...]


def _members(solution: Path, patterns: tuple[str, ...]) -> Members:
    found: dict[str, str] = {}
    refused: list[str] = []
    for pattern in patterns:
        try:
            folders = sorted(solution.glob(pattern.removeprefix("./").rstrip("/")))
        except (ValueError, NotImplementedError) as error:
            refused.append(f"package.json: workspaces: {pattern!r}: {error}")
            continue
        for folder in folders[:MAX_MEMBERS]:
            package = read_package_json(folder) if _is_inside(folder, solution) else None
            if package is not None:
                name = (folder.relative_to(solution) / "package.json").as_posix()
                refused += [f"{name}: {sentence}" for sentence in package.refused]
                found[name] = _manifest(package, folder)
    return Members(found, tuple(refused))


def _is_inside(folder: Path, solution: Path) -> bool:
    return folder.is_dir() and folder.resolve().is_relative_to(solution.resolve())


def _manifest(package: PackageJson, folder: Path) -> str:
    return json.dumps(
        {
            "name": package.name or folder.name,
            "version": package.version or "0.0.0",
            "dependencies": package.dependencies,
            "devDependencies": package.dev_dependencies,
        }
    )
