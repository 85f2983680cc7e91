"""Which files are tests by a project's own settings."""

from pathlib import Path

import pytest

from sdkbench.core import Project
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.python import foreign, pytest_config
from sdkbench.test_harness.python.project import framework_of
from sdkbench.test_harness.python.project import test_files as files_with_tests
from tests.support.projects import ProjectFactory


def found(root: Path) -> list[str]:
    files = files_with_tests(Project.of_folder(root))
    return sorted(path.relative_to(root).as_posix() for path in files)


FILES = {
    "src/app.py": "",
    "tests/test_a.py": "",
    "tests/spec_b.py": "",
    "tests/data/test_c.py": "",
    "README.rst": "",
}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("pytest.ini", "[pytest]\n", ["tests/data/test_c.py", "tests/test_a.py"]),
        ("pytest.ini", "[pytest]\npython_files = spec_*.py\n", ["tests/spec_b.py"]),
        ("pytest.ini", "[pytest]\ntestpaths = src\n", []),
        ("pytest.ini", "[pytest]\nnorecursedirs = data\n", ["tests/test_a.py"]),
        ("tox.ini", "[pytest]\npython_files = tests/spec_*.py\n", ["tests/spec_b.py"]),
        ("setup.cfg", "[tool:pytest]\ntestpaths =\n  tests/data\n", ["tests/data/test_c.py"]),
        (
            "setup.cfg",
            (
                "[tool:pytest]\naddopts = --doctest-modules --doctest-glob '*.rst'\n"
                "testpaths = src *.rst\n"
            ),
            ["README.rst", "src/app.py"],
        ),
        (
            "pyproject.toml",
            (
                "[tool.pytest.ini_options]\naddopts = ['--doctest-glob=*.rst']\n"
                "python_files = 'no_*'\n"
            ),
            ["README.rst"],
        ),
        ("pyproject.toml", "[tool.pytest]\ntestpaths = ['tests/d*']\n", ["tests/data/test_c.py"]),
        ("pytest.toml", "[pytest]\npython_files = ['spec_*']\n", ["tests/spec_b.py"]),
    ],
)
def test_settings_say_which_files_are_tests(
    project: ProjectFactory, name: str, text: str, expected: list[str]
) -> None:
    assert found(project({**FILES, name: text})) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tox.ini", "[tox]\n"),
        ("setup.cfg", "[metadata]\nname = x\n"),
        ("pyproject.toml", "[project]\nname = 'x'\n"),
        ("pyproject.toml", "[tool]\npytest = 5\n"),
        ("pyproject.toml", "= broken"),
    ],
)
def test_without_settings_names_decide(project: ProjectFactory, name: str, text: str) -> None:
    root = project({**FILES, name: text})
    assert pytest_config.read(root) is None
    assert found(root) == ["tests/data/test_c.py", "tests/test_a.py"]


def test_the_first_file_with_settings_counts(project: ProjectFactory) -> None:
    root = project({"tox.ini": "[pytest]\n", "pytest.ini": "", "setup.cfg": "[tool:pytest]\n"})
    settings = pytest_config.read(root)
    assert settings
    assert settings.source == "pytest.ini"


UNITTEST = "import unittest\nclass C(unittest.TestCase): pass\n"


@pytest.mark.parametrize(
    ("files", "framework"),
    [
        ({}, TestFramework.UNITTEST),
        ({"pytest.ini": ""}, TestFramework.PYTEST),
        ({"tests/test_b.py": "import pytest\n"}, TestFramework.PYTEST),
        ({"requirements-test.txt": "pytest>=8\n"}, TestFramework.PYTEST),
        ({"tox.ini": "[testenv]\ndeps = pytest\ncommands = pytest\n"}, TestFramework.PYTEST),
        ({"tox.ini": "[testenv]\ncommands = python -m unittest\n"}, TestFramework.UNITTEST),
        (
            {"pyproject.toml": "[project.optional-dependencies]\nall = ['pytest']\n"},
            TestFramework.PYTEST,
        ),
    ],
)
def test_unittest_only_where_nothing_speaks_of_pytest(
    project: ProjectFactory, files: dict[str, str], framework: TestFramework
) -> None:
    root = project({"tests/test_a.py": UNITTEST, **files})
    assert framework_of(Project.of_folder(root)) is framework


def test_a_framework_of_others_is_named_with_its_sign(project: ProjectFactory) -> None:
    root = project({"tests/test_a.py": "from ward import test\n"})
    other = foreign.unsupported(Project.of_folder(root))
    assert other
    assert (other.framework, other.sign) == ("ward", "tests/test_a.py")


@pytest.mark.parametrize(
    "files",
    [
        {"tests/test_a.py": "import nose2\n" + UNITTEST},
        {"tests/test_a.py": "from ward import test\nimport pytest\n"},
        {"tests/test_a.py": "from ward import test\n", "pytest.ini": ""},
        {"app.py": "from ward import test\n", "tests/test_a.py": "def test_it(): pass\n"},
    ],
    ids=["unittest's classes", "pytest beside it", "pytest's settings", "no test"],
)
def test_what_pytest_can_run_is_nobody_else_s(
    project: ProjectFactory, files: dict[str, str]
) -> None:
    assert foreign.unsupported(Project.of_folder(project(files))) is None
