"""What a Java project needs on its class path; our launcher for JUnit, and the machine it runs in.

Some modules of the JDK give code the run of the machine it is in: agents that rewrite loaded
classes, raw memory, dumps of the heap. A judged virtual machine shows them only where the libraries
or the sample itself need them.
"""

import functools
import hashlib
import json
import re
import shutil
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from sdkbench.core import Project, tree
from sdkbench.environments import Environment, installation
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Command, Limits, Mount, Sandbox
from sdkbench.test_harness.java import maven
from sdkbench.test_harness.java.manifest import Coordinates, Dependency, Pom, read_pom
from sdkbench.test_harness.java.maven import jdk, jdk_mounts
from sdkbench.test_harness.java.project import JavaProject
from sdkbench.test_harness.recognition import text_of
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import INSIDE

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
SOURCES = INSIDE / "java"
TOOLS = "java-tools"
TOOLS_RECIPE = "2"
COMPILER = "compiler.jar"
PLATFORM_API = Dependency(LAUNCHER, f"1.{JUNIT.partition('.')[2]}", "test")
RELEASE = "11"
HARMLESS = (
    "java.base", "java.compiler", "java.datatransfer", "java.desktop", "java.logging",
    "java.management", "java.naming", "java.net.http", "java.prefs", "java.rmi", "java.scripting",
    "java.security.jgss", "java.security.sasl", "java.sql", "java.sql.rowset",
    "java.transaction.xa", "java.xml", "java.xml.crypto", "jdk.charsets", "jdk.crypto.ec",
    "jdk.httpserver", "jdk.localedata", "jdk.naming.dns", "jdk.net", "jdk.security.auth",
    "jdk.xml.dom", "jdk.zipfs",
)  # fmt: skip
POWERFUL = {
    "jdk.unsupported": re.compile(rb"sun[./]misc[./]Unsafe|sun[./]reflect[./]ReflectionFactory"),
    "java.instrument": re.compile(rb"java[./]lang[./]instrument"),
    "jdk.management": re.compile(rb"com[./]sun[./]management"),
    "jdk.attach": re.compile(rb"com[./]sun[./]tools[./]attach"),
}
# Libraries mention the others in passing, and do without them.
NEEDED_BY_LIBRARIES = ("jdk.unsupported",)
AGENT = "byte-buddy-agent"
NEEDED_BY_AGENTS = ("java.instrument",)


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
    """What to install, and what was added to what the solution asks for."""

    request: JavaRequest
    completed_with: tuple[str, ...]


def is_framework(name: Coordinates) -> bool:
    return name.group in FRAMEWORK_GROUPS or name.group.startswith("org.junit.")


def needs(project: JavaProject) -> Needs:
    """The solution's dependencies, completed by what the tests need to run at all."""
    version = _junit_version(project)
    managed = [Dependency(BOM, version, "import", "pom"), *_managed(project)]
    engines = [JUPITER, LAUNCHER, *([VINTAGE] if project.uses_junit4 else [])]
    chosen = {name: Dependency(name, scope="test") for name in engines}
    added = [f"JUnit {version} (test framework)"]
    own_tests = project.given.has_own_tests
    own = [(w, "") for w in _usable(project.pom) if w.scope != "test" or own_tests]
    trusted = [(w, why) for pom, why in _trusted_poms(project) for w in _usable(pom)]
    # What the sample's tests use comes before what the solution asks for, the rest after it.
    for wanted, why in [*((w, why) for w, why in trusted if w.scope == "test"), *own, *trusted]:
        if wanted.name not in chosen:
            chosen[wanted.name] = wanted
            added += [f"{wanted.name}:{wanted.version} ({why})"] if why else []
    request = JavaRequest(tuple(chosen.values()), tuple(managed))
    return Needs(request, tuple(added))


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


class JavaRecipe(installation.Recipe[JavaRequest]):
    """How jars are had: Maven resolves a manifest of ours, and what it downloaded is copied."""

    language = "java"

    def question(self) -> tuple[str, ...]:
        # Profiles of published manifests may look at the JDK and the platform.
        return RECIPE, maven.jdk(self.sandbox).identity, json.dumps(self.request)

    def contents(self, lock: str) -> tuple[str, ...]:
        return RECIPE, maven.jdk(self.sandbox).identity, lock

    def well_known(self) -> JavaRequest:
        return JavaRequest((PLATFORM_API,))

    def resolve(self) -> str:
        """Exact jars with their digests: offline from earlier downloads, else from the registry."""
        store = self.store
        with self.resolving() as folder:
            pom = generated_pom(self.request.dependencies, self.request.managed)
            (folder / "pom.xml").write_text(pom, encoding="utf-8")
            words = (f"{PLUGIN}:build-classpath", "-Dmdep.outputFile=classpath.txt")
            run = functools.partial(maven.run, words, folder, store, self.sandbox)
            # Two Mavens that download the same file at once would not wait for each other.
            with self.cache.lock("java-store"):
                done = installation.offline_first(run)
            if not done.ok:
                raise maven.explain(done, "resolve")
            paths = (folder / "classpath.txt").read_text(encoding="utf-8").strip().split(":")
        return json.dumps([_jar(Path(path), store) for path in paths if path.endswith(".jar")])

    def install(self, folder: Path, lock: str) -> tuple[str, ...]:
        store = self.store
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


class JavaTools(NamedTuple):
    """`launcher` is a module, `compiler` and `nothing` (an empty folder, for where there has to be
    one) are class paths, `java` starts a machine.

    The program `java` has no read permission. The kernel keeps the memory and the descriptors of
    a process whose program may not be read out of /proc: code in the virtual machine can't find
    what belongs to the launcher there.
    """

    folder: Path
    launcher: Path
    nothing: Path
    compiler: Path
    java: Path


def java_tools(harness: Harness) -> JavaTools:
    """The tools, made on first use. Failing to get what they are compiled with is our fault."""
    sources = sorted(SOURCES.rglob("*.java"))
    content = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
    kit = jdk(harness.sandbox)
    contents = (TOOLS_RECIPE, kit.identity, str(kit.home), JUNIT, content)
    environment = installation.kept(
        harness.cache, TOOLS, contents,
        lambda folder: _build(folder, platform_api(harness), harness.sandbox),
        install=harness.install,
    )  # fmt: skip
    folder = environment.path
    return JavaTools(
        folder=folder,
        launcher=folder / "launcher",
        nothing=folder / "nothing",
        compiler=folder / COMPILER,
        java=folder / "jdk/bin/java",
    )


def platform_api(harness: Harness) -> Environment:
    recipe = JavaRecipe(JavaRequest((PLATFORM_API,)), harness.cache, harness.sandbox)
    provision = installation.provide(recipe)
    if provision.environment is None:
        raise EnvironmentFault(f"Cannot fetch JUnit {JUNIT}: {provision.failure}")
    return provision.environment


def _build(folder: Path, api: Environment, sandbox: Sandbox) -> tuple[str, ...]:
    kit = jdk(sandbox)
    path = ":".join(str(where) for _, where in jars(api))
    launcher = [str(source) for source in sorted((SOURCES / "launcher").rglob("*.java"))]
    (folder / "nothing").mkdir()
    javac = str(kit.home / "bin" / "javac")
    common = ("--release", RELEASE, "-proc:none", "-encoding", "UTF-8", "-d")
    for words in (
        (*common, str(folder / "launcher"), "--module-path", path, *launcher),
        (*common, str(folder / "compiler"), str(SOURCES / "Compile.java")),
    ):
        done = sandbox.run(
            Command(
                argv=(javac, *words),
                mounts=(
                    *jdk_mounts(),
                    Mount(path=SOURCES),
                    Mount(path=api.path),
                    Mount(path=folder, writable=True),
                ),
                limits=Limits(wall_seconds=300),
            )
        )
        if not done.ok:
            raise EnvironmentFault(f"Our launcher for JUnit does not compile: {done.output}")
    with zipfile.ZipFile(folder / COMPILER, "w") as jar:  # a folder could not be archived
        for compiled in sorted((folder / "compiler").iterdir()):
            jar.write(compiled, compiled.name)
    _unreadable_java(kit.home, folder / "jdk")
    return (f"junit-platform-launcher=={PLATFORM_API.version}",)


def _unreadable_java(home: Path, folder: Path) -> None:
    (folder / "bin").mkdir(parents=True)
    for part in home.iterdir():
        if part.name != "bin":
            (folder / part.name).symlink_to(part)
    program = folder / "bin" / "java"
    shutil.copyfile(home / "bin" / "java", program)
    program.chmod(0o111)


def visible_modules(project: Project, libraries: tuple[Path, ...]) -> list[str]:
    """The modules for this project, whoever's solution it is: the solution has no say."""
    shown = set(HARMLESS)
    for jar in libraries:
        shown |= _wanted_by(jar)
    tests = [p.source for p in project.trusted if p.target in project.tests]
    for folder in (*project.manifest_fallbacks, *tests):
        texts = [text_of(p).encode() for p in _java_files(folder)]
        shown |= {name for name, sign in POWERFUL.items() if any(map(sign.search, texts))}
    return sorted(shown)


def _java_files(source: Path) -> list[Path]:
    if source.is_dir():
        return [path for path in tree.files(source) if path.suffix == ".java"]
    return [source] if source.suffix == ".java" else []


@lru_cache(maxsize=1024)
def _wanted_by(jar: Path) -> frozenset[str]:
    """By path: jars of environments never change."""
    if jar.name.startswith(AGENT):
        return frozenset((*NEEDED_BY_AGENTS, "jdk.unsupported"))
    needed: set[str] = set()
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if name.endswith(".class"):
                data = archive.read(name)
                needed |= {m for m in NEEDED_BY_LIBRARIES if POWERFUL[m].search(data)}
            if len(needed) == len(NEEDED_BY_LIBRARIES):
                break
    return frozenset(needed)
