"""What a Java project needs on its class path: resolved once by Maven, then kept as jars."""

import functools
import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from sdkbench.environments import Cache, Environment, Provision, installation
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Sandbox
from sdkbench.test_harness.java import maven
from sdkbench.test_harness.java.manifest import Coordinates, Dependency, Pom, read_pom
from sdkbench.test_harness.java.project import JavaProject

LANGUAGE = "java"
RECIPE = "1"  # another one when environments are made in another way: old ones must not be found
INDEX = "jars.json"
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
JUNIT = "5.11.4"  # brought where the sample names none; JUnit 6 would want Java 17
LAUNCHER = Coordinates("org.junit.platform", "junit-platform-launcher")
JUPITER = Coordinates("org.junit.jupiter", "junit-jupiter")
VINTAGE = Coordinates("org.junit.vintage", "junit-vintage-engine")
BOM = Coordinates("org.junit", "junit-bom")
# Who runs the tests: on the module path, out of reach of the solution, whatever it would like.
FRAMEWORK_GROUPS = ("org.junit", "junit", "org.opentest4j", "org.apiguardian", "org.hamcrest")


class JavaRequest(NamedTuple):
    """What must be on the class path, and which versions others manage."""

    dependencies: tuple[Dependency, ...]
    managed: tuple[Dependency, ...] = ()


class Jar(NamedTuple):
    name: Coordinates
    version: str
    path: str  # below the repository; in an environment, below its `jars` folder
    sha256: str


def jars(environment: Environment) -> list[tuple[Jar, Path]]:
    """The class path in Maven's order, and where each jar is."""
    rows = json.loads((environment.path / INDEX).read_text(encoding="utf-8"))
    return [(jar, environment.path / "jars" / jar.path) for jar in _read(rows)]


class Needs(NamedTuple):
    """What to install, what was added to what the solution asks for, and what was refused."""

    request: JavaRequest
    completed_with: tuple[str, ...]
    refused: tuple[str, ...]


def is_framework(name: Coordinates) -> bool:
    return name.group in FRAMEWORK_GROUPS or name.group.startswith("org.junit.")


def needs(project: JavaProject) -> Needs:
    """The solution's dependencies, completed by what the tests need to run at all."""
    version = _junit_version(project)
    managed = [Dependency(BOM, version, "import", "pom"), *_managed(project)]
    chosen: dict[Coordinates, Dependency] = {}
    added: list[str] = []
    engines = [JUPITER, LAUNCHER, *([VINTAGE] if project.uses_junit4 else [])]
    for name in engines:
        chosen[name] = Dependency(name, scope="test")
    added.append(f"JUnit {version} (test framework)")
    for pom, why in _trusted_poms(project):
        for wanted in _usable(pom):
            if wanted.scope == "test" and wanted.name not in chosen:
                chosen[wanted.name] = wanted
                added.append(f"{wanted.name}:{wanted.version} ({why})")
    for wanted in _usable(project.pom):
        own = wanted.scope != "test" or project.given.has_own_tests
        if own and wanted.name not in chosen:
            chosen[wanted.name] = wanted
    for pom, why in _trusted_poms(project):
        for wanted in _usable(pom):
            if wanted.name not in chosen:
                chosen[wanted.name] = wanted
                added.append(f"{wanted.name}:{wanted.version} ({why})")
    request = JavaRequest(tuple(chosen.values()), tuple(managed))
    return Needs(request, tuple(added), project.pom.refused)


def _trusted_poms(project: JavaProject) -> list[tuple[Pom, str]]:
    """The sample's own manifests: what its tests name first, then the reference's."""
    poms = [(project.tests_pom, "the sample's tests")]
    for folder in reversed(project.given.manifest_fallbacks):
        pom = read_pom(folder)
        if pom is not None and not pom.refused:
            poms.append((pom, "the reference declares it"))
    return poms


def _usable(pom: Pom) -> list[Dependency]:
    return [d for d in pom.dependencies if not is_framework(d.name)]


def _managed(project: JavaProject) -> list[Dependency]:
    managed: dict[Coordinates, Dependency] = {}
    for pom in (project.tests_pom, project.pom, *(p for p, _ in _trusted_poms(project))):
        for wanted in pom.managed:
            if not is_framework(wanted.name):
                managed.setdefault(wanted.name, wanted)
    return list(managed.values())


def _junit_version(project: JavaProject) -> str:
    """The version of JUnit 5 that the sample (or the project itself) names, else ours."""
    poms = [pom for pom, _ in _trusted_poms(project)]
    if project.given.has_own_tests:
        poms = [project.pom]
    for pom in poms:
        for wanted in (*pom.managed, *pom.dependencies):
            if wanted.name.group in {JUPITER.group, BOM.group} and wanted.version:
                return wanted.version
    return JUNIT


def provide(
    request: JavaRequest, cache: Cache, sandbox: Sandbox, *, install: bool = True
) -> Provision:
    """The environment for `request`, or the reason why there can't be one."""
    return installation.provide(JavaRecipe(request, cache, sandbox), cache, install=install)


class JavaRecipe(NamedTuple):
    """How jars are had: Maven resolves a manifest of ours, and what it downloaded is copied."""

    request: JavaRequest
    cache: Cache
    sandbox: Sandbox
    language: str = LANGUAGE

    def question(self) -> tuple[str, ...]:
        # Profiles of published manifests may look at the JDK and the platform.
        return RECIPE, maven.jdk(self.sandbox).identity, json.dumps(self.request)

    def contents(self, lock: str) -> tuple[str, ...]:
        return RECIPE, maven.jdk(self.sandbox).identity, lock

    def resolve(self) -> str:
        """Exact jars with their digests: offline from earlier downloads, else from the registry."""
        store = self.cache.store(LANGUAGE)
        with tempfile.TemporaryDirectory(dir=store.parent, prefix="resolve-") as name:
            folder = Path(name)
            pom = generated_pom(self.request.dependencies, self.request.managed)
            (folder / "pom.xml").write_text(pom, encoding="utf-8")
            words = (f"{PLUGIN}:build-classpath", "-Dmdep.outputFile=classpath.txt")
            run = functools.partial(maven.run, words, folder, store, self.sandbox)
            # Two Mavens that download the same file at once would not wait for each other.
            with self.cache.lock(f"{LANGUAGE}-store"):
                done = installation.offline_first(run)
            if not done.ok:
                raise maven.explain(done, "resolve")
            paths = (folder / "classpath.txt").read_text(encoding="utf-8").strip().split(":")
        return json.dumps([_jar(Path(path), store) for path in paths if path.endswith(".jar")])

    def install(self, folder: Path, lock: str) -> tuple[str, ...]:
        store = self.cache.store(LANGUAGE)
        wanted = _read(json.loads(lock))
        if not all((store / jar.path).is_file() for jar in wanted):
            self.resolve()  # the downloads were thrown away; get them again
        for jar in wanted:
            target = folder / "jars" / jar.path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(store / jar.path, target)
            if hashlib.sha256(target.read_bytes()).hexdigest() != jar.sha256:
                raise EnvironmentFault(
                    f"{jar.name} {jar.version} is not the file it was when it was resolved. "
                    "Remove the downloads (`sdkbench cache gc --max-size 0`) and run again."
                )
        (folder / INDEX).write_text(lock, encoding="utf-8")
        return tuple(sorted(f"{jar.name}=={jar.version}" for jar in wanted))


def _jar(path: Path, store: Path) -> Jar:
    """A jar by its place in the repository: group/parts/artifact/version/file."""
    inside = path.relative_to(store)
    *group, artifact, version, _ = inside.parts
    with path.open("rb") as stream:
        content = hashlib.file_digest(stream, "sha256").hexdigest()
    return Jar(Coordinates(".".join(group), artifact), version, inside.as_posix(), content)


def _read(rows: list[tuple[list[str], str, str, str]]) -> list[Jar]:
    return [Jar(Coordinates(*name), version, path, sha) for name, version, path, sha in rows]


def generated_pom(dependencies: tuple[Dependency, ...], managed: tuple[Dependency, ...]) -> str:
    """The manifest we resolve from: ours, with the dependencies of the solution and its tests."""
    project = ET.Element("project")
    _texts(
        project,
        modelVersion="4.0.0",
        groupId="workspace",
        artifactId="workspace",
        version="0",
    )
    management = ET.SubElement(project, "dependencyManagement")
    _add(ET.SubElement(management, "dependencies"), managed)
    _add(ET.SubElement(project, "dependencies"), dependencies)
    return ET.tostring(project, encoding="unicode")


def _add(parent: ET.Element, dependencies: tuple[Dependency, ...]) -> None:
    for wanted in dependencies:
        entry = ET.SubElement(parent, "dependency")
        _texts(
            entry,
            groupId=wanted.name.group,
            artifactId=wanted.name.artifact,
            version=wanted.version,
            scope=wanted.scope,
            type=wanted.type,
            classifier=wanted.classifier,
        )
        if wanted.exclusions:
            exclusions = ET.SubElement(entry, "exclusions")
            for group, artifact in wanted.exclusions:
                _texts(ET.SubElement(exclusions, "exclusion"), groupId=group, artifactId=artifact)


def _texts(parent: ET.Element, **values: str) -> None:
    for name, value in values.items():
        if value:
            ET.SubElement(parent, name).text = value
