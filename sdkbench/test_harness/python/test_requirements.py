"""What the tests of a project need besides the project, by its own word, wherever it says so:
extras, groups, tox, hatch, requirements files.

What is made for development counts too: who develops a project runs its tests.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from packaging.utils import canonicalize_name

from sdkbench.core import tree
from sdkbench.test_harness.python import manifest, tox
from sdkbench.test_harness.python import requirements as written
from sdkbench.test_harness.python.manifest import table_or_empty

FOR_TESTS = frozenset({"test", "tests", "testing", "unittest", "unittests", "pytest"})
FOR_DEVELOPMENT = frozenset({"dev", "develop", "development"})
# Of them all, hatch's own name for the environment that `hatch test` makes.
HATCH_ENVIRONMENTS = FOR_TESTS | {"hatch-test"}
REQUIREMENTS_FOLDERS = ("requirements", "reqs", "tests", "test", "testing")
MAX_FILES = 20
WORDS = re.compile(r"[-_.\s]+")


class Wanted(NamedTuple):
    """`extras` are the project's own. `left_out`: a sentence for each line that can't be had."""

    requirements: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.requirements or self.extras)


def read(root: Path, extras: Collection[str]) -> Wanted:
    """`extras`: those that the project has."""
    data = _pyproject(root)
    chosen = _joined(
        [
            _tox(root, data),
            _hatch(data),
            *_named(root, data, extras, FOR_TESTS),
            *_named(root, data, extras, FOR_DEVELOPMENT),
            _extras_of_requirements_txt(root),
        ]
    )
    known = {canonicalize_name(extra) for extra in extras}
    checked = manifest.from_the_index_only(
        manifest.Declared("its test requirements", chosen.requirements)
    )
    return chosen._replace(
        requirements=checked.requirements,
        extras=tuple(extra for extra in chosen.extras if canonicalize_name(extra) in known),
        left_out=(*chosen.left_out, *checked.refused),
    )


def static_extras(root: Path) -> dict[str, tuple[str, ...]]:
    """The extras that can be read without running anything, and what they ask for."""
    project = table_or_empty(_pyproject(root), "project")
    tables: list[Mapping[str, Any]] = [
        table_or_empty(project, "optional-dependencies"),
        tox.section(root / "setup.cfg", "options.extras_require"),
    ]
    literals = manifest.setup_literals(root / "setup.py", "extras_require")
    tables += [value for value in literals if isinstance(value, dict)]
    return {
        canonicalize_name(str(name)): _lines(value)
        for each in tables
        for name, value in each.items()
    }


def _named(
    root: Path, data: Mapping[str, Any], extras: Collection[str], names: Collection[str]
) -> Iterator[Wanted]:
    """All that goes by one of these names."""
    yield Wanted(extras=tuple(extra for extra in extras if canonicalize_name(extra) in names))
    yield _groups(data, names)
    tool = table_or_empty(data, "tool")
    yield from _poetry(table_or_empty(tool, "poetry"), names)
    pdm = table_or_empty(table_or_empty(tool, "pdm"), "dev-dependencies")
    yield from (Wanted(_lines(pdm[name])) for name in pdm if canonicalize_name(name) in names)
    yield from (_file(path, root) for path in _requirement_files(root, names))
    if names is FOR_TESTS:
        lines = manifest.setup_literals(root / "setup.py", "tests_require")
        yield Wanted(tuple(line for value in lines for line in _lines(value)))
        yield Wanted(_lines(tox.section(root / "setup.cfg", "options").get("tests_require", "")))
    else:
        yield Wanted(_lines(table_or_empty(tool, "uv").get("dev-dependencies")))
        yield from _pipenv(root)


def _groups(data: Mapping[str, Any], names: Collection[str]) -> Wanted:
    """PEP 735 groups with their includes; a loop of includes ends where it began."""
    groups = {canonicalize_name(n): g for n, g in table_or_empty(data, "dependency-groups").items()}
    lines: list[str] = []
    waiting, seen = [name for name in groups if name in names], set()
    while waiting:
        name = waiting.pop(0)
        if name in seen or not isinstance(groups.get(name), list):
            continue
        seen.add(name)
        for item in groups[name]:
            if isinstance(item, str):
                lines.append(item)
            elif isinstance(item, dict) and isinstance(item.get("include-group"), str):
                waiting.append(canonicalize_name(item["include-group"]))
    return _of_the_project(tuple(lines), data)


def _of_the_project(lines: Sequence[str], data: Mapping[str, Any]) -> Wanted:
    """Lines that name the project itself ask for its extras."""
    own = canonicalize_name(str(table_or_empty(data, "project").get("name", "")))
    extras, others = [], []
    for line in lines:
        match = re.match(r"\s*([\w.-]+)\s*(?:\[([\w,.\s-]*)\])?", line)
        if match and own and canonicalize_name(match[1]) == own:
            extras += [extra.strip() for extra in (match[2] or "").split(",")]
        else:
            others.append(line)
    return Wanted(tuple(others), extras=tuple(filter(None, extras)))


def _poetry(poetry: Mapping[str, Any], names: Collection[str]) -> Iterator[Wanted]:
    """`poetry install` brings what is for development together with what is for tests."""
    names = {*names, *FOR_DEVELOPMENT}
    groups = table_or_empty(poetry, "group")
    tables = [table_or_empty(poetry, "dev-dependencies")]
    tables += [
        table_or_empty(table_or_empty(groups, name), "dependencies")
        for name in groups
        if canonicalize_name(name) in names
    ]
    for table in tables:
        lines: list[str] = []
        refused: list[str] = []
        manifest.from_table(table, lines, refused, "pyproject.toml")
        yield Wanted(tuple(lines), left_out=tuple(refused))


def _pipenv(root: Path) -> Iterator[Wanted]:
    try:
        if tree.is_file(root / "Pipfile.lock"):
            data, name = manifest.json_of(root / "Pipfile.lock"), "develop"
        else:
            data, name = manifest.toml_of(root / "Pipfile"), "dev-packages"
        declared = manifest.pipenv_table(data, name, "Pipfile")
    except manifest.Problem:
        return
    yield Wanted(declared.requirements, left_out=declared.refused)


def _hatch(data: Mapping[str, Any]) -> Wanted:
    environments = table_or_empty(table_or_empty(table_or_empty(data, "tool"), "hatch"), "envs")
    lines: list[str] = []
    extras: list[str] = []
    for name in environments:
        if canonicalize_name(name) in HATCH_ENVIRONMENTS:
            environment = table_or_empty(environments, name)
            for key in ("dependencies", "extra-dependencies"):
                lines += _lines(environment.get(key))
            extras += _lines(environment.get("features"))
    return Wanted(tuple(lines), extras=tuple(extras))


def _tox(root: Path, data: Mapping[str, Any]) -> Wanted:
    environment = tox.read(root, data)
    parsed = written.parse_lines(environment.deps, root, "tox")
    groups = {canonicalize_name(name) for name in environment.groups}
    return _joined(
        [
            Wanted(
                parsed.requirements,
                parsed.constraints,
                (*environment.extras, *parsed.project_extras),
                parsed.refused,
            ),
            _groups(data, groups),
        ]
    )


def _requirement_files(root: Path, names: Collection[str]) -> list[Path]:
    """requirements-dev.txt, test_requirements.txt, requirements/testing.txt and their like."""
    paths = []
    for folder in (root, *(root / name for name in REQUIREMENTS_FOLDERS)):
        for path in sorted(folder.glob("*.txt")) if tree.is_folder(folder) else []:
            words = set(WORDS.split(path.stem.lower()))
            about = words | ({folder.name, "requirements"} if folder != root else set())
            kind = about & {"requirements", "requirement", "reqs"} and about & {*names}
            plain = folder.name in {"requirements", "reqs"} or words & {"requirements", "reqs"}
            if kind and plain and path.is_file():
                paths.append(path)
    return paths[:MAX_FILES]


def _extras_of_requirements_txt(root: Path) -> Wanted:
    """`-e .[cli]` there: what else it says is the manifest's reader's."""
    path = root / "requirements.txt"
    return Wanted(extras=written.parse(path, root).project_extras if tree.is_file(path) else ())


def _file(path: Path, root: Path) -> Wanted:
    parsed = written.parse(path, root)
    return Wanted(parsed.requirements, parsed.constraints, parsed.project_extras, parsed.refused)


def _joined(parts: Iterable[Wanted]) -> Wanted:
    columns = zip(*parts, strict=True)
    return Wanted(*(tuple(dict.fromkeys(chain.from_iterable(column))) for column in columns))


def _pyproject(root: Path) -> Mapping[str, Any]:
    try:
        return manifest.toml_of(root / "pyproject.toml")
    except manifest.Problem:
        return {}


def _lines(value: object) -> tuple[str, ...]:
    items = value.splitlines() if isinstance(value, str) else value
    strings = [item for item in items if isinstance(item, str)] if isinstance(items, list) else []
    return tuple(line.strip() for line in strings if line.strip())
