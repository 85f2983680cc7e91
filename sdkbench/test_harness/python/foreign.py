"""Test frameworks that are none of ours: they are named, not run as if they were pytest."""

from pathlib import Path

from sdkbench.core import Project
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python import pytest_config
from sdkbench.test_harness.recognition import Unsupported

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


def unsupported(project: Project) -> Unsupported | None:
    """The framework that the project's own tests are written for, where it is neither pytest nor
    unittest.
    """
    root = project.solution.source
    if pytest_config.read(root) is not None:
        return None
    texts = {
        path: python_project.source_of(path)
        for path in python_project.python_files(project.test_sources)
        if _is_about_tests(path.relative_to(root))
    }
    if any("pytest" in text or "TestCase" in text for text in texts.values()):
        return None
    for path, text in texts.items():
        imported = {name.partition(".")[0] for name in python_project.imported_modules([text])}
        for module in sorted(imported & FRAMEWORKS.keys()):
            return Unsupported(FRAMEWORKS[module], path.relative_to(root).as_posix())
    return None


def _is_about_tests(inner: Path) -> bool:
    words = {part.lower().removesuffix(".py") for part in inner.parts}
    named = words & {"test", "tests", "testing", "features", "steps", "spec", "specs"}
    return bool(named) or python_project.TEST_FILE.match(inner.name) is not None
