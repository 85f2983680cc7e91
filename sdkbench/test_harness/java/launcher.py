"""Our launcher for JUnit, compiled once for each JDK, and the virtual machine that it runs in.

Some modules of the JDK give code the run of the machine it is in: agents that rewrite loaded
classes, raw memory, dumps of the heap. A judged virtual machine shows them only where the libraries
or the sample itself need them.
"""

import hashlib
import re
import shutil
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Project, tree
from sdkbench.environments import Environment, installation
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Command, Limits, Mount, Sandbox
from sdkbench.test_harness.java.environment import JUNIT, LAUNCHER, JavaRequest, jars, provide
from sdkbench.test_harness.java.manifest import Dependency
from sdkbench.test_harness.java.maven import jdk, jdk_mounts
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import INSIDE
from sdkbench.test_harness.source_files import text_of

SOURCES = INSIDE / "java"
LANGUAGE = "java-tools"
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
NEEDED_BY_AGENTS = ("java.instrument", "jdk.attach")


class JavaTools(NamedTuple):
    """`launcher` is a module, `compiler` a class path, `java` starts a virtual machine.

    The program `java` has no read permission. The kernel keeps the memory and the descriptors of
    a process whose program may not be read out of /proc: code in the virtual machine can't find
    what belongs to the launcher there.
    """

    folder: Path

    @property
    def launcher(self) -> Path:
        return self.folder / "launcher"

    @property
    def compiler(self) -> Path:
        return self.folder / "compiler"

    @property
    def java(self) -> Path:
        return self.folder / "jdk" / "bin" / "java"


def java_tools(harness: Harness) -> JavaTools:
    """The tools, made on first use. Failing to get what they are compiled with is our fault."""
    sources = sorted(SOURCES.rglob("*.java"))
    content = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
    kit = jdk(harness.sandbox)
    contents = (kit.identity, str(kit.home), JUNIT, content)
    environment = installation.kept(
        harness.cache, LANGUAGE, contents,
        lambda folder: _build(folder, _platform_api(harness), harness.sandbox),
        install=harness.install,
    )  # fmt: skip
    return JavaTools(environment.path)


def _platform_api(harness: Harness) -> Environment:
    provision = provide(JavaRequest((PLATFORM_API,)), harness.cache, harness.sandbox)
    if provision.environment is None:
        raise EnvironmentFault(f"Cannot fetch JUnit {JUNIT}: {provision.failure}")
    return provision.environment


def _build(folder: Path, api: Environment, sandbox: Sandbox) -> tuple[str, ...]:
    kit = jdk(sandbox)
    path = ":".join(str(where) for _, where in jars(api))
    sources = [str(source) for source in sorted((SOURCES / "launcher").rglob("*.java"))]
    javac = str(kit.home / "bin" / "javac")
    common = ("--release", RELEASE, "-proc:none", "-encoding", "UTF-8", "-d")
    for words in (
        (*common, str(folder / "launcher"), "--module-path", path, *sources),
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
