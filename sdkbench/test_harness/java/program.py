"""A solution that is called as a program: its virtual machine, and what that starts quickly with.

Half of a short program's time goes into reading the classes of its libraries. They are kept as a
class-data archive, made once for each environment: classes are parsed for it, none of them runs.
"""

import tempfile
import zipfile
from pathlib import Path

from sdkbench.core import BlackBox, Placement, Project
from sdkbench.environments import Environment, installation
from sdkbench.sandbox import Command, Limits, Mount, Program
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.compiled import ENVIRONMENT
from sdkbench.test_harness.java.archive import QUICK, QUIET
from sdkbench.test_harness.java.maven import Jdk, jdk, jdk_mounts
from sdkbench.test_harness.java.session import SOLUTION_JAR, ClassPath
from sdkbench.test_harness.runner import Harness

LANGUAGE = "java-program"
RECIPE = "1"
ARCHIVE = "libraries.jsa"
JAVA = "java"  # the word of a command that stands for the virtual machine
# Descriptions of modules, and classes for other versions of Java.
NOT_LISTED = ("META-INF/", "module-info")
MEMORY = ("-Xmx512m", "-XX:CompressedClassSpaceSize=128m", "-XX:ReservedCodeCacheSize=64m")


def java_program(
    project: Project, box: BlackBox, environment: Environment, folder: Path, harness: Harness
) -> Program:
    """`java` in the command stands for a virtual machine with the solution's jar, which is in
    `folder`, and the environment's jars on its class path.
    """
    kit, libraries = jdk(harness.sandbox), ClassPath.of(environment).libraries
    archive = _archive(environment, libraries, harness)
    path = archive.path / ARCHIVE
    kept = (f"-XX:SharedArchiveFile={path}", *QUIET) if path.is_file() else ()
    # Libraries first: an archive fits only a class path that begins as it was made with.
    class_path = ":".join(map(str, (*libraries, folder / SOLUTION_JAR)))
    machine = (kit.java, *QUICK, *MEMORY, *kept, "-cp", class_path)
    words = project.filled_in(box.command, WORKSPACE)
    first = machine if words[0] == JAVA else (words[0],)
    return Program(
        command=(*first, *words[1:]),
        port=box.port,
        tests_port=box.tests_port,
        placements=(project.solution,),
        mounts=(
            *jdk_mounts(),
            Mount(path=environment.path),
            Mount(path=archive.path),
            Mount(path=folder),
        ),
        env=ENVIRONMENT,
        search_path=(kit.home / "bin",),
    )


def _archive(
    environment: Environment, libraries: tuple[Path, ...], harness: Harness
) -> Environment:
    """Where making it fails there is none in it, and programs start as they always did."""
    kit = jdk(harness.sandbox)

    def build(folder: Path) -> tuple[str, ...]:
        with tempfile.TemporaryDirectory(prefix="sdkbench-java-") as name:
            listed = Path(name) / "classes"
            listed.write_text("\n".join(_classes(kit, libraries)), encoding="utf-8")
            harness.sandbox.run(
                Command(
                    argv=(kit.java, "-Xshare:dump", "-XX:+UseSerialGC", *MEMORY, *QUIET,
                          f"-XX:SharedClassListFile={WORKSPACE}/classes",
                          f"-XX:SharedArchiveFile={folder / ARCHIVE}",
                          "-cp", ":".join(map(str, libraries))),
                    placements=(Placement(source=listed, target="classes"),),
                    mounts=(*jdk_mounts(), Mount(path=environment.path),
                            Mount(path=folder, writable=True)),
                    limits=Limits(wall_seconds=300),
                )
            )  # fmt: skip
        return ()

    # By path too: it fits only the class path that it was made with.
    contents = (RECIPE, kit.identity, environment.key, str(environment.path))
    return installation.kept(harness.cache, LANGUAGE, contents, build)


def _classes(kit: Jdk, libraries: tuple[Path, ...]) -> list[str]:
    """The JDK's own list, and every class of the libraries."""
    own = kit.home / "lib" / "classlist"
    lines = own.read_text(encoding="utf-8").splitlines() if own.is_file() else []
    names = [line for line in lines if not line.startswith(("#", "@"))]
    for jar in libraries:
        with zipfile.ZipFile(jar) as archive:
            inside = [name for name in archive.namelist() if name.endswith(".class")]
        names += [n.removesuffix(".class") for n in inside if not n.startswith(NOT_LISTED)]
    return names
