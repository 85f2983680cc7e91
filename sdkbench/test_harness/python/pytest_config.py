"""Which files are tests by the project's own settings of pytest. pytest itself reads them when the
tests run; here they only tell what kind of project it is.
"""

import fnmatch
import itertools
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.core import tree
from sdkbench.test_harness.python import manifest, tox
from sdkbench.test_harness.python.manifest import table_or_empty

PYTHON_FILES = ("test_*.py", "*_test.py")  # pytest's own rule
SKIPPED_FOLDERS = (
    "*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}",
)  # fmt: skip
MAX_PATTERNS = 100


class Settings(NamedTuple):
    source: str  # the file that they stand in
    test_paths: tuple[str, ...] = ()
    python_files: tuple[str, ...] = PYTHON_FILES
    skipped_folders: tuple[str, ...] = SKIPPED_FOLDERS
    options: tuple[str, ...] = ()  # addopts

    @property
    def has_doctests(self) -> bool:
        return "--doctest-modules" in self.options

    @property
    def doctest_files(self) -> tuple[str, ...]:
        """Patterns of texts with doctests in them."""
        return tuple(_values(self.options, "--doctest-glob"))

    def is_test(self, path: Path, root: Path) -> bool:
        inner = path.relative_to(root)
        if self.test_paths and not any(_is_below(inner, place) for place in self.test_paths):
            return False
        if any(fnmatch.fnmatch(p, skip) for p in inner.parts[:-1] for skip in self.skipped_folders):
            return False
        patterns = (*self.python_files, *self.doctest_files)
        return (self.has_doctests and path.suffix == ".py") or any(
            fnmatch.fnmatch(path.name, pattern) or fnmatch.fnmatch(inner.as_posix(), pattern)
            for pattern in patterns
        )


def read(root: Path) -> Settings | None:
    """In the order in which pytest looks for them; None where the project has none."""
    for name in ("pytest.toml", ".pytest.toml"):
        data = _toml(root / name)
        if "pytest" in data:
            return _settings(name, table_or_empty(data, "pytest"))
    for name in ("pytest.ini", ".pytest.ini"):
        if tree.is_file(root / name):
            return _settings(name, tox.section(root / name, "pytest"))
    pytest = table_or_empty(table_or_empty(_toml(root / "pyproject.toml"), "tool"), "pytest")
    if pytest:
        return _settings("pyproject.toml", table_or_empty(pytest, "ini_options") or pytest)
    for name, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        values = tox.section(root / name, section)
        if values:
            return _settings(name, values)
    return None


def _settings(source: str, values: Mapping[str, Any]) -> Settings:
    return Settings(
        source,
        _words(values.get("testpaths")),
        _words(values.get("python_files")) or PYTHON_FILES,
        _words(values.get("norecursedirs")) or SKIPPED_FOLDERS,
        _words(values.get("addopts")),
    )


def _words(value: object) -> tuple[str, ...]:
    """A list, or the words of a text as a shell has them."""
    if isinstance(value, list):
        return tuple(item for item in value[:MAX_PATTERNS] if isinstance(item, str))
    if not isinstance(value, str):
        return ()
    try:
        return tuple(shlex.split(value)[:MAX_PATTERNS])
    except ValueError:
        return tuple(value.split()[:MAX_PATTERNS])


def _values(options: tuple[str, ...], name: str) -> list[str]:
    pairs = itertools.pairwise(options)
    spaced = [value for word, value in pairs if word == name]
    return spaced + [word.partition("=")[2] for word in options if word.startswith(f"{name}=")]


def _is_below(inner: Path, place: str) -> bool:
    parts = Path(place).parts
    return len(parts) <= len(inner.parts) and all(
        fnmatch.fnmatch(part, pattern) for part, pattern in zip(inner.parts, parts, strict=False)
    )


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return manifest.toml_of(path)
    except manifest.Problem:
        return {}
