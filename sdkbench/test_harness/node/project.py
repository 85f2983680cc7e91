"""What reading a JavaScript or TypeScript project tells: framework, test files, imports."""

import dataclasses
import json
import re
from collections.abc import Iterable
from pathlib import Path

from pydantic import JsonValue

from sdkbench.core import Project, tree
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.node.frameworks import CONFIGS, IMPORT_SIGNS, PACKAGE_OF, SIGNS
from sdkbench.test_harness.node.manifest import EMPTY, PackageJson, read_package_json
from sdkbench.test_harness.node.own_tests import OwnTests, TestSources, narrowed, own_tests
from sdkbench.test_harness.node.test_script import TestCommand
from sdkbench.test_harness.recognition import Placed, ReadProject, Unsupported, text_of

SOURCE = re.compile(r"\.([cm]?[jt]s|[jt]sx)$")
TYPED = re.compile(r"\.([cm]?ts|tsx)$")
TEST_FILE = re.compile(r"(\.|-|_)(test|spec)\.([cm]?[jt]s|[jt]sx)$|^test\.([cm]?[jt]s|[jt]sx)$")
IN_TEST_FOLDER = {"__tests__", "test", "tests"}  # any source there is a test, for some frameworks
# What tests read, not tests: `tests/parser-fixtures/`, `__mocks__/`.
FOR_TESTS = re.compile(r"(^|[-_.])(fixtures?|mocks?|snapshots?|helpers|support)_*$")
IMPORT = re.compile(
    r"""(?:from\s+|import\s+|import\s*\(\s*|require\s*\(\s*)['"]([^'"\n]+)['"]""", re.MULTILINE
)
BROWSER = re.compile(r"@testing-library/|environment jsdom|react-dom/(client|test-utils)|\bjsdom\b")
MAX_SCRIPT = 4096
STRING = r'("(?:\\.|[^"\\])*"?)|'  # first, because what looks like a comment in it is none
COMMENT = re.compile(STRING + r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
TRAILING_COMMA = re.compile(STRING + r",(?=\s*[}\]])", re.DOTALL)


@dataclasses.dataclass(frozen=True, kw_only=True)
class NodeProject(ReadProject):
    package: PackageJson  # the solution's, or what stands in for it
    tests_package: PackageJson  # the sample's own, EMPTY where it brings none
    framework: TestFramework
    typed: bool
    imports: frozenset[str]  # packages that the tests import
    jsdom: bool
    trusted_config: str | None  # below the workspace
    has_tsconfig: bool
    esm: bool  # whether jest runs modules natively; for a sample, its reference decides
    compiler_options: dict[str, JsonValue]
    commands: tuple[TestCommand, ...] = ()  # the project's own, where its own tests are judged
    unsupported: Unsupported | None = None  # what they are written for, if nobody here runs it
    unread_script: str = ""  # the project's test script, where we can't see what it runs


def read(project: Project) -> NodeProject:
    solution = project.solution.source
    package = read_package_json(solution)
    has_manifest = package is not None
    for fallback in project.manifest_fallbacks:
        other = read_package_json(fallback)
        package = package or (other if other and not other.refused else None)
    package = package or EMPTY
    tests_package = _tests_package(project)
    files = tuple(_test_files(project))
    texts = [text_of(placed.source) for placed in files]
    jsdom = any(BROWSER.search(text) for text in texts)
    own = OwnTests(None)
    if project.has_own_tests:
        tests = TestSources([placed.target for placed in files], texts)
        own = own_tests(solution, package, tests, jsdom=jsdom)
    framework = own.framework or _framework(project, package, tests_package, texts)
    if framework not in {TestFramework.MOCHA, TestFramework.NODE_TEST} or project.trusted:
        named = tuple(f for f in files if TEST_FILE.search(Path(f.target).name))
        files = named or files
    return NodeProject(
        given=project,
        sources=Placed.below(solution, sources(solution)),
        refused=package.refused + package.refused_tools,
        package=package,
        has_manifest=has_manifest,
        tests_package=tests_package,
        test_files=files,
        framework=framework,
        typed=_is_typed(solution, files),
        imports=frozenset(_packages(texts)),
        jsdom=jsdom,
        trusted_config=_config(project, framework),
        has_tsconfig=(solution / "tsconfig.json").is_file(),
        esm=_is_esm(project, package),
        compiler_options=compiler_options(solution),
        commands=narrowed(own.commands, project.tests),
        unsupported=own.unsupported,
        unread_script=own.unread[:MAX_SCRIPT],
    )


def _is_esm(project: Project, package: PackageJson) -> bool:
    if project.has_own_tests or not project.manifest_fallbacks:
        return package.is_module
    reference = read_package_json(project.manifest_fallbacks[-1])
    return reference is not None and reference.is_module


def sources(root: Path) -> list[Path]:
    return [path for path in tree.files(root) if SOURCE.search(path.name)]


def _test_files(project: Project) -> list[Placed]:
    """Files that hold tests: those named so, else, in a project of its own, all in test folders."""
    files = []
    for placement in project.trusted or (project.solution,):
        is_folder = placement.source.is_dir()
        for path in sources(placement.source) if is_folder else (placement.source,):
            inner = path.relative_to(placement.source) if is_folder else ""
            target = Path(placement.target, inner).as_posix()
            if SOURCE.search(path.name) and _holds_tests(target, own=project.has_own_tests):
                files.append(Placed(path, target))
    if project.has_own_tests and project.tests:
        wanted = [Path(test) for test in project.tests]
        files = [f for f in files if any(Path(f.target).is_relative_to(w) for w in wanted)]
    return files


def _holds_tests(target: str, *, own: bool) -> bool:
    *folders, name = Path(target).parts
    if own and any(map(FOR_TESTS.search, folders)):
        return False
    if TEST_FILE.search(name) or "__tests__" in folders:
        return True
    return own and not IN_TEST_FOLDER.isdisjoint(folders)


def _tests_package(project: Project) -> PackageJson:
    """The sample's own manifest: at the SDK's level or in tests/."""
    for placement in project.trusted:
        at_top = placement.target == "package.json"
        package = read_package_json(placement.source.parent if at_top else placement.source)
        if package is not None:
            return package
    return EMPTY


def _framework(
    project: Project, package: PackageJson, tests_package: PackageJson, texts: list[str]
) -> TestFramework:
    """What the tests import, then what the sample says, then the solution, then mere habits."""
    script = package.scripts.get("test", "")[:MAX_SCRIPT]
    names = {p.name for p in project.solution.source.iterdir()} | {
        p.target for p in project.trusted
    }
    declared = [{**package.all_dependencies, **tests_package.all_dependencies}]
    if tests_package.all_dependencies:
        declared.insert(0, tests_package.all_dependencies)
    candidates = (
        [f for f, sign in SIGNS[:IMPORT_SIGNS] if any(sign.search(text) for text in texts)]
        + [f for table in declared for f, name in PACKAGE_OF.items() if name in table]
        + [f for f, pattern in CONFIGS.items() if any(pattern.match(name) for name in names)]
        + [f for f, name in PACKAGE_OF.items() if re.search(rf"\b{name}\b", script)]
        + ([TestFramework.NODE_TEST] if {"node", "--test"} <= set(script.split()) else [])
        + [f for f, sign in SIGNS[IMPORT_SIGNS:] if any(sign.search(text) for text in texts)]
    )
    # Bare describe and it: what most people mean by them is jest.
    return candidates[0] if candidates else TestFramework.JEST


def _config(project: Project, framework: TestFramework) -> str | None:
    """The configuration that counts: the sample's own, or an own project's own."""
    pattern = CONFIGS.get(framework)
    if pattern is None:
        return None
    for placement in (project.solution,) if project.has_own_tests else project.trusted:
        if pattern.match(placement.target):
            return placement.target
        if placement.source.is_dir():
            names = sorted(p.name for p in placement.source.iterdir() if pattern.match(p.name))
            if names:
                return Path(placement.target, names[0]).as_posix()
    return None


def _is_typed(solution: Path, files: Iterable[Placed]) -> bool:
    if (solution / "tsconfig.json").is_file():
        return True
    paths = (*(placed.source for placed in files), *tree.files(solution))
    return any(TYPED.search(path.name) for path in paths)


def _packages(texts: Iterable[str]) -> set[str]:
    """Names of the packages imported, without what belongs to Node or to the project."""
    names = {name for text in texts for name in IMPORT.findall(text)}
    own = (".", "/", "node:", "@/", "~", "#")
    return {
        "/".join(name.split("/")[: 2 if name.startswith("@") else 1])
        for name in names
        if not name.startswith(own)
    }


def compiler_options(solution: Path) -> dict[str, JsonValue]:
    """CompilerOptions of tsconfig.json, which is JSON with comments and trailing commas."""
    text = text_of(solution / "tsconfig.json") if (solution / "tsconfig.json").is_file() else "{}"
    try:
        data = json.loads(TRAILING_COMMA.sub(r"\1", COMMENT.sub(r"\1", text)))
    except (ValueError, RecursionError):
        return {}
    options = data.get("compilerOptions") if isinstance(data, dict) else None
    return options if isinstance(options, dict) else {}
