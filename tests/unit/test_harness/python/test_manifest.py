"""Which manifest of a Python project counts, and that none makes a reader raise."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.core import Project
from sdkbench.test_harness.python.manifest import Declared, declared_requirements
from sdkbench.test_harness.python.own_project import plan_for
from tests.support.manifest_kinds import KINDS
from tests.support.projects import ProjectFactory


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("manifests")


def test_a_folder_without_a_manifest_declares_nothing(project: ProjectFactory) -> None:
    assert declared_requirements(project({"app.py": "import requests"})) == Declared(None)


def test_an_empty_manifest_is_named_but_declares_nothing(project: ProjectFactory) -> None:
    assert declared_requirements(project({"pyproject.toml": ""})) == Declared("pyproject.toml")


GOOD = {
    "requirements.txt": "from-requirements",
    "pyproject.toml": "[project]\ndependencies = ['from-pyproject']",
    "setup.cfg": "[options]\ninstall_requires = from-cfg",
    "setup.py": "setup(install_requires=['from-setup'])",
    "Pipfile.lock": '{"default": {"from-lock": "*"}}',
    "Pipfile": '[packages]\nfrom-pipfile = "*"',
}


@pytest.mark.parametrize("first", range(len(KINDS)))
def test_manifests_count_in_a_fixed_order(project: ProjectFactory, first: int) -> None:
    present = KINDS[first:]
    declared = declared_requirements(project({kind: GOOD[kind] for kind in reversed(present)}))
    assert declared.source == present[0]
    assert len(declared.requirements) == 1
    assert declared == declared_requirements(project({}))


def test_a_manifest_that_declares_nothing_gives_way(project: ProjectFactory) -> None:
    root = project({"pyproject.toml": "[tool.ruff]\nline-length = 100", "Pipfile": GOOD["Pipfile"]})
    assert declared_requirements(root) == Declared("Pipfile", ("from-pipfile",))


def test_a_broken_manifest_does_not_give_way(project: ProjectFactory) -> None:
    root = project({"pyproject.toml": "[", "Pipfile": GOOD["Pipfile"]})
    declared = declared_requirements(root)
    assert (declared.source, declared.requirements) == ("pyproject.toml", ())


def test_a_folder_with_a_manifests_name_is_passed_over(project: ProjectFactory) -> None:
    root = project({"requirements.txt/x": "", "setup.py": GOOD["setup.py"]})
    assert declared_requirements(root).source == "setup.py"


WORDS = (
    "[project]", "[options]", "[packages]", "[tool.poetry.dependencies]", "x", "=", '"', "'", "[",
    "]", "{", "}", ",", "^", "1.0", "dependencies", "install_requires", "setup(", ")", ":", "%",
    "default", "git", "extras", "version", "\\", "-r", "@", "https://e.example", " ", "\n", "\t",
    "\u2028",
)  # fmt: skip
FRAGMENTS = st.lists(st.sampled_from(WORDS), max_size=30).map("".join)


@given(kind=st.sampled_from(KINDS), text=FRAGMENTS | st.text(max_size=80))
def test_no_text_makes_a_reader_raise(scratch: Path, kind: str, text: str) -> None:
    path = scratch / kind
    path.write_bytes(text.encode("utf-8", "replace"))
    try:
        declared = declared_requirements(scratch)
        plan = plan_for(Project.of_folder(scratch))
    finally:
        path.unlink()
    assert declared.source == kind
    lines = [*declared.requirements, *plan.needed, *plan.wanted]
    assert not [line for line in lines if line.lstrip().startswith("-")]
