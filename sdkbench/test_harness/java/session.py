"""The sandboxed runs of a Java project: compile, then test; or Maven where it tests itself."""

import base64
import binascii
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel

from sdkbench.core import Project
from sdkbench.environments import Environment
from sdkbench.sandbox import Completed, Limits, Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.java.archive import QUICK, compiler_words
from sdkbench.test_harness.java.environment import (
    JavaTools,
    is_framework,
    jars,
    java_tools,
    visible_modules,
)
from sdkbench.test_harness.java.maven import Jdk, jdk, jdk_mounts, maven_mounts, maven_program
from sdkbench.test_harness.java.project import JavaProject
from sdkbench.test_harness.recognition import Placed
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import Boot, Order, Record, Records, boot_words, run_session

BOOT = "java.boot"
JUNIT_MODULES = ("org.junit.jupiter", "org.junit.platform.launcher")  # and what they require
JUNIT4_GROUPS = ("junit", "org.hamcrest", "org.junit.vintage")
PROCESSORS = "META-INF/services/javax.annotation.processing.Processor"
EXPLICIT_PROCESSORS = 21  # from here on javac wants to be told to run annotation processors


class JavaStage(BaseModel):
    name: str
    options: tuple[str, ...]
    sources: tuple[str, ...]


class CompileOrder(Order):
    """inside/java/compile.py says what its fields mean."""

    task: Literal["compile"] = "compile"
    compiler: tuple[str, ...]
    stages: tuple[JavaStage, ...]
    protected_jars: tuple[str, ...]
    solution_resources: dict[str, str]
    test_resources: dict[str, str]


class LaunchOrder(Order):
    """inside/java/tests.py says what its fields mean."""

    task: Literal["tests"] = "tests"
    argv: tuple[str, ...]
    cwd: str
    classes: tuple[str, ...]
    sources: dict[str, str]


class MavenOrder(Order):
    """inside/java/maven.py says what its fields mean."""

    task: Literal["maven"] = "maven"
    maven: tuple[str, ...]
    goals: tuple[str, ...]
    env: dict[str, str]
    build: bool
    several_modules: bool
    run_tests: bool
    sources: dict[str, str]


class Classes(Record):
    """The compiled test classes, and the jars of the solution and of the tests, in base64."""

    kind: Literal["classes"]
    names: tuple[str, ...]
    solution: str
    tests: str


class ClassPath(NamedTuple):
    """An environment's jars: those of the framework apart from all the others.

    JUnit 5 is made of modules; JUnit 4 and the engine that runs it are not.
    """

    modules: tuple[Path, ...]
    junit4: tuple[Path, ...]
    libraries: tuple[Path, ...]

    @classmethod
    def of(cls, environment: Environment) -> "ClassPath":
        everything = jars(environment)
        framework = [(jar.name, path) for jar, path in everything if is_framework(jar.name)]
        old = [path for name, path in framework if name.group in JUNIT4_GROUPS]
        return cls(
            tuple(path for _, path in framework if path not in old),
            tuple(old),
            tuple(path for jar, path in everything if not is_framework(jar.name)),
        )

    @property
    def framework(self) -> tuple[Path, ...]:
        return self.modules + self.junit4


def compile_session(
    project: JavaProject, environment: Environment, harness: Harness, limits: Limits
) -> tuple[Completed, Records]:
    kit, tools = jdk(harness.sandbox), java_tools(harness)
    path = ClassPath.of(environment)
    modules = ",".join(visible_modules(project.given, path.libraries))
    release = [] if project.pom.release is None else ["--release", str(project.pom.release)]
    main = [
        "--limit-modules",
        modules,
        *release,
        *(["-parameters"] if project.pom.parameters else []),
        *_processing(path.libraries, kit),
    ]
    stages = (
        _stage("main", main, path.libraries, project.sources),
        _stage("tests", ["-proc:none"], (*path.framework, "{tmp}/main", *path.libraries),
               project.test_files),
    )  # fmt: skip
    compiler, archive = compiler_words(tools, harness)
    order = CompileOrder(
        compiler=compiler,
        stages=stages,
        protected_jars=tuple(str(jar) for jar in path.framework),
        solution_resources=_inside(project.resources),
        test_resources=_inside(project.test_resources),
    )
    mounts = (*jdk_mounts(), Mount(path=environment.path), Mount(path=tools.folder), archive)
    return _run(project, order, mounts, harness, limits)


def test_session(
    project: JavaProject,
    environment: Environment,
    compiled: Records,
    folder: Path,
    harness: Harness,
    limits: Limits,
) -> tuple[Completed, Records] | None:
    """Run the test classes; `folder` is ours, and takes the two jars. None where the compiler's
    session brought nothing back to run.
    """
    classes = next(compiled.of(Classes), None)
    if classes is None:
        return None
    try:
        (folder / "solution.jar").write_bytes(base64.b64decode(classes.solution))
        (folder / "tests.jar").write_bytes(base64.b64decode(classes.tests))
    except binascii.Error:
        return None
    tools = java_tools(harness)
    order = LaunchOrder(
        argv=tuple(_virtual_machine(project.given, ClassPath.of(environment), tools, folder)),
        cwd=project.given.solution.target,
        classes=classes.names,
        sources=project.test_classes,
    )
    mounts = (
        *jdk_mounts(),
        Mount(path=environment.path),
        Mount(path=tools.folder),
        Mount(path=folder),
    )
    return _run(project, order, mounts, harness, limits)


def maven_session(
    project: JavaProject,
    environment: Environment,
    goals: tuple[str, ...],
    harness: Harness,
    limits: Limits,
    *,
    run_build: bool,
    run_tests: bool,
) -> tuple[Completed, Records]:
    repository = environment.path / "repository"
    # Surefire's words for the tests of one folder.
    only = (f"-Dtest={','.join(project.test_classes)}", "-Dsurefire.failIfNoSpecifiedTests=false")
    order = MavenOrder(
        maven=(maven_program(), "-o", "-B", "-ntp", "-Dstyle.color=never",
               f"-Dmaven.repo.local={repository}"),
        goals=(*goals, *(only if project.given.tests else ())),
        env={"JAVA_HOME": str(jdk(harness.sandbox).home), "MAVEN_OPTS": " ".join(QUICK)},
        build=run_build,
        several_modules=len(project.pom.files) > 1,
        run_tests=run_tests,
        sources=project.test_classes,
    )  # fmt: skip
    mounts = (*jdk_mounts(), *maven_mounts(), Mount(path=environment.path))
    return _run(project, order, mounts, harness, limits)


def _run(
    project: JavaProject,
    order: Order,
    mounts: tuple[Mount, ...],
    harness: Harness,
    limits: Limits,
) -> tuple[Completed, Records]:
    boot = Boot(argv=boot_words(BOOT), mounts=mounts, env={}, own_records=(Classes,))
    return run_session(harness.sandbox, boot, project.given.placements, order, limits)


def _virtual_machine(
    project: Project, path: ClassPath, tools: JavaTools, folder: Path
) -> list[str]:
    """Framework and launcher as modules that nobody may open; the tests before the solution."""
    classes = [*path.junit4, folder / "tests.jar", *path.libraries, folder / "solution.jar"]
    modules = [*visible_modules(project, path.libraries), *JUNIT_MODULES]
    mocks = any(jar.name.startswith("byte-buddy-agent") for jar in path.libraries)
    return [
        str(tools.java), *QUICK, "-Xmx1g", "-ea",
        # Mocks are made by an agent that attaches itself; nobody else has a use for one.
        *([] if mocks else ["-XX:+DisableAttachMechanism"]),
        "--module-path", _joined([tools.launcher, *path.modules]),
        "--limit-modules", ",".join(modules),
        "--add-modules", ",".join(modules),
        "-cp", _joined(classes),
        "-m", "sdkbench.launcher/sdkbench.launcher.Main",
    ]  # fmt: skip


def _stage(
    name: str, options: list[str], path: Iterable[Path | str], sources: tuple[Placed, ...]
) -> JavaStage:
    common = ["-encoding", "UTF-8", "-g", "-nowarn", "-implicit:none", "-sourcepath", "{tmp}/empty"]
    return JavaStage(
        name=name,
        options=(*common, *options, "-d", f"{{tmp}}/{name}", "-cp", _joined(path)),
        sources=tuple(f"{WORKSPACE}/{placed.target}" for placed in sources),
    )


def _processing(libraries: tuple[Path, ...], kit: Jdk) -> list[str]:
    for jar in libraries:
        with zipfile.ZipFile(jar) as archive:
            if PROCESSORS in archive.namelist():
                return ["-proc:full"] if kit.feature >= EXPLICIT_PROCESSORS else []
    return ["-proc:none"]


def _inside(resources: dict[str, str]) -> dict[str, str]:
    return {name: f"{WORKSPACE}/{target}" for name, target in resources.items()}


def _joined(paths: Iterable[Path | str]) -> str:
    return ":".join(str(path) for path in paths)
