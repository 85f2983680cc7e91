"""What a project's own tests need, wherever it says so."""

import pytest

from sdkbench.core import Project
from sdkbench.environments import Environment
from sdkbench.test_harness.python import build_system
from sdkbench.test_harness.python.own_project import plan_for
from sdkbench.test_harness.python.project import PYTEST
from tests.support.manifest_kinds import URL
from tests.support.projects import ProjectFactory

PROJECT = "[project]\nname = 'my.Shop'\n"


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"tox.ini": "[testenv]\ndeps =\n  one\n  # none\n  x: two\n  unit: six\n"}, "one six"),
        ({"tox.ini": "[testenv]\ndeps = {[base]deps}\n[base]\ndeps = one\n"}, "one"),
        ({"tox.ini": "[testenv]\ndeps = -r{toxinidir}/t.txt\n", "t.txt": "one\n"}, "one"),
        ({"tox.ini": "[testenv]\ndeps = {env:WHAT}\n  one\n"}, "one"),
        ({"tox.ini": "[testenv]\ndeps = {[testenv]deps}\n  one\n"}, "one"),
        ({"setup.cfg": "[testenv]\ndeps = one\n"}, "one"),
        ({"tox.toml": "[env_run_base]\ndeps = ['one']\n"}, "one"),
        ({"pyproject.toml": "[tool.tox.env_run_base]\ndeps = ['one', 5]\n"}, "one"),
        ({"pyproject.toml": "[tool.tox]\nlegacy_tox_ini = '''[testenv]\ndeps = one'''\n"}, "one"),
        (
            {
                "tox.ini": "[testenv]\ndependency_groups = Unit_Tests\n",
                "pyproject.toml": "[dependency-groups]\nunit-tests = ['one']\ndocs = ['two']\n",
            },
            "one",
        ),
        (
            {
                "tox.ini": "[testenv]\nextras = cli\n",
                "pyproject.toml": f"{PROJECT}[project.optional-dependencies]\ncli = ['one']\n",
            },
            "one",
        ),
        (
            {
                "pyproject.toml": f"{PROJECT}[project.optional-dependencies]\ncli = ['one']\n"
                "[dependency-groups]\ntest = ['my-shop[cli]', 'two']\n"
            },
            "one two",
        ),
        ({"pyproject.toml": "[dependency-groups]\ntest = ['one']\ndev = ['two']\n"}, "one two"),
        ({"pyproject.toml": "[dependency-groups]\ndev = ['two']\ndocs = ['three']\n"}, "two"),
        ({"pyproject.toml": "[tool.hatch.envs.hatch-test]\nextra-dependencies = ['one']\n"}, "one"),
        ({"pyproject.toml": "[tool.pdm.dev-dependencies]\ntest = ['one']\nlint = ['x']\n"}, "one"),
        ({"pyproject.toml": "[tool.uv]\ndev-dependencies = ['one']\n"}, "one"),
        ({"requirements/testing.txt": "one\n", "requirements/dev.txt": "two\n"}, "one two"),
        ({"requirements/dev.txt": "two\n", "requirements/docs.txt": "three\n"}, "two"),
        ({"dev.requirements.txt": "one\n"}, "one"),
        ({"tests/requirements.txt": "one\n"}, "one"),
        ({"test_requirements.txt": "one\n", "notes-for-tests.txt": "so what\n"}, "one"),
        ({"setup.py": "setup(extras_require={'test': ['one'], 'docs': ['two']})"}, "one"),
    ],
)  # fmt: skip
def test_requirements_are_read_wherever_they_stand(
    project: ProjectFactory, files: dict[str, str], wanted: str
) -> None:
    plan = plan_for(Project.of_folder(project(files)))
    assert sorted([*plan.needed, *plan.wanted]) == sorted([*wanted.split(), PYTEST])


def test_the_extras_of_an_editable_install_count(project: ProjectFactory) -> None:
    text = f"{PROJECT}[project.optional-dependencies]\ncli = ['one']\n"
    root = project({"requirements.txt": "-e .[cli]\ntwo\n", "pyproject.toml": text})
    plan = plan_for(Project.of_folder(root))
    assert ("two" in plan.needed, plan.wanted) == (True, ("one",))


def test_what_comes_from_elsewhere_is_left_out_and_told(project: ProjectFactory) -> None:
    root = project({"requirements-test.txt": f"one\nx @ {URL}\n-e ../other\n"})
    plan = plan_for(Project.of_folder(root))
    assert plan.wanted == ("one",)
    assert len(plan.left_out) == 2


def test_plugins_are_only_added_where_the_project_says_nothing(project: ProjectFactory) -> None:
    root = project({"test_a.py": "def test_it(mocker): pass\n"})
    assert any("pytest-mock" in line for line in plan_for(Project.of_folder(root)).needed)
    project({"requirements-test.txt": "pytest\n"})
    assert plan_for(Project.of_folder(root)).needed == ()


METADATA = """Metadata-Version: 2.4
Name: My.Shop
Version: 1
Requires-Python: >=3.9
Requires-Dist: one>=1
Requires-Dist: never; python_version < "3"
Requires-Dist: two[x]; extra == "test"
Requires-Dist: my-shop[inner]; extra == "test"
Requires-Dist: three; extra == "inner"
Requires-Dist: docs; extra == "docs"
Requires-Dist: this is no requirement
Provides-Extra: test
Provides-Extra: inner
Provides-Extra: docs

A README that says Requires-Dist: nothing
"""


def test_the_backend_s_word_counts_with_extras_of_extras(project: ProjectFactory) -> None:
    root = project({"setup.py": "setup(install_requires=computed())"})
    plan = plan_for(Project.of_folder(root), METADATA)
    assert (plan.name, plan.requires_python) == ("my-shop", ">=3.9")
    assert {*plan.needed} == {"one>=1", PYTEST}
    assert {*plan.wanted} == {"two[x]", "three"}
    assert plan.refused == ()


def test_requirements_txt_of_an_installed_project_is_for_its_developers(
    project: ProjectFactory,
) -> None:
    root = project({"requirements.txt": "tox\nblist\n", "setup.py": ""})
    assert "blist" not in plan_for(Project.of_folder(root), METADATA).wanted
    plain = METADATA.replace("test", "other")
    assert plan_for(Project.of_folder(root), plain).wanted == ("tox", "blist")
    project({"requirements.txt": "blist\n"})
    assert "blist" in plan_for(Project.of_folder(root), METADATA).wanted


@pytest.mark.parametrize(
    ("files", "backend"),
    [
        ({}, None),
        ({"pyproject.toml": "[tool.ruff]\n"}, None),
        ({"pyproject.toml": "broken ="}, None),
        ({"pyproject.toml": "[build-system]\nrequires=['a']\n[tool.uv]\npackage=false\n"}, None),
        ({"pyproject.toml": "[tool.poetry]\npackage-mode = false\n[build-system]\nx=1\n"}, None),
        ({"setup.cfg": "[flake8]\nx = 1\n"}, None),
        ({"setup.cfg": "[metadata]\nname = x\n"}, build_system.LEGACY),
        ({"setup.py": ""}, build_system.LEGACY),
        ({"pyproject.toml": "[build-system]\nrequires=['a']\nbuild-backend='b.c'\n"}, "b.c"),
        ({"pyproject.toml": "[build-system]\nrequires=5\nbuild-backend=[]\n"}, build_system.LEGACY),
    ],
)
def test_a_backend_is_known_where_a_project_is_meant_to_be_installed(
    project: ProjectFactory, files: dict[str, str], backend: str | None
) -> None:
    system = build_system.read(project(files))
    assert (system and system.backend) == backend


def test_a_project_table_alone_is_tried_and_not_insisted_on(project: ProjectFactory) -> None:
    system = build_system.read(project({"pyproject.toml": PROJECT}))
    assert system
    assert not system.is_declared


def test_only_what_applies_and_is_not_there_is_lacking(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    environment = Environment(
        key="k", language="python", path=tmp_path_factory.mktemp("e"), packages=("One_x==1",)
    )
    asked = ["one-x>=1", "two; extra == 'all'", "three; python_version >= '3'", "not a line"]
    assert build_system.lacking(asked, environment) == ("three",)


@pytest.mark.parametrize(
    ("output", "tool"),
    [
        ("error: command 'gcc' failed: No such file or directory", "gcc"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'swig'", "swig"),
        ("/bin/sh: 1: cmake: not found", "cmake"),
        ("error: can't find Rust compiler", "Rust"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'data/words.txt'", None),
        ("RuntimeError: not on a Monday", None),
    ],
)
def test_a_program_that_a_build_lacks_is_named(output: str, tool: str | None) -> None:
    assert build_system.missing_tool(output) == tool
