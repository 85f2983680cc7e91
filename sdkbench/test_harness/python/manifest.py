"""What a Python project says it needs, read without running any of it."""

import ast
import configparser
import json
import re
import threading
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.test_harness.python import requirements as written

MAX_MANIFEST_BYTES = 4 * 1024 * 1024
# What their readers take the square of time for.
MAX_CFG_BYTES = 64 * 1024
MAX_SETUP_BYTES = 512 * 1024
MAX_TOML_LINE = 10_000  # a key of a thousand dots, say
BLANKS = re.compile(r"(?<=\S)[^\S\n]+")
_quiet = threading.Lock()  # the filters of `warnings` belong to the whole process


class Declared(NamedTuple):
    """Requirements of a project. `refused` holds a sentence for each thing we don't install."""

    source: str | None  # the manifest's name; None where there is none
    requirements: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class Problem(Exception):
    """A manifest that cannot be read; the message becomes an install failure."""


def parse_python(source: str | bytes) -> ast.Module:
    """ast.parse; an odd escape in the source is its author's business, not a warning of ours.

    Raises SyntaxError, ValueError, RecursionError or MemoryError for what is no Python.
    """
    with _quiet, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def declared_requirements(root: Path) -> Declared:
    """The first manifest that declares something, in the order a person would install from."""
    present: str | None = None
    for name, read in _READERS.items():
        path = root / name
        if not path.is_file():
            continue
        present = present or name
        try:
            declared = read(path, root)
        except Problem as problem:
            return Declared(name, refused=(f"{name}: {problem}",))
        if declared.requirements or declared.refused:
            return from_the_index_only(declared)
    return Declared(present)


def from_the_index_only(declared: Declared) -> Declared:
    """Refuse URLs, and what would become an option of the installer, whatever the manifest."""
    kept, refused = [], list(declared.refused)
    for line in declared.requirements:
        text = line.strip()
        odd = not text.isprintable() and not _is_text(text)
        if odd or len(text.splitlines()) > 1 or text.startswith("-") or text.endswith("\\"):
            refused.append(f"{declared.source}: {line!r} is not a requirement")
        elif written.points_elsewhere(text):
            refused.append(
                f"{declared.source}: {line!r} is a URL or a path; "
                "only packages of the index are allowed"
            )
        else:
            kept.append(text)
    return declared._replace(requirements=tuple(kept), refused=tuple(refused))


def _is_text(text: str) -> bool:
    """Whether it can be written to a file: JSON and Python can say half of a character."""
    return text == text.encode("utf-8", "replace").decode() and "\0" not in text


def _requirements_txt(path: Path, root: Path) -> Declared:
    parsed = written.parse(path, root)
    requirements, refused = parsed.requirements, parsed.refused
    if parsed.includes_project:
        for name in ("pyproject.toml", "setup.cfg", "setup.py"):
            if (root / name).is_file():
                own = _READERS[name](root / name, root)
                requirements, refused = requirements + own.requirements, refused + own.refused
                break
    return Declared(path.name, requirements, parsed.constraints, refused)


def _pyproject(path: Path, _root: Path) -> Declared:
    data = toml_of(path)
    requirements = strings(table(data, "project").get("dependencies"), "project.dependencies")
    refused: list[str] = []
    poetry = table(table(data, "tool"), "poetry")
    from_table(table(poetry, "dependencies"), requirements, refused, path.name)
    return Declared(path.name, tuple(requirements), (), tuple(refused))


def _setup_cfg(path: Path, _root: Path) -> Declared:
    lines = cfg_of(path).get("options", "install_requires", fallback="")
    return Declared(path.name, tuple(line.strip() for line in lines.splitlines() if line.strip()))


def _setup_py(path: Path, _root: Path) -> Declared:
    """The literal lists in the setup() call; setup.py itself is never run here."""
    requirements: list[str] = []
    for value, constants in setup_words(path, "install_requires"):
        requirements += _literal_list(value, constants)
    return Declared(path.name, tuple(requirements))


def setup_words(path: Path, *names: str) -> Iterator[tuple[ast.expr, Mapping[str, ast.expr]]]:
    """What setup() is called with by these names, and the module's own constants."""
    try:
        module = parse_python(_text(path, MAX_SETUP_BYTES))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Problem(f"not valid Python: {error}") from error
    constants = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and _called(node.func) == "setup":
            for keyword in node.keywords:
                if keyword.arg in names:
                    yield keyword.value, constants


def setup_literals(path: Path, name: str) -> list[Any]:
    """What setup() is given by this name, where it is written as plain data."""
    values: list[Any] = []
    try:
        for node, constants in setup_words(path, name):
            value = constants.get(node.id, node) if isinstance(node, ast.Name) else node
            values.append(ast.literal_eval(value))
    except (Problem, ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        pass
    return values


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
        raise Problem(
            "install_requires is computed, and setup.py is not run. "
            "Write it as a literal list, or add a requirements.txt"
        ) from error
    if isinstance(value, str):
        value = [value]
    if isinstance(value, tuple | set):
        value = list(value)
    if not isinstance(value, list):
        raise Problem("install_requires must be a list of strings")
    return strings(value, "install_requires")


def _pipfile_lock(path: Path, _root: Path) -> Declared:
    return pipenv_table(json_of(path), "default", path.name)


def _pipfile(path: Path, _root: Path) -> Declared:
    return pipenv_table(toml_of(path), "packages", path.name)


def pipenv_table(data: Mapping[str, Any], name: str, manifest: str) -> Declared:
    requirements: list[str] = []
    refused: list[str] = []
    # The lock names the index of each package; we use the configured one.
    plain = {
        key: {k: v for k, v in spec.items() if k != "index"} if isinstance(spec, dict) else spec
        for key, spec in table(data, name).items()
    }
    from_table(plain, requirements, refused, manifest)
    return Declared(manifest, tuple(requirements), (), tuple(refused))


def from_table(
    entries: Mapping[str, Any], requirements: list[str], refused: list[str], manifest: str
) -> None:
    """Poetry's and Pipenv's notation; what has no form that we may use is refused."""
    for name, spec in entries.items():
        if name == "python":
            continue
        try:
            line = written.requirement(name, spec)
        except written.Unsupported as error:
            refused.append(f"{manifest}: {error}")
            continue
        requirements += (line or "").splitlines()


def json_of(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise Problem(f"not valid JSON: {error}") from error
    if not isinstance(data, dict):
        raise Problem("not a JSON object")
    return data


def toml_of(path: Path) -> dict[str, Any]:
    text = _text(path)
    if max(map(len, text.splitlines()), default=0) > MAX_TOML_LINE:
        raise Problem(f"a line of more than {MAX_TOML_LINE:,} characters")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # an endless number is a plain ValueError
        raise Problem(f"not valid TOML: {error}") from error


def cfg_of(path: Path) -> configparser.ConfigParser:
    """Raises Problem where it is no file of that kind."""
    return cfg_text(_text(path, MAX_CFG_BYTES))


def cfg_text(text: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    if len(text) > MAX_CFG_BYTES:
        raise Problem(f"larger than {MAX_CFG_BYTES // 1024:,} KiB")
    try:
        # Blanks in a row take the reader their number's square of time.
        parser.read_string(BLANKS.sub(" ", text))
    except configparser.Error as error:
        raise Problem(f"not a valid file: {error}") from error
    return parser


def _text(path: Path, own_most: int | None = None) -> str:
    most = min(own_most or MAX_MANIFEST_BYTES, MAX_MANIFEST_BYTES)
    try:
        if path.stat().st_size > most:
            raise Problem(f"larger than {most // 1024:,} KiB")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"cannot be read: {error}") from error


def table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name, {})
    if not isinstance(value, dict):
        raise Problem(f"{name} must be a table")
    return value


def table_or_empty(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """For readers that leave complaining to the first one."""
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def strings(value: object, where: str) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Problem(f"{where} must be a list of strings")
    return list(value)


_Reader = Callable[[Path, Path], Declared]
_READERS: dict[str, _Reader] = {
    "requirements.txt": _requirements_txt,
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "Pipfile.lock": _pipfile_lock,
    "Pipfile": _pipfile,
}
