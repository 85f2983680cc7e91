"""Our own Java programs, compiled once for each JDK, and a `java` that can be run but not read."""

import hashlib
import shutil
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import fingerprints
from sdkbench.environments import Environment
from sdkbench.environments.providing import not_installed
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Command, Limits, Mount, Sandbox
from sdkbench.test_harness.java.environment import JavaRequest, jars, provide
from sdkbench.test_harness.java.manifest import Coordinates, Dependency
from sdkbench.test_harness.java.toolchain import jdk, jdk_mounts
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import INSIDE

SOURCES = INSIDE / "java"
LANGUAGE = "java-tools"
JUNIT = "5.11.4"  # brought where the sample names none; JUnit 6 would want Java 17
LAUNCHER = Coordinates("org.junit.platform", "junit-platform-launcher")
PLATFORM_API = Dependency(LAUNCHER, f"1.{JUNIT.partition('.')[2]}", "test")
RELEASE = "11"


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
    key = fingerprints.of_texts(LANGUAGE, kit.identity, str(kit.home), JUNIT, content)
    found = harness.cache.find(LANGUAGE, key)
    if found is None and not harness.install:
        raise not_installed()
    if found is None:
        api = _platform_api(harness)
        found = harness.cache.make(
            LANGUAGE, key, lambda folder: _build(folder, api, harness.sandbox)
        )
    return JavaTools(found.path)


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
