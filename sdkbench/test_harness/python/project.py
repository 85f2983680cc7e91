"""What can be learnt of a Python project by reading it: tests, imports, what they need."""

import ast
import functools
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from packaging.utils import canonicalize_name

from sdkbench.core import Project, tree
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.python import pytest_config, test_requirements
from sdkbench.test_harness.python.environment import PythonRequest
from sdkbench.test_harness.python.manifest import Declared, declared_requirements, parse_python
from sdkbench.test_harness.recognition import MAX_READ_BYTES

MANIFESTS = (
    "pyproject.toml",
    "requirements.txt",
    "setup.py",
    "setup.cfg",
    "Pipfile",
    "Pipfile.lock",
)
CONFIGS = ("pytest.ini", ".pytest.ini", "pytest.toml", "tox.ini", "conftest.py")
LOAD_TESTS = re.compile(r"^def load_tests\b", re.MULTILINE)
PLAIN_CLASS = re.compile(r"^class\s+Test\w*\s*(?:\(\s*(?:object)?\s*\))?\s*:", re.MULTILINE)
TEST_FILE = re.compile(r"^(test.*|.*_test)\.py$")

# Packages at the top of a project that are not what it is there for.
NOT_SHIPPED = frozenset(
    {"tests", "test", "testing", "docs", "doc", "examples", "example", "benchmarks", "scripts",
     "tools"}
)  # fmt: skip

KEPT_CHARACTERS = 32_768  # of a source whose imports are remembered: 512 of them at most

# Pinned, so that a verdict does not hang on the day it was made.
PYTEST = "pytest==9.0.2"


class PytestPlugin(NamedTuple):
    """A pytest plugin that tests use by a mark, a fixture or an import, never by asking for it."""

    pin: str
    sign: re.Pattern[str]

    @property
    def distribution(self) -> str:
        return self.pin.partition("==")[0]


TEST_PLUGINS = (
    PytestPlugin("pytest-asyncio==1.3.0", re.compile(r"mark\.asyncio|pytest_asyncio|asyncio_mode")),
    PytestPlugin("anyio==4.12.0", re.compile(r"mark\.anyio|anyio_backend")),
    PytestPlugin("pytest-mock==3.15.1", re.compile(r"\bmocker\b|pytest_mock")),
    PytestPlugin("pytest-timeout==2.4.0", re.compile(r"mark\.timeout|--timeout[=\s]")),
    PytestPlugin("pytest-cov==7.0.0", re.compile(r"--(?:no-)?cov(?:[=\s\"']|-report|-fail)")),
    PytestPlugin("pytest-xdist==3.8.0", re.compile(r"--numprocesses|--dist[=\s]|\s-n[ =]?auto\b")),
    PytestPlugin("pytest-httpserver==1.1.3", re.compile(r"\bhttpserver\b|pytest_httpserver")),
    PytestPlugin("pytest-httpx==0.36.0", re.compile(r"\bhttpx_mock\b|pytest_httpx")),
    PytestPlugin("requests-mock==1.12.1", re.compile(r"\brequests_mock\b")),
    PytestPlugin("respx==0.22.0", re.compile(r"\brespx\b")),
    PytestPlugin("hypothesis==6.148.7", re.compile(r"\bhypothesis\b")),
)
# Modules whose distribution has another name; only used to find a package the reference declares.
DISTRIBUTION_OF = {
    "yaml": "pyyaml", "pil": "pillow", "sklearn": "scikit-learn", "cv2": "opencv-python",
    "bs4": "beautifulsoup4", "dotenv": "python-dotenv", "dateutil": "python-dateutil",
    "jwt": "pyjwt", "attr": "attrs", "google": "protobuf", "openssl": "pyopenssl",
}  # fmt: skip


class Needs(NamedTuple):
    """What to install for a project, what was added to its own wishes, and what was refused."""

    request: PythonRequest
    plugin_distributions: tuple[str, ...]
    completed_with: tuple[str, ...]
    refused: tuple[str, ...]


def python_files(roots: Iterable[Path]) -> Iterator[Path]:
    for root in roots:
        if root.is_file():
            yield from [root] if root.suffix == ".py" else []
        elif root.is_dir():
            yield from (path for path in tree.files(root) if path.suffix == ".py")


def test_files(project: Project) -> list[Path]:
    """By the project's own settings of pytest where it is judged on its own tests and has some;
    else by their names.
    """
    root = project.solution.source
    settings = pytest_config.read(root) if project.has_own_tests else None
    if settings is None or project.tests:
        named = [p for p in python_files(project.test_sources) if TEST_FILE.match(p.name)]
        return named or (packages_of_tests(project) if project.has_own_tests else [])
    return [path for path in tree.files(root) if settings.is_test(path, root)]


def packages_of_tests(project: Project) -> list[Path]:
    """Packages that tell unittest what their tests are, whatever the files are called."""
    packages = (p for p in python_files(project.test_sources) if p.name == "__init__.py")
    return [path for path in packages if LOAD_TESTS.search(source_of(path))]


def framework_of(project: Project) -> TestFramework:
    """Unittest only where nothing of the project speaks of pytest."""
    texts = [source_of(path) for path in test_files(project)]
    speaks_of_pytest = any("pytest" in text for text in texts)
    uses_unittest = any("TestCase" in text or LOAD_TESTS.search(text) for text in texts)
    if not uses_unittest or speaks_of_pytest:
        return TestFramework.PYTEST
    if project.has_own_tests and _asks_for_pytest(project.solution.source):
        return TestFramework.PYTEST
    return TestFramework.UNITTEST


def has_plain_classes(project: Project) -> bool:
    """Whether there are classes that pytest takes for tests and unittest does not."""
    return any(PLAIN_CLASS.search(source_of(path)) for path in test_files(project))


def _asks_for_pytest(root: Path) -> bool:
    if pytest_config.read(root) is not None:
        return True
    wanted = test_requirements.read(root, ())
    extras = test_requirements.static_extras(root).values()
    lines = [*wanted.requirements, *(line for each in extras for line in each)]
    return any(canonicalize_name(_name(line)) == "pytest" for line in lines)


def source_of(path: Path) -> str:
    """The text, or nothing where it isn't Python text of a sane size."""
    try:
        if path.stat().st_size > MAX_READ_BYTES:
            return ""
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""


def syntax_problems(path: Path) -> list[str]:
    try:
        parse_python(path.read_bytes())
    except SyntaxError as error:
        return [f"line {error.lineno}: {error.msg}"]
    except (ValueError, RecursionError, MemoryError, OSError) as error:
        return [str(error)]
    return []


def imported_modules(sources: Iterable[str]) -> set[str]:
    """Dotted names of everything imported anywhere; `from a import b` gives a and a.b."""
    names: set[str] = set()
    for source in sources:
        # A sample's tests and reference are read for every attempt: they stay the same.
        read = _imports_kept if len(source) <= KEPT_CHARACTERS else _imports
        names |= read(source)
    return names


def _imports(source: str) -> frozenset[str]:
    names: set[str] = set()
    try:
        module = parse_python(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


_imports_kept = functools.lru_cache(maxsize=512)(_imports)


def solution_imports(project: Project) -> list[str]:
    """Modules to import as part of a build: what the tests import of the solution, or, in a
    project of its own, the packages and modules at its top.
    """
    root = project.solution.source
    if project.has_own_tests:
        tops = [root / "src"] if (root / "src").is_dir() else [root]
        packages = [p.parent.name for top in tops for p in sorted(top.glob("*/__init__.py"))]
        return [name for name in packages if name.isidentifier() and name not in NOT_SHIPPED]
    names = []
    for name in sorted(imported_modules(map(source_of, test_files(project)))):
        parts = name.split(".")
        inner = parts[1:] if parts[0] == project.solution.target else parts
        path = root.joinpath(*inner) if inner else None
        if path and (path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()):
            names.append(name)
    return names


def needs(project: Project) -> Needs:
    """For a sample: the solution's requirements, and what the tests need to run at all."""
    declared = _declared(project)
    texts = _test_texts(project)
    wanted = {canonicalize_name(_name(line)) for line in declared.requirements}
    # Which pytest judges is the sample's business, whatever the solution would like.
    requirements = [r for r in declared.requirements if canonicalize_name(_name(r)) != "pytest"]
    requirements += [r for r in _tests_own(project) if canonicalize_name(_name(r)) == "pytest"]
    added = [
        (line, "the tests import it, and the reference declares it")
        for line in _reference_packages(project, texts, {*wanted, "pytest"})
    ]
    requirements += [line for line, _ in added]
    more = completion(project, requirements, is_complete=False)
    request = PythonRequest(
        (*requirements, *(line for line, _ in more)),
        declared.constraints,
        project.permissions.build_from_source,
    )
    told = tuple(f"{line} ({why})" for line, why in [*added, *more])
    return Needs(request, plugins_of(project), told, declared.refused)


def completion(
    project: Project, requirements: Collection[str], is_complete: bool
) -> list[tuple[str, str]]:
    """What is lacking to run the tests at all, and why: pytest, and plugins that they use.

    `is_complete`: the project says itself what its tests need.
    """
    names = {canonicalize_name(_name(line)) for line in requirements}
    added = [] if "pytest" in names else [(PYTEST, "test framework")]
    used = () if is_complete else plugins_of(project)
    pins = {plugin.distribution: plugin.pin for plugin in TEST_PLUGINS}
    return added + [(pins[name], "the tests use it") for name in used if name not in names]


def plugins_of(project: Project) -> tuple[str, ...]:
    """The distributions of the pytest plugins that the tests use."""
    texts = _test_texts(project)
    return tuple(p.distribution for p in TEST_PLUGINS if any(p.sign.search(t) for t in texts))


def _test_texts(project: Project) -> list[str]:
    return [source_of(p) for p in [*python_files(project.test_sources), *_configs(project)]]


def _configs(project: Project) -> list[Path]:
    """Pytest's settings may ask for a plugin too (asyncio_mode)."""
    names = ("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini")
    paths = [root / name for root in project.test_sources if root.is_dir() for name in names]
    paths += [p.source for p in project.trusted if p.target in names]
    return [path for path in paths if path.is_file()]


def _tests_own(project: Project) -> list[str]:
    folders = [p.source for p in project.trusted if p.source.is_dir()]
    return [r for folder in folders for r in declared_requirements(folder).requirements]


def _declared(project: Project) -> Declared:
    """The solution's manifest, or else the starter's or the reference's; plus the tests' own."""
    declared = declared_requirements(project.solution.source)
    for fallback in project.manifest_fallbacks:
        if declared.source is None:
            declared = declared_requirements(fallback)
    for placement in project.trusted:
        if placement.source.is_dir():
            own = declared_requirements(placement.source)
            declared = declared._replace(requirements=declared.requirements + own.requirements)
        elif placement.target == "requirements.txt":
            own = declared_requirements(placement.source.parent)
            declared = declared._replace(requirements=declared.requirements + own.requirements)
    return declared


def _reference_packages(project: Project, texts: list[str], wanted: Collection[str]) -> list[str]:
    """Requirements of the reference for modules that the tests themselves import."""
    modules = {name.partition(".")[0] for name in imported_modules(texts)}
    modules -= set(sys.stdlib_module_names)
    distributions = {
        canonicalize_name(DISTRIBUTION_OF.get(module.lower(), module)) for module in modules
    }
    lines = [r for f in project.manifest_fallbacks for r in declared_requirements(f).requirements]
    missing = {}
    for line in lines:
        name = canonicalize_name(_name(line))
        if name in distributions and name not in wanted:
            missing[name] = line  # the reference comes after the starter: its word counts
    return sorted(missing.values())


def _name(requirement: str) -> str:
    match = re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)", requirement)
    return match.group(1) if match else requirement
