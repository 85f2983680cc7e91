"""What each kind of manifest declares."""

import json
from pathlib import Path

import pytest

from sdkbench.core import Project
from sdkbench.test_harness.python.manifest import Declared, declared_requirements
from sdkbench.test_harness.python.own_project import plan_for
from sdkbench.test_harness.python.project import PYTEST
from tests.support.manifest_kinds import URL
from tests.support.projects import ProjectFactory


def wanted(root: Path) -> list[str]:
    """What the tests of the project need besides itself."""
    plan = plan_for(Project.of_folder(root))
    own = {*declared_requirements(root).requirements, PYTEST}
    return [line for line in (*plan.needed, *plan.wanted) if line not in own]


# requirements.txt


def test_requirements_txt_with_constraints(project: ProjectFactory) -> None:
    root = project({"requirements.txt": "requests\n-c pins.txt", "pins.txt": "urllib3<2"})
    assert declared_requirements(root) == Declared(
        "requirements.txt", ("requests",), ("urllib3<2",)
    )


@pytest.mark.parametrize(
    "name", ["requirements-dev.txt", "requirements-test.txt", "dev-requirements.txt"]
)
def test_dev_requirements_count_only_with_tests(project: ProjectFactory, name: str) -> None:
    root = project({"requirements.txt": "requests", name: "pytest-mock"})
    assert declared_requirements(root).requirements == ("requests",)
    assert wanted(root) == ["pytest-mock"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[project]\ndependencies = ['httpx']"),
        ("setup.cfg", "[options]\ninstall_requires = httpx"),
        ("setup.py", "from setuptools import setup\nsetup(install_requires=['httpx'])"),
    ],
)
def test_an_editable_install_of_the_project_brings_its_own_requirements(
    project: ProjectFactory, name: str, text: str
) -> None:
    root = project({"requirements.txt": "requests\n-e .", name: text})
    declared = declared_requirements(root)
    assert declared == Declared("requirements.txt", ("requests", "httpx"))


def test_refusals_of_requirements_txt_reach_the_caller(project: ProjectFactory) -> None:
    root = project({"requirements.txt": f"--index-url {URL}\nx @ {URL}\nrequests"})
    declared = declared_requirements(root)
    assert declared.requirements == ("requests",)
    assert len(declared.refused) == 2


# pyproject.toml, PEP 621 and PEP 735


def test_pep_621_dependencies(project: ProjectFactory) -> None:
    root = project({"pyproject.toml": "[project]\ndependencies = ['httpx>=0.27', 'rich']"})
    assert declared_requirements(root) == Declared("pyproject.toml", ("httpx>=0.27", "rich"))


def test_optional_test_dependencies_count_only_with_tests(project: ProjectFactory) -> None:
    text = """
[project]
dependencies = ["httpx"]
[project.optional-dependencies]
test = ["respx"]
docs = ["sphinx"]
"""
    root = project({"pyproject.toml": text})
    assert declared_requirements(root).requirements == ("httpx",)
    assert wanted(root) == ["respx"]


def test_dependency_groups_follow_includes_and_end_in_a_loop(project: ProjectFactory) -> None:
    text = """
[dependency-groups]
test = ["respx", {include-group = "base"}]
base = [
    "anyio", {include-group = "test"}, {include-group = "base"}, {include-group = "gone"}, {x = 1},
]
docs = ["sphinx"]
"""
    root = project({"pyproject.toml": text})
    assert wanted(root) == ["respx", "anyio"]
    assert declared_requirements(root).requirements == ()


# pyproject.toml, poetry


POETRY = """
[tool.poetry.dependencies]
python = "^3.11"
httpx = "^0.27"
rich = {version = "*", extras = ["jupyter"]}
slow = {version = "1.0", optional = true}
[tool.poetry.dev-dependencies]
respx = "0.22.0"
[tool.poetry.group.test.dependencies]
anyio = "~4.1"
"""


def test_poetry_tables_become_requirements(project: ProjectFactory) -> None:
    root = project({"pyproject.toml": POETRY})
    assert declared_requirements(root).requirements == ("httpx>=0.27,<0.28", "rich[jupyter]")


def test_poetry_groups_count_only_with_tests(project: ProjectFactory) -> None:
    root = project({"pyproject.toml": POETRY})
    assert wanted(root) == ["respx==0.22.0", "anyio>=4.1,<4.2"]


@pytest.mark.parametrize(
    "spec",
    [
        f"{{git = '{URL}'}}",
        "{path = '../x'}",
        f"{{url = '{URL}'}}",
        "{version = '1', source = 'x'}",
    ],
)
def test_poetry_dependencies_from_elsewhere_are_refused(project: ProjectFactory, spec: str) -> None:
    root = project({"pyproject.toml": f"[tool.poetry.dependencies]\nx = {spec}\nhttpx = '*'"})
    declared = declared_requirements(root)
    assert declared.requirements == ("httpx",)
    (sentence,) = declared.refused
    assert sentence.startswith("pyproject.toml: x: ")


# setup.cfg


def test_setup_cfg_lists(project: ProjectFactory) -> None:
    text = """
[options]
install_requires =
    httpx>=0.27
    # a comment
    rich
[options.extras_require]
test = respx
docs = sphinx
"""
    root = project({"setup.cfg": text})
    assert declared_requirements(root) == Declared("setup.cfg", ("httpx>=0.27", "rich"))
    assert wanted(root) == ["respx"]


def test_a_percent_sign_in_setup_cfg_is_no_interpolation(project: ProjectFactory) -> None:
    root = project({"setup.cfg": "[metadata]\nx = 100%\n[options]\ninstall_requires = httpx"})
    assert declared_requirements(root).requirements == ("httpx",)


# setup.py


@pytest.mark.parametrize(
    "text",
    [
        "from setuptools import setup\nsetup(name='x', install_requires=['httpx', 'rich>=1'])",
        "import setuptools\nsetuptools.setup(install_requires=('httpx', 'rich>=1'))",
        "from setuptools import setup\nNEEDS = ['httpx', 'rich>=1']\nsetup(install_requires=NEEDS)",
        "if __name__ == '__main__':\n    setup(install_requires=['httpx', 'rich>=1'])",
    ],
    ids=["list", "tuple", "name", "inside a block"],
)
def test_literal_lists_of_setup_py_are_read(project: ProjectFactory, text: str) -> None:
    assert declared_requirements(project({"setup.py": text})) == Declared(
        "setup.py", ("httpx", "rich>=1")
    )


def test_a_single_string_in_setup_py_is_one_requirement(project: ProjectFactory) -> None:
    root = project({"setup.py": "setup(install_requires='httpx')"})
    assert declared_requirements(root).requirements == ("httpx",)


def test_tests_require_counts_only_with_tests(project: ProjectFactory) -> None:
    root = project({"setup.py": "setup(install_requires=['httpx'], tests_require=['respx'])"})
    assert declared_requirements(root).requirements == ("httpx",)
    assert wanted(root) == ["respx"]


@pytest.mark.parametrize(
    "value", ["open('r.txt').read().split()", "NOWHERE", "['a'] + more()", "[x for x in y]"]
)
def test_a_computed_list_in_setup_py_is_refused_with_advice(
    project: ProjectFactory, value: str
) -> None:
    declared = declared_requirements(project({"setup.py": f"setup(install_requires={value})"}))
    assert declared.requirements == ()
    assert "literal list" in declared.refused[0]


@pytest.mark.parametrize("value", ["5", "None", "[1, 2]", "True", "b'x'"])
def test_a_list_of_the_wrong_type_in_setup_py_is_refused(
    project: ProjectFactory, value: str
) -> None:
    declared = declared_requirements(project({"setup.py": f"setup(install_requires={value})"}))
    assert declared.requirements == ()
    assert "setup.py" in declared.refused[0]


def test_setup_py_is_never_executed(project: ProjectFactory, tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    text = f"open({str(mark)!r}, 'w').close()\nsetup(install_requires=['httpx'])"
    assert declared_requirements(project({"setup.py": text})).requirements == ("httpx",)
    assert not mark.exists()


def test_an_invalid_escape_in_setup_py_is_no_obstacle(project: ProjectFactory) -> None:
    root = project({"setup.py": "PATTERN = '\\d'\nsetup(install_requires=['httpx'])"})
    assert declared_requirements(root).requirements == ("httpx",)


# Pipfile and Pipfile.lock


def test_pipfile_tables(project: ProjectFactory) -> None:
    text = (
        '[packages]\nhttpx = "*"\nrich = {version = ">=13", extras = ["x"]}\n'
        '[dev-packages]\nrespx = "*"'
    )
    root = project({"Pipfile": text})
    assert declared_requirements(root) == Declared("Pipfile", ("httpx", "rich[x]>=13"))
    assert wanted(root) == ["respx"]


def test_pipfile_dependencies_from_elsewhere_are_refused(project: ProjectFactory) -> None:
    declared = declared_requirements(project({"Pipfile": f"[packages]\nx = {{git = '{URL}'}}"}))
    assert declared == Declared("Pipfile", refused=("Pipfile: x: git dependencies are refused",))


LOCK = {
    "default": {
        "httpx": {
            "version": "==0.27.0",
            "index": "pypi",
            "hashes": ["sha256:aa"],
            "markers": "python_version >= '3.8'",
        }
    },
    "develop": {"respx": {"version": "==0.22.0"}},
}


def test_pipfile_lock_gives_pins_whatever_index_it_names(project: ProjectFactory) -> None:
    root = project({"Pipfile.lock": json.dumps(LOCK), "Pipfile": '[packages]\nhttpx = "*"'})
    declared = declared_requirements(root)
    assert declared == Declared("Pipfile.lock", ("httpx==0.27.0 ; python_version >= '3.8'",))
    assert wanted(root) == ["respx==0.22.0"]
