"""What can be learnt of a JavaScript or TypeScript project by reading it."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.core import Placement, Project, tree
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.node.manifest import EMPTY, PackageJson, read_package_json
from sdkbench.test_harness.source_files import Placed, text_of

SOURCE = re.compile(r"\.([cm]?[jt]s|[jt]sx)$")
TYPED = re.compile(r"\.([cm]?ts|tsx)$")
TEST_FILE = re.compile(r"(\.|-|_)(test|spec)\.([cm]?[jt]s|[jt]sx)$|^test\.([cm]?[jt]s|[jt]sx)$")
IN_TEST_FOLDER = {"__tests__", "test", "tests"}  # any source there is a test, for some frameworks
CONFIGS = {
    TestFramework.VITEST: re.compile(r"^(vitest|vite)\.config\.[cm]?[jt]s$"),
    TestFramework.JEST: re.compile(r"^jest\.config\.([cm]?[jt]s|json)$"),
    TestFramework.MOCHA: re.compile(r"^\.mocharc\.([cm]?js|json|jsonc|ya?ml)$"),
}
PACKAGE_OF = {
    TestFramework.VITEST: "vitest",
    TestFramework.JEST: "jest",
    TestFramework.MOCHA: "mocha",
}
IMPORT = re.compile(
    r"""(?:from\s+|import\s+|import\s*\(\s*|require\s*\(\s*)['"]([^'"\n]+)['"]""", re.MULTILINE
)
# The tests' own words, the surest sign first.
SIGNS = (
    (TestFramework.VITEST, re.compile(r"""['"]vitest['"]""")),
    (TestFramework.JEST, re.compile(r"""['"]@jest/globals['"]|@jest-environment""")),
    (TestFramework.NODE_TEST, re.compile(r"""['"]node:test['"]""")),
    (TestFramework.MOCHA, re.compile(r"""['"]mocha['"]""")),
    (TestFramework.VITEST, re.compile(r"\bvi\.(fn|mock|spyOn)\(")),
    (TestFramework.JEST, re.compile(r"\bjest\.(fn|mock|spyOn)\(")),
    (TestFramework.MOCHA, re.compile(r"""['"]chai['"]""")),
)
IMPORT_SIGNS = 4  # so many of these are imports, which leave no doubt
BROWSER = re.compile(r"@testing-library/|environment jsdom|react-dom/(client|test-utils)|\bjsdom\b")
MAX_SCRIPT = 4096


class Reading(NamedTuple):
    """A project as read once."""

    package: PackageJson  # the solution's, or what stands in for it
    has_manifest: bool
    tests_package: PackageJson  # the sample's own, EMPTY where it brings none
    test_files: tuple[Placed, ...]
    framework: TestFramework
    typed: bool
    imports: frozenset[str]  # packages that the tests import
    jsdom: bool
    trusted_config: str | None  # below the workspace
    has_tsconfig: bool
    tests_are_checked: bool  # the project's own tests are part of its build
    esm: bool  # whether jest runs modules natively; for a sample, its reference decides
    compiler_options: dict[str, Any]


def read(project: Project) -> Reading:
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
    framework = _framework(project, package, tests_package, texts)
    if framework not in {TestFramework.MOCHA, TestFramework.NODE_TEST} or project.trusted:
        named = tuple(f for f in files if TEST_FILE.search(Path(f.target).name))
        files = named or files
    return Reading(
        package=package,
        has_manifest=has_manifest,
        tests_package=tests_package,
        test_files=files,
        framework=framework,
        typed=_is_typed(solution, files),
        imports=frozenset(_packages(texts)),
        jsdom=any(BROWSER.search(text) for text in texts),
        trusted_config=_config(project, framework),
        has_tsconfig=(solution / "tsconfig.json").is_file(),
        tests_are_checked=project.has_own_tests,
        esm=_is_esm(project, package),
        compiler_options=compiler_options(solution),
    )


def _is_esm(project: Project, package: PackageJson) -> bool:
    if project.has_own_tests or not project.manifest_fallbacks:
        return package.is_module
    reference = read_package_json(project.manifest_fallbacks[-1])
    return reference is not None and reference.is_module


def sources(root: Path) -> list[Path]:
    return [path for path in tree.files(root) if SOURCE.search(path.name)]


def _test_files(project: Project) -> list[Placed]:
    """Files that hold tests: those named so, else, in a sample's tests/, all sources."""
    found = []
    for placement in project.trusted or (project.solution,):
        for path in _under(placement):
            inner = path.relative_to(placement.source) if placement.source.is_dir() else None
            target = placement.target if inner is None else f"{placement.target}/{inner.as_posix()}"
            target = target.removeprefix("./")
            folders = set(Path(target).parts[:-1])
            in_tests = bool(folders & IN_TEST_FOLDER)
            if (
                TEST_FILE.search(path.name)
                or ("__tests__" in folders)
                or (project.has_own_tests and in_tests and "fixtures" not in folders)
            ):
                found.append(Placed(path, target))
    if project.has_own_tests and project.tests:
        wanted = tuple(test.rstrip("/") for test in project.tests)
        found = [f for f in found if f.target.startswith(tuple(f"{w}/" for w in wanted))
                 or f.target in wanted]  # fmt: skip
    return found


def _under(placement: Placement) -> list[Path]:
    if placement.source.is_dir():
        return sources(placement.source)
    return [placement.source] if SOURCE.search(placement.source.name) else []


def _tests_package(project: Project) -> PackageJson:
    """The sample's own manifest: at the SDK's level or in tests/."""
    for placement in project.trusted:
        folder = placement.source if placement.source.is_dir() else None
        if placement.target == "package.json":
            folder = placement.source.parent
        found = read_package_json(folder) if folder else None
        if found is not None:
            return found
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
    if project.has_own_tests:
        names = sorted(p.name for p in project.solution.source.iterdir() if pattern.match(p.name))
        return names[0] if names else None
    for placement in project.trusted:
        if pattern.match(placement.target):
            return placement.target
        if placement.source.is_dir():
            names = sorted(p.name for p in placement.source.iterdir() if pattern.match(p.name))
            if names:
                return f"{placement.target}/{names[0]}"
    return None


def _is_typed(solution: Path, files: Iterable[Placed]) -> bool:
    if (solution / "tsconfig.json").is_file():
        return True
    return any(TYPED.search(f.source.name) for f in files) or any(
        TYPED.search(path.name) for path in tree.files(solution)
    )


def _packages(texts: Iterable[str]) -> set[str]:
    """Names of the packages imported, without what belongs to Node or to the project."""
    found = set()
    for text in texts:
        for name in IMPORT.findall(text):
            if name.startswith((".", "/", "node:", "@/", "~", "#")):
                continue
            parts = name.split("/")
            found.add("/".join(parts[:2]) if name.startswith("@") else parts[0])
    return found


def aliases(project: Project) -> dict[str, str]:
    """Tsconfig's `paths` as prefix → folder below the workspace: `@` → `expected/src`."""
    options = compiler_options(project.solution.source)
    paths = options.get("paths")
    base = options.get("baseUrl") if isinstance(options.get("baseUrl"), str) else "."
    found: dict[str, str] = {}
    for pattern, targets in paths.items() if isinstance(paths, dict) else ():
        if isinstance(targets, list) and targets and isinstance(targets[0], str):
            target = Path(project.solution.target, str(base), targets[0].removesuffix("/*"))
            if ".." not in target.parts:
                end = "/" if pattern.endswith("/*") else ""
                found[pattern.removesuffix("/*") + end] = target.as_posix() + end
    return found


def without_comments(text: str) -> str:
    """JSON with comments and trailing commas → JSON, in one pass over the text."""
    kept: list[str] = []
    position, last_comma = 0, -1
    while position < len(text):
        char = text[position]
        end = position + 1
        if char == '"':
            while end < len(text) and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            end += 1
        elif text.startswith("//", position):
            position = text.find("\n", position) % (len(text) + 1)
            continue
        elif text.startswith("/*", position):
            found = text.find("*/", position + 2)
            position = len(text) if found < 0 else found + 2
            continue
        if char in "}]" and last_comma >= 0:
            kept[last_comma] = ""
        if not char.isspace():
            last_comma = len(kept) if char == "," else -1
        kept.append(text[position:end])
        position = end
    return "".join(kept)


def compiler_options(solution: Path) -> dict[str, Any]:
    """CompilerOptions of tsconfig.json, which is JSON with comments and trailing commas."""
    text = text_of(solution / "tsconfig.json") if (solution / "tsconfig.json").is_file() else "{}"
    plain = without_comments(text)
    try:
        data = json.loads(plain)
    except (ValueError, RecursionError):
        return {}
    options = data.get("compilerOptions") if isinstance(data, dict) else None
    return options if isinstance(options, dict) else {}
