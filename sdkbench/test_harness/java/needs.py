"""What a Java project needs on its class path, with the tools it forgot."""

from typing import NamedTuple

from sdkbench.core import Project
from sdkbench.test_harness.java.environment import JavaRequest
from sdkbench.test_harness.java.manifest import Coordinates, Dependency, Pom, read_pom
from sdkbench.test_harness.java.project import Reading
from sdkbench.test_harness.java.tools import JUNIT, LAUNCHER

JUPITER = Coordinates("org.junit.jupiter", "junit-jupiter")
VINTAGE = Coordinates("org.junit.vintage", "junit-vintage-engine")
BOM = Coordinates("org.junit", "junit-bom")
# Who runs the tests: on the module path, out of reach of the solution, whatever it would like.
FRAMEWORK_GROUPS = ("org.junit", "junit", "org.opentest4j", "org.apiguardian", "org.hamcrest")


class Needs(NamedTuple):
    """What to install, what was added to the solution's wishes, and what was refused."""

    request: JavaRequest
    completed_with: tuple[str, ...]
    refused: tuple[str, ...]


def is_framework(name: Coordinates) -> bool:
    return name.group in FRAMEWORK_GROUPS or name.group.startswith("org.junit.")


def needs(project: Project, reading: Reading) -> Needs:
    """The solution's dependencies, completed by what the tests need to run at all."""
    version = _junit_version(project, reading)
    managed = [Dependency(BOM, version, "import", "pom"), *_managed(project, reading)]
    chosen: dict[Coordinates, Dependency] = {}
    added: list[str] = []
    engines = [JUPITER, LAUNCHER, *([VINTAGE] if reading.uses_junit4 else [])]
    for name in engines:
        chosen[name] = Dependency(name, scope="test")
    added.append(f"JUnit {version} (test framework)")
    for pom, why in _trusted_poms(project, reading):
        for wanted in _usable(pom):
            if wanted.scope == "test" and wanted.name not in chosen:
                chosen[wanted.name] = wanted
                added.append(f"{wanted.name}:{wanted.version} ({why})")
    for wanted in _usable(reading.pom):
        own = wanted.scope != "test" or project.has_own_tests
        if own and wanted.name not in chosen:
            chosen[wanted.name] = wanted
    for pom, why in _trusted_poms(project, reading):
        for wanted in _usable(pom):
            if wanted.name not in chosen:
                chosen[wanted.name] = wanted
                added.append(f"{wanted.name}:{wanted.version} ({why})")
    request = JavaRequest(tuple(chosen.values()), tuple(managed))
    return Needs(request, tuple(added), reading.pom.refused)


def _trusted_poms(project: Project, reading: Reading) -> list[tuple[Pom, str]]:
    """The sample's own manifests: what its tests name first, then the reference's."""
    poms = [(reading.tests_pom, "the sample's tests")]
    for folder in reversed(project.manifest_fallbacks):
        found = read_pom(folder)
        if found is not None and not found.refused:
            poms.append((found, "the reference declares it"))
    return poms


def _usable(pom: Pom) -> list[Dependency]:
    return [d for d in pom.dependencies if not is_framework(d.name)]


def _managed(project: Project, reading: Reading) -> list[Dependency]:
    found: dict[Coordinates, Dependency] = {}
    for pom in (reading.tests_pom, reading.pom, *(p for p, _ in _trusted_poms(project, reading))):
        for wanted in pom.managed:
            if not is_framework(wanted.name):
                found.setdefault(wanted.name, wanted)
    return list(found.values())


def _junit_version(project: Project, reading: Reading) -> str:
    """The version of JUnit 5 that the sample (or the project itself) names, else ours."""
    poms = [pom for pom, _ in _trusted_poms(project, reading)]
    if project.has_own_tests:
        poms = [reading.pom]
    for pom in poms:
        for wanted in (*pom.managed, *pom.dependencies):
            if wanted.name.group in {JUPITER.group, BOM.group} and wanted.version:
                return wanted.version
    return JUNIT
