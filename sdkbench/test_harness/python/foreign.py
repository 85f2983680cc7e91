"""Test frameworks that are none of ours: they are named, not run as if they were pytest."""

import re
from collections.abc import Mapping
from pathlib import Path

from sdkbench.core import Project, tree
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python import pytest_config
from sdkbench.test_harness.recognition import Unsupported, text_of

# The module that its tests import → how it is called.
FRAMEWORKS = {
    "ward": "ward",
    "nose": "nose",
    "nose2": "nose2",
    "testify": "testify",
    "behave": "behave",
    "lettuce": "lettuce",
    "radish": "radish",
    "mamba": "mamba",
    "robot": "Robot Framework",
    "avocado": "avocado",
    "hammett": "hammett",
}
# Tests that need Django set up; who may do that for pytest; and how it is written there.
DJANGO = re.compile(r"^\s*(?:from|import)\s+(?:django|rest_framework)\.test\b", re.MULTILINE)
DJANGO_SETTINGS = (
    "pyproject.toml", "pytest.ini", ".pytest.ini", "pytest.toml", "tox.ini", "setup.cfg",
)  # fmt: skip
SETS_UP = re.compile(r"DJANGO_SETTINGS_MODULE|\bsettings\.configure\(|\bdjango\.setup\(|--ds\b")
DJANGO_PROGRAMS = ("manage.py", "runtests.py")


def unsupported(project: Project) -> Unsupported | None:
    """The framework that the project's own tests are written for, where it is neither pytest nor
    unittest.
    """
    root = project.solution.source
    texts = {
        path: python_project.source_of(path)
        for path in python_project.python_files(project.test_sources)
        if _is_about_tests(path.relative_to(root))
    }
    if django := _django(root, texts):
        return django
    if pytest_config.read(root) is not None:
        return None
    if any("pytest" in text or "TestCase" in text for text in texts.values()):
        return None
    for path, text in texts.items():
        imported = {name.partition(".")[0] for name in python_project.imported_modules([text])}
        for module in sorted(imported & FRAMEWORKS.keys()):
            return Unsupported(FRAMEWORKS[module], path.relative_to(root).as_posix())
    return None


def _django(root: Path, texts: Mapping[Path, str]) -> Unsupported | None:
    """Django's own runner sets Django up before its tests, which pytest and unittest do only where
    somebody tells them how.
    """
    test = next((path for path, text in texts.items() if DJANGO.search(text)), None)
    if test is None:
        return None
    told = [path for path in python_project.python_files((root,)) if path.name == "conftest.py"]
    told += [root / name for name in DJANGO_SETTINGS if tree.is_file(root / name)]
    if any(SETS_UP.search(text) for text in (*map(text_of, told), *texts.values())):
        return None
    manage = next((name for name in DJANGO_PROGRAMS if tree.is_file(root / name)), None)
    sign = manage or test.relative_to(root).as_posix()
    return Unsupported("Django's own test runner", sign)


def _is_about_tests(inner: Path) -> bool:
    words = {part.lower().removesuffix(".py") for part in inner.parts}
    named = words & {"test", "tests", "testing", "features", "steps", "spec", "specs"}
    return bool(named) or python_project.TEST_FILE.match(inner.name) is not None
