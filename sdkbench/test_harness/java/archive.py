"""Class-data archives: classes as the virtual machine holds them, kept from one start to the next.

The compiler's archive is recorded once, while it compiles our own sources. It is kept beside the
tools and mounted read-only; a virtual machine that finds it unfit starts without it.
"""

import tempfile
from pathlib import Path

from sdkbench.core import Placement
from sdkbench.environments import Environment, installation
from sdkbench.sandbox import Command, Limits, Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.java.environment import (
    RELEASE,
    SOURCES,
    JavaTools,
    jars,
    platform_api,
)
from sdkbench.test_harness.java.maven import jdk, jdk_mounts
from sdkbench.test_harness.runner import Harness

LANGUAGE = "java-archive"
# Short runs: start quickly rather than compile well.
BUILDING = ("-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData")
QUICK = ("-XX:TieredStopAtLevel=1", *BUILDING)
# Long expressions nest deeply in a compiler, and code that is compiled quickly needs more stack.
DEEP_STACK = "-Xss8m"
QUIET = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off")  # of an archive that does not fit
RECIPE = "1"
ARCHIVE = "compiler.jsa"


def compiler_words(tools: JavaTools, harness: Harness) -> tuple[tuple[str, ...], Mount]:
    """How the compiler is started, and where its archive is."""
    archive = _compiler_archive(tools, harness)
    path = archive.path / ARCHIVE
    flags = (f"-XX:SharedArchiveFile={path}", *QUIET) if path.is_file() else ()
    return (*_compiler(tools, harness, *flags), "Compile"), Mount(path=archive.path)


def _compiler(tools: JavaTools, harness: Harness, *flags: str) -> tuple[str, ...]:
    return (jdk(harness.sandbox).java, *QUICK, DEEP_STACK, *flags, "-cp", str(tools.compiler))


def _compiler_archive(tools: JavaTools, harness: Harness) -> Environment:
    def build(folder: Path) -> tuple[str, ...]:
        api = platform_api(harness)
        with tempfile.TemporaryDirectory(prefix="sdkbench-java-") as name:
            orders = Path(name)
            _write(orders / "main.args", "-d", f"{WORKSPACE}/main", str(SOURCES / "Compile.java"))
            launcher = sorted((SOURCES / "launcher").rglob("*.java"))
            path = ":".join(str(where) for _, where in jars(api))
            words = ("--release", RELEASE, "-d", f"{WORKSPACE}/tests", "--module-path", path)
            _write(orders / "tests.args", *words, *map(str, launcher))
            flag = f"-XX:ArchiveClassesAtExit={folder / ARCHIVE}"
            files = (f"{WORKSPACE}/orders/main.args", f"{WORKSPACE}/orders/tests.args")
            # Where this fails there is no archive, and the compiler starts as it always did.
            harness.sandbox.run(
                Command(
                    argv=(*_compiler(tools, harness, flag, *QUIET), "Compile", *files),
                    placements=(Placement(source=orders, target="orders"),),
                    mounts=(*jdk_mounts(), Mount(path=SOURCES), Mount(path=api.path),
                            Mount(path=tools.folder), Mount(path=folder, writable=True)),
                    limits=Limits(wall_seconds=300),
                )
            )  # fmt: skip
        return ()

    # By path too: an archive fits only the class path that it was recorded with.
    contents = (RECIPE, jdk(harness.sandbox).identity, str(tools.folder))
    return installation.kept(harness.cache, LANGUAGE, contents, build)


def _write(path: Path, *words: str) -> None:
    common = ("-proc:none", "-encoding", "UTF-8", "-g", "-nowarn", "-implicit:none")
    path.write_text("".join(f'"{word}"\n' for word in (*common, *words)), encoding="utf-8")
