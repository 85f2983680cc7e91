"""What a Python project says it needs, read without running any of it."""

import ast
import configparser
import json
import threading
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.test_harness.python import requirements as written

TEST_GROUPS = ("test", "tests", "testing", "dev", "develop", "development")
MAX_MANIFEST_BYTES = 4 * 1024 * 1024
_quiet = threading.Lock()  # the filters of `warnings` belong to the whole process


class Declared(NamedTuple):
    """Requirements of a project. `refused` holds a sentence for each thing we don't install."""

    source: str | None  # the manifest's name; None where there is none
    requirements: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class _Problem(Exception):
    """A manifest that cannot be read; the message becomes an install failure."""


def parse_python(source: str | bytes) -> ast.Module:
    """ast.parse; an odd escape in the source is its author's business, not a warning of ours.

    Raises SyntaxError, ValueError, RecursionError or MemoryError for what is no Python.
    """
    with _quiet, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def declared_requirements(root: Path, *, with_tests: bool = False) -> Declared:
    """The first manifest that declares something, in the order a person would install from.

    `with_tests` adds the project's own test and dev groups: wanted when it brings its own tests.
    """
    present: str | None = None
    for name, read in _READERS.items():
        path = root / name
        if not path.is_file():
            continue
        present = present or name
        try:
            declared = read(path, root, with_tests)
        except _Problem as problem:
            return Declared(name, refused=(f"{name}: {problem}",))
        if declared.requirements or declared.refused:
            return _from_the_index_only(declared)
    return Declared(present)


def _from_the_index_only(declared: Declared) -> Declared:
    """Refuse URLs, and what would become an option of the installer, whatever the manifest."""
    kept, refused = [], list(declared.refused)
    for line in declared.requirements:
        text = line.strip()
        if len(text.splitlines()) > 1 or text.startswith("-") or text.endswith("\\"):
            refused.append(f"{declared.source}: {line!r} is not a requirement")
        elif written.points_elsewhere(text):
            refused.append(
                f"{declared.source}: {line!r} is a URL or a path; "
                "only packages of the index are allowed"
            )
        else:
            kept.append(text)
    return declared._replace(requirements=tuple(kept), refused=tuple(refused))


def _requirements_txt(path: Path, root: Path, with_tests: bool) -> Declared:
    parsed = written.parse(path, root)
    if with_tests:
        for extra in ("requirements-dev.txt", "requirements-test.txt", "dev-requirements.txt"):
            if (root / extra).is_file():
                more = written.parse(root / extra, root)
                parsed = parsed._replace(
                    requirements=parsed.requirements + more.requirements,
                    constraints=parsed.constraints + more.constraints,
                    refused=parsed.refused + more.refused,
                )
    requirements, refused = parsed.requirements, parsed.refused
    if parsed.includes_project:
        for name in ("pyproject.toml", "setup.cfg", "setup.py"):
            if (root / name).is_file():
                own = _READERS[name](root / name, root, with_tests)
                requirements, refused = requirements + own.requirements, refused + own.refused
                break
    return Declared(path.name, requirements, parsed.constraints, refused)


def _pyproject(path: Path, _root: Path, with_tests: bool) -> Declared:
    data = _toml(path)
    project = _table(data, "project")
    requirements = _strings(project.get("dependencies"), "project.dependencies")
    refused: list[str] = []
    if with_tests:
        optional = _table(project, "optional-dependencies")
        for group in TEST_GROUPS:
            requirements += _strings(optional.get(group), f"optional-dependencies.{group}")
        requirements += _groups(_table(data, "dependency-groups"))
    tool = _table(_table(data, "tool"), "poetry")
    for table in _poetry_tables(tool, with_tests):
        _from_table(table, requirements, refused, path.name)
    return Declared(path.name, tuple(requirements), (), tuple(refused))


def _groups(groups: Mapping[str, Any]) -> list[str]:
    """PEP 735 test groups with their includes; a loop of includes ends where it began."""
    found: list[str] = []
    waiting, seen = [g for g in TEST_GROUPS if g in groups], set()
    while waiting:
        name = waiting.pop(0)
        if name in seen or not isinstance(groups.get(name), list):
            continue
        seen.add(name)
        for item in groups[name]:
            if isinstance(item, str):
                found.append(item)
            elif isinstance(item, dict) and isinstance(item.get("include-group"), str):
                waiting.append(item["include-group"])
    return found


def _poetry_tables(tool: Mapping[str, Any], with_tests: bool) -> Iterator[Mapping[str, Any]]:
    yield _table(tool, "dependencies")
    if with_tests:
        yield _table(tool, "dev-dependencies")
        for group in _table(tool, "group").values():
            if isinstance(group, dict):
                yield _table(group, "dependencies")


def _setup_cfg(path: Path, _root: Path, with_tests: bool) -> Declared:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(_text(path))
    except configparser.Error as error:
        raise _Problem(f"not a valid file: {error}") from error
    lines = parser.get("options", "install_requires", fallback="")
    if with_tests and parser.has_section("options.extras_require"):
        section = parser["options.extras_require"]
        lines += "".join("\n" + section.get(group, "") for group in TEST_GROUPS)
    return Declared(path.name, tuple(line.strip() for line in lines.splitlines() if line.strip()))


def _setup_py(path: Path, _root: Path, with_tests: bool) -> Declared:
    """The literal lists in the setup() call; setup.py itself is never run."""
    try:
        module = parse_python(_text(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _Problem(f"not valid Python: {error}") from error
    constants = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    wanted = ["install_requires", *(["tests_require"] if with_tests else [])]
    requirements: list[str] = []
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and _called(node.func) == "setup":
            for keyword in node.keywords:
                if keyword.arg in wanted:
                    requirements += _literal_list(keyword.value, constants)
    return Declared(path.name, tuple(requirements))


def _called(function: ast.expr) -> str | None:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else None


def _literal_list(node: ast.expr, constants: Mapping[str, ast.expr]) -> list[str]:
    if isinstance(node, ast.Name):
        node = constants.get(node.id, node)
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise _Problem(
            "install_requires is computed, and setup.py is not run. "
            "Write it as a literal list, or add a requirements.txt"
        ) from error
    if isinstance(value, str):
        value = [value]
    if isinstance(value, tuple | set):
        value = list(value)
    if not isinstance(value, list):
        raise _Problem("install_requires must be a list of strings")
    return _strings(value, "install_requires")


def _pipfile_lock(path: Path, _root: Path, with_tests: bool) -> Declared:
    try:
        data = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise _Problem(f"not valid JSON: {error}") from error
    if not isinstance(data, dict):
        raise _Problem("not a JSON object")
    return _pipenv_tables(data, ("default", "develop"), path.name, with_tests)


def _pipfile(path: Path, _root: Path, with_tests: bool) -> Declared:
    return _pipenv_tables(_toml(path), ("packages", "dev-packages"), path.name, with_tests)


def _pipenv_tables(
    data: Mapping[str, Any], names: tuple[str, str], manifest: str, with_tests: bool
) -> Declared:
    requirements: list[str] = []
    refused: list[str] = []
    for name in names if with_tests else names[:1]:
        table = _table(data, name)
        # The lock names the index of each package; we use the configured one.
        plain = {
            key: {k: v for k, v in spec.items() if k != "index"} if isinstance(spec, dict) else spec
            for key, spec in table.items()
        }
        _from_table(plain, requirements, refused, manifest)
    return Declared(manifest, tuple(requirements), (), tuple(refused))


def _from_table(
    table: Mapping[str, Any], requirements: list[str], refused: list[str], manifest: str
) -> None:
    for name, spec in table.items():
        if name == "python":
            continue
        try:
            line = written.requirement(name, spec)
        except written.Unsupported as error:
            refused.append(f"{manifest}: {error}")
            continue
        requirements += (line or "").splitlines()


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except (ValueError, RecursionError) as error:  # an endless number is a plain ValueError
        raise _Problem(f"not valid TOML: {error}") from error


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_MANIFEST_BYTES:
            raise _Problem("larger than 4 MiB")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise _Problem(f"cannot be read: {error}") from error


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name, {})
    if not isinstance(value, dict):
        raise _Problem(f"{name} must be a table")
    return value


def _strings(value: object, where: str) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _Problem(f"{where} must be a list of strings")
    return list(value)


_Reader = Callable[[Path, Path, bool], Declared]
_READERS: dict[str, _Reader] = {
    "requirements.txt": _requirements_txt,
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "Pipfile.lock": _pipfile_lock,
    "Pipfile": _pipfile,
}
