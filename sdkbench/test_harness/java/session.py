"""The sandboxed runs of a Java project: compile, then test; or Maven where it tests itself."""

import base64
import binascii
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel

from sdkbench.core import Placement, Project
from sdkbench.environments import Environment
from sdkbench.sandbox import Completed, Limits, Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.java.archive import BUILDING, DEEP_STACK, QUICK, compiler_words
from sdkbench.test_harness.java.environment import (
    AGENT,
    JavaTools,
    is_framework,
    jars,
    java_tools,
    visible_modules,
)
from sdkbench.test_harness.java.maven import Jdk, jdk, jdk_mounts, maven_mounts, maven_program
from sdkbench.test_harness.java.project import JavaProject, visible
from sdkbench.test_harness.java.repository import REPOSITORY, goals_of
from sdkbench.test_harness.recognition import Placed, text_of
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import Boot, Order, Record, Records, boot_words, run_session

BOOT = "java.boot"
JUNIT_MODULES = ("org.junit.jupiter", "org.junit.platform.launcher")  # and what they require
JUNIT4_GROUPS = ("junit", "org.hamcrest", "org.junit.vintage")
# What JUnit 5 exports to the engine for JUnit 4, which is no module here.
USED_BY_JUNIT4 = tuple(
    f"org.junit.platform.commons/org.junit.platform.commons.{package}=ALL-UNNAMED"
    for package in ("logging", "util")
)
LOADER = "sdkbench.loader.TestLoader"
SOLUTION_JAR = "solution.jar"
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
    class_path: str
    solution: str
    classes: tuple[str, ...]
    tests: str
    threads: bool
    sources: dict[str, str]
    shuffle_seed: int | None = None


class MavenOrder(Order):
    """inside/java/maven.py says what its fields mean."""

    task: Literal["maven"] = "maven"
    maven: tuple[str, ...]
    goals: tuple[str, ...]
    env: dict[str, str]
    build: bool
    run_tests: bool
    sources: dict[str, str]


class Classes(Record):
    """inside/java/compile.py says what its fields mean."""

    kind: Literal["classes"]
    names: tuple[str, ...]
    solution: str
    tests: str
    test_resources: str
    threads: bool


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


def kept_solution(compiled: Records, folder: Path) -> bool:
    """Put the solution's jar into `folder`; False where the compiler's session brought none."""
    classes = next(compiled.of(Classes), None)
    if classes is None:
        return False
    try:
        (folder / SOLUTION_JAR).write_bytes(base64.b64decode(classes.solution))
    except binascii.Error:
        return False
    return True


def test_session(
    project: JavaProject,
    environment: Environment,
    compiled: Records,
    folder: Path,
    harness: Harness,
    limits: Limits,
) -> tuple[Completed, Records] | None:
    """Run the test classes; `folder` is ours, and takes two jars. None where the compiler's
    session brought nothing back to run.
    """
    classes = next(compiled.of(Classes), None)
    if classes is None or not kept_solution(compiled, folder):
        return None
    try:
        (folder / "tests.jar").write_bytes(base64.b64decode(classes.test_resources))
    except binascii.Error:
        return None
    tools = java_tools(harness)
    path = ClassPath.of(environment)
    places = [folder / "tests.jar", *path.junit4, *path.libraries, folder / SOLUTION_JAR]
    order = LaunchOrder(
        argv=tuple(_virtual_machine(project.given, path, tools, _joined(places))),
        cwd=project.given.solution.target,
        class_path=_joined(places),
        solution=f"/{SOLUTION_JAR}",
        classes=classes.names,
        tests=classes.tests,
        threads=classes.threads,
        sources=project.all_classes,
        shuffle_seed=harness.shuffle_seed,
    )
    mounts = (
        *jdk_mounts(),
        Mount(path=environment.path),
        Mount(path=tools.folder),
        Mount(path=folder),
    )
    return _run(project, order, mounts, harness, limits, placements=visible(project.given))


def maven_session(
    project: JavaProject,
    environment: Environment,
    harness: Harness,
    limits: Limits,
    *,
    run_build: bool,
    run_tests: bool,
) -> tuple[Completed, Records]:
    repository = environment.path / REPOSITORY
    goals = goals_of(environment)
    # Surefire's words for the tests of one folder.
    only = (
        f"-Dtest={','.join(project.test_classes)}", "-Dsurefire.failIfNoSpecifiedTests=false",
        "-DfailIfNoTests=false",
    )  # fmt: skip
    order = MavenOrder(
        maven=(maven_program(), "-o", "-B", "-ntp", "-Dstyle.color=never",
               f"-Dmaven.repo.local={repository}"),
        goals=(*goals, *(only if project.given.tests else ())),
        env={"JAVA_HOME": str(jdk(harness.sandbox).home),
             "MAVEN_OPTS": " ".join(_options(project))},
        build=run_build,
        run_tests=run_tests,
        sources=project.all_classes,
    )  # fmt: skip
    mounts = (*jdk_mounts(), *maven_mounts(), Mount(path=environment.path))
    return _run(project, order, mounts, harness, limits)


def _options(project: JavaProject) -> tuple[str, ...]:
    """Of Maven's own machine, which compiles: a deep stack, unless the project says how deep."""
    settings = text_of(project.given.solution.source / ".mvn" / "jvm.config")
    return BUILDING if "-Xss" in settings else (*BUILDING, DEEP_STACK)


def _run(
    project: JavaProject,
    order: Order,
    mounts: tuple[Mount, ...],
    harness: Harness,
    limits: Limits,
    *,
    placements: tuple[Placement, ...] = (),
) -> tuple[Completed, Records]:
    """Everything of the project is there, unless `placements` say what is."""
    boot = Boot(argv=boot_words(BOOT), mounts=mounts, env={}, own_records=(Classes,))
    placed = placements or project.given.placements
    return run_session(harness.sandbox, boot, placed, order, limits)


def _virtual_machine(
    project: Project, path: ClassPath, tools: JavaTools, class_path: str
) -> list[str]:
    """Framework and launcher as modules that nobody may open; all else by our class loader."""
    modules = [*visible_modules(project, path.libraries), *JUNIT_MODULES]
    agents = [jar for jar in path.libraries if jar.name.startswith(AGENT)]
    return [
        str(tools.java), *QUICK, "-Xmx1g", "-ea",
        # Mocks are made by an agent. It can't attach itself here; nobody else has a use for one.
        "-XX:+DisableAttachMechanism", *(f"-javaagent:{jar}" for jar in agents),
        "--module-path", _joined([tools.launcher, *path.modules]),
        "--limit-modules", ",".join(modules),
        "--add-modules", ",".join(modules),
        *(word for name in USED_BY_JUNIT4 if path.junit4 for word in ("--add-exports", name)),
        "-cp", str(tools.nothing),
        f"-Djava.system.class.loader={LOADER}",
        f"-Dsdkbench.class.path={class_path}",
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
