"""A Java project as it is read: its manifest, its sources and resources, its tests."""

import dataclasses
import re
from collections.abc import Iterable
from pathlib import Path

from sdkbench.core import Placement, Project, tree
from sdkbench.test_harness.java.manifest import Pom, read_pom
from sdkbench.test_harness.recognition import Placed, ReadProject, present, text_of

GRADLE = ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
# The file of a build tool that is not Maven → what its users call it.
BUILD_TOOLS = dict.fromkeys(GRADLE, "Gradle") | {
    "build.xml": "Ant", "MODULE.bazel": "Bazel", "WORKSPACE": "Bazel", "WORKSPACE.bazel": "Bazel",
    "BUCK": "Buck", "build.sbt": "sbt", "build.mill": "Mill", "build.sc": "Mill",
}  # fmt: skip
PACKAGE = re.compile(r"^[ \t]*package\s+([\w.]+)\s*(?:;|$)", re.MULTILINE)
LANGUAGES = (".java", ".kt", ".groovy", ".scala")
JUNIT_USE = re.compile(r"\borg\.junit\.|\bjunit\.framework\.")
JUNIT4_USE = re.compile(r"\borg\.junit\.(?!jupiter\b|platform\b)\w|\bjunit\.framework\.")
NAMED_TEST = re.compile(r"^(Test.*|.*(Test|Tests|TestCase|IT))\.java$")
SUPPORT = "support"
# What a resource could change in whoever runs the tests: services, settings, plugins of mocks.
RULED_OUT = re.compile(
    r"^(META-INF/|mockito-extensions/|org/|junit|testng)|\.(class|jar|java)$", re.IGNORECASE
)
# By what code reaches beyond what the language lets it: raw memory, native code, agents.
UNSAFE = {
    "sun.misc.Unsafe": re.compile(r"\bsun\.misc\.Unsafe\b|\bjdk\.internal\."),
    "native code": re.compile(
        r"\bnative\s+[\w.<>\[\]]+\s+\w+\s*\(|\b(?:System|Runtime|getRuntime\(\))\s*\.\s*load(?:Library)?\("
        r"|\bjava\.lang\.foreign\b|\bjdk\.incubator\.foreign\b|\bcom\.sun\.jna\b"
    ),
    "agents": re.compile(
        r"\bjava\.lang\.instrument\b|\bcom\.sun\.tools\.attach\b|\bnet\.bytebuddy\.agent\b"
    ),
    "heap dumps": re.compile(r"\bHotSpotDiagnostic"),
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class JavaProject(ReadProject):
    pom: Pom  # the solution's, or what stands in for it
    build_file: str | None  # of another tool, where there is nothing for Maven beside it
    tests_pom: Pom  # the sample's own
    resources: dict[str, str]  # name on the class path → place below the workspace
    test_resources: dict[str, str]
    uses_junit: bool
    uses_junit4: bool

    @property
    def by_maven(self) -> bool:
        """Whether this is judged on its own tests, and its manifest knows how to run them."""
        names = [dependency.name for dependency in (*self.pom.dependencies, *self.pom.managed)]
        tested = any("junit" in str(name) or "test" in name.artifact for name in names)
        known = self.has_manifest and (tested or self.pom.inherits or not self.uses_junit)
        return self.given.has_own_tests and known

    @property
    def test_classes(self) -> dict[str, str]:
        """Class → its file below the workspace."""
        return {class_name(placed): placed.target for placed in self.test_files}

    @property
    def all_classes(self) -> dict[str, str]:
        """The same for all there is, in each of Java's languages."""
        solution = self.given.solution
        paths = (p for p in tree.files(solution.source) if p.suffix in LANGUAGES)
        every = Placed.below(solution.source, paths, solution.target)
        return {class_name(placed): placed.target for placed in every} | self.test_classes


def doubts(project: JavaProject) -> tuple[str, ...]:
    """By what a solution could change the machine that tests it. What the reference uses too is no
    reason to doubt.
    """
    given = project.given
    if given.has_own_tests or not given.manifest_fallbacks:
        return ()
    reference = given.manifest_fallbacks[-1]
    known = _means(path for path in tree.files(reference) if path.suffix == ".java")
    return tuple(
        f"the solution uses {name}, by which it could forge its own verdict"
        for name in _means(placed.source for placed in project.sources)
        if name not in known
    )


def _means(paths: Iterable[Path]) -> list[str]:
    texts = [text_of(path) for path in paths]
    return [name for name, sign in UNSAFE.items() if any(map(sign.search, texts))]


def visible(project: Project) -> tuple[Placement, ...]:
    """What may stand in the workspace while tests run: all but the sources of a sample's tests,
    which judged code could compile and run itself. Files that tests read stay.
    """
    kept = [project.solution]
    for placement in project.trusted:
        root = placement.source
        if not root.is_dir():
            kept += [placement] if root.suffix != ".java" else []
            continue
        for path in tree.files(root):
            if path.suffix != ".java":
                target = f"{placement.target}/{path.relative_to(root).as_posix()}"
                kept.append(placement.model_copy(update={"source": path, "target": target}))
    return tuple(kept)


def read(project: Project) -> JavaProject:
    solution = project.solution
    own = read_pom(solution.source)
    pom = own
    for fallback in project.manifest_fallbacks:
        other = read_pom(fallback)
        pom = pom or (other if other and not other.refused else None)
    files = Placed.below(solution.source, tree.files(solution.source), solution.target)
    if project.trusted:
        tests = _tests_of_sample(project)
        main = [p for p in files if not _is_in(p, solution, "src/test/")]
    else:
        own_tests = [p for p in files if _is_in(p, solution, "src/test/") or _is_test(p)]
        tests = [p for p in own_tests if _is_wanted(p, project)]
        main = [p for p in files if p not in own_tests]
    code = [placed for placed in tests if placed.target.endswith(".java")]
    texts = [text_of(placed.source) for placed in code]
    return JavaProject(
        given=project,
        pom=(pom := pom or Pom()),
        refused=pom.refused,
        has_manifest=own is not None,
        build_file=None if own else next(iter(present(solution.source, tuple(BUILD_TOOLS))), None),
        tests_pom=_tests_pom(project),
        sources=tuple(_code(main, solution)),
        resources=_resources(main, "src/main/resources/"),
        test_files=tuple(code),
        test_resources=_resources(tests, "resources/", trusted=True),
        uses_junit=any(JUNIT_USE.search(text) for text in texts),
        uses_junit4=any(JUNIT4_USE.search(text) for text in texts),
    )


def class_name(placed: Placed) -> str:
    package = PACKAGE.search(text_of(placed.source))
    stem = Path(placed.target).stem
    return f"{package[1]}.{stem}" if package else stem


def _is_in(placed: Placed, placement: Placement, folder: str) -> bool:
    inside = placed.source.relative_to(placement.source).as_posix()
    return f"/{folder}" in f"/{inside}"


def _code(files: Iterable[Placed], solution: Placement) -> list[Placed]:
    """What Maven would compile; all that there is where nothing is laid out for Maven."""
    # A module of its own would hide the solution from tests that are not part of it.
    code = [p for p in files if p.source.suffix == ".java" and p.source.name != "module-info.java"]
    return [p for p in code if _is_in(p, solution, "src/main/java/")] or code


def _resources(files: Iterable[Placed], folder: str, *, trusted: bool = False) -> dict[str, str]:
    resources: dict[str, str] = {}
    for placed in files:
        _, there, name = f"/{placed.target}".partition(f"/{folder}")
        if there and (trusted or not RULED_OUT.search(name)):
            resources.setdefault(name, placed.target)
    return resources


def _tests_of_sample(project: Project) -> list[Placed]:
    """All of the tests' own folder and of `support`, which the SDK's samples share."""
    return [
        placed
        for placement in project.trusted
        if placement.source.is_dir() and placement.target in {*project.tests, SUPPORT}
        for placed in Placed.below(placement.source, tree.files(placement.source), placement.target)
    ]


def _is_wanted(placed: Placed, project: Project) -> bool:
    wanted = tuple(f"{test.removeprefix('./').rstrip('/')}/" for test in project.tests)
    return not wanted or f"{placed.target}/".startswith(wanted)


def _is_test(placed: Placed) -> bool:
    code = placed.target.endswith(".java")
    return code and bool(
        NAMED_TEST.match(placed.source.name) and JUNIT_USE.search(text_of(placed.source))
    )


def _tests_pom(project: Project) -> Pom:
    """A pom.xml in the sample's tests or beside the samples of its SDK."""
    for placement in project.trusted:
        source = placement.source
        beside = placement.target == "pom.xml"
        pom = read_pom(source.parent if beside else source)
        if pom is not None and (beside or placement.target in project.tests):
            return pom
    return Pom()
