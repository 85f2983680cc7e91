from collections.abc import Mapping
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from sdkbench.core import Placement, Project
from sdkbench.core.ground_truth import Permissions
from sdkbench.test_harness.python.own_project import plan_for
from sdkbench.test_harness.python.project import (
    PYTEST,
    TEST_PLUGINS,
    imported_modules,
    needs,
    python_files,
    solution_imports,
    source_of,
    syntax_problems,
)
from sdkbench.test_harness.python.project import test_files as files_with_tests
from tests.support.projects import ProjectFactory


def judged(project: ProjectFactory, files: Mapping[str, str]) -> Project:
    """A sample's project: `expected/` is judged by `tests/`; `input/` and `ref/` are at hand."""
    root = project({"expected/app.py": "", "tests/test_app.py": "", **files})
    return Project(
        solution=Placement(source=root / "expected", target="expected"),
        trusted=(Placement(source=root / "tests", target="tests", read_only=True),),
        tests=("tests",),
        manifest_fallbacks=tuple(root / n for n in ("input", "ref") if (root / n).is_dir()),
    )


def names(requirements: tuple[str, ...]) -> list[str]:
    return [Requirement(line).name for line in requirements]


# What to install


def test_a_solution_without_a_framework_gets_the_pinned_one(project: ProjectFactory) -> None:
    found = needs(judged(project, {"expected/requirements.txt": "httpx==0.27.0"}))
    assert found.request.requirements == ("httpx==0.27.0", PYTEST)
    assert found.completed_with == (f"{PYTEST} (test framework)",)
    assert (found.plugin_distributions, found.refused) == ((), ())


@pytest.mark.parametrize("line", ["pytest==7.0.0", "PyTest>=6", "pytest", "pytest[testing]<8"])
def test_the_pytest_a_solution_asks_for_is_replaced(project: ProjectFactory, line: str) -> None:
    found = needs(judged(project, {"expected/requirements.txt": line}))
    assert found.request.requirements == (PYTEST,)


def test_packages_that_begin_with_pytest_are_not_replaced(project: ProjectFactory) -> None:
    found = needs(judged(project, {"expected/requirements.txt": "pytest-xdist==3.6.1"}))
    assert found.request.requirements == ("pytest-xdist==3.6.1", PYTEST)


def test_the_pytest_of_the_reference_comes_but_once(project: ProjectFactory) -> None:
    files = {
        "expected/requirements.txt": "httpx",
        "ref/requirements.txt": "httpx\npytest==8.3.4",
        "tests/test_app.py": "import pytest",
    }
    found = needs(judged(project, files))
    assert names(found.request.requirements).count("pytest") == 1


def test_the_pytest_of_the_sample_s_tests_is_kept(project: ProjectFactory) -> None:
    found = needs(judged(project, {"tests/requirements.txt": "pytest==8.3.4"}))
    assert found.request.requirements == ("pytest==8.3.4",)


def test_a_folder_on_its_own_tests_keeps_its_pytest(project: ProjectFactory) -> None:
    root = project({"requirements.txt": "pytest==8.3.4", "test_app.py": ""})
    plan = plan_for(Project.of_folder(root))
    assert ((*plan.needed, *plan.wanted), plan.added) == (("pytest==8.3.4",), ())


def test_a_folder_on_its_own_tests_brings_its_test_groups(project: ProjectFactory) -> None:
    text = "[project]\ndependencies = ['httpx']\n[dependency-groups]\ntest = ['respx==0.21.0']"
    plan = plan_for(Project.of_folder(project({"pyproject.toml": text, "test_app.py": ""})))
    assert (plan.needed, plan.wanted) == (("httpx", PYTEST), ("respx==0.21.0",))


def test_a_solution_s_test_groups_do_not_count_in_a_sample(project: ProjectFactory) -> None:
    text = "[project]\ndependencies = ['httpx']\n[dependency-groups]\ntest = ['evil-plugin']"
    found = needs(judged(project, {"expected/pyproject.toml": text}))
    assert found.request.requirements == ("httpx", PYTEST)


def test_a_solution_without_a_manifest_gets_the_starter_s(project: ProjectFactory) -> None:
    files = {"input/requirements.txt": "httpx==1", "ref/requirements.txt": "httpx==2"}
    assert needs(judged(project, files)).request.requirements == ("httpx==1", PYTEST)


def test_without_a_starter_s_manifest_the_reference_s_counts(project: ProjectFactory) -> None:
    files = {"input/app.py": "", "ref/requirements.txt": "httpx==2"}
    assert needs(judged(project, files)).request.requirements == ("httpx==2", PYTEST)


def test_an_empty_manifest_is_a_manifest(project: ProjectFactory) -> None:
    files = {"expected/requirements.txt": "", "ref/requirements.txt": "httpx==2"}
    assert needs(judged(project, files)).request.requirements == (PYTEST,)


def test_what_the_tests_import_comes_from_the_reference(project: ProjectFactory) -> None:
    files = {
        "expected/requirements.txt": "httpx",
        "ref/requirements.txt": "pyyaml==6.0.2\nPillow==11.0\nunused==1.0\nhttpx==9",
        "tests/test_app.py": "import json, yaml, httpx\nfrom PIL import Image",
    }
    found = needs(judged(project, files))
    assert found.request.requirements == ("httpx", "Pillow==11.0", "pyyaml==6.0.2", PYTEST)
    assert found.completed_with[0].startswith("Pillow==11.0 (the tests import it")


def test_the_reference_outweighs_the_starter(project: ProjectFactory) -> None:
    files = {
        "expected/requirements.txt": "httpx",
        "input/requirements.txt": "pyyaml==5",
        "ref/requirements.txt": "pyyaml==6",
        "tests/test_app.py": "import yaml",
    }
    assert "pyyaml==6" in needs(judged(project, files)).request.requirements
    assert "pyyaml==5" not in needs(judged(project, files)).request.requirements


SIGNS = {
    "pytest-asyncio": "@pytest.mark.asyncio\nasync def test(): ...",
    "anyio": "@pytest.mark.anyio\nasync def test(): ...",
    "pytest-mock": "def test(mocker): ...",
    "pytest-timeout": "@pytest.mark.timeout(5)\ndef test(): ...",
    "pytest-httpserver": "def test(httpserver): ...",
    "pytest-httpx": "def test(httpx_mock): ...",
    "requests-mock": "def test(requests_mock): ...",
    "respx": "import respx",
    "hypothesis": "from hypothesis import given",
    "pytest-cov": "WORDS = '--cov=app'",
    "pytest-xdist": "WORDS = '-q -n auto'",
}


def test_every_plugin_has_a_sign_here() -> None:
    assert set(SIGNS) == {plugin.distribution for plugin in TEST_PLUGINS}


@pytest.mark.parametrize("name", sorted(SIGNS))
def test_a_plugin_is_brought_by_its_sign_and_by_no_other(
    project: ProjectFactory, name: str
) -> None:
    found = needs(judged(project, {"tests/test_app.py": SIGNS[name]}))
    pin = next(plugin.pin for plugin in TEST_PLUGINS if plugin.distribution == name)
    assert found.plugin_distributions == (name,)
    assert found.request.requirements == (PYTEST, pin)
    assert f"{pin} (the tests use it)" in found.completed_with


def test_a_sign_in_the_solution_brings_no_plugin(project: ProjectFactory) -> None:
    found = needs(judged(project, {"expected/test_x.py": SIGNS["pytest-mock"]}))
    assert found.plugin_distributions == ()


def test_a_plugin_the_project_names_is_not_named_twice(project: ProjectFactory) -> None:
    files = {
        "expected/requirements.txt": "Pytest_Mock==3.10.0",
        "tests/test_app.py": SIGNS["pytest-mock"],
    }
    found = needs(judged(project, files))
    assert found.request.requirements == ("Pytest_Mock==3.10.0", PYTEST)
    assert found.plugin_distributions == ("pytest-mock",)


def test_refusals_and_constraints_are_passed_on(project: ProjectFactory) -> None:
    files = {
        "expected/requirements.txt": "-c pins.txt\nx @ https://evil.example/x.whl\nhttpx",
        "expected/pins.txt": "anyio<5",
    }
    found = needs(judged(project, files))
    assert found.request.constraints == ("anyio<5",)
    assert len(found.refused) == 1
    assert "x" not in names(found.request.requirements)


def test_requirements_beside_the_tests_count_too(project: ProjectFactory) -> None:
    found = needs(judged(project, {"tests/requirements.txt": "freezegun==1.5.1"}))
    assert "freezegun==1.5.1" in found.request.requirements


def test_only_the_sample_allows_source_builds(project: ProjectFactory) -> None:
    sample = judged(project, {})
    assert not needs(sample).request.build_from_source
    allowed = sample.model_copy(update={"permissions": Permissions(build_from_source=True)})
    assert needs(allowed).request.build_from_source


# Reading


def test_imports_are_recognised_anywhere_in_a_file() -> None:
    source = """
import a.b, c as d
from e.f import g
def h():
    import i
from . import j
from ..k import l
"""
    assert imported_modules([source]) == {"a.b", "c", "e.f", "e.f.g", "i"}


@pytest.mark.parametrize("broken", ["def (", "\0", "(" * 1000, "x = " + "-" * 50_000 + "1"])
def test_a_source_that_is_not_python_imports_nothing(broken: str) -> None:
    assert imported_modules([broken, "import a"]) == {"a"}


def test_an_invalid_escape_does_not_hide_imports() -> None:
    assert imported_modules(["import a\nPATTERN = '\\d'\n"]) == {"a"}


def test_the_build_imports_what_the_tests_import_of_the_solution(project: ProjectFactory) -> None:
    files = {
        "expected/app.py": "",
        "expected/store/__init__.py": "",
        "expected/unused.py": "",
        "expected/data/x.json": "",
        "tests/test_app.py": "from expected import app, data\nimport expected.store, json, missing",
        "tests/helper.py": "import expected.unused",
    }
    assert solution_imports(judged(project, files)) == ["expected.app", "expected.store"]


def test_the_build_imports_modules_by_their_plain_names_too(project: ProjectFactory) -> None:
    files = {"tests/test_app.py": "from app import run\nfrom expected.app import run"}
    assert solution_imports(judged(project, files)) == ["app", "expected.app"]


@pytest.mark.parametrize("top", ["", "src/"])
def test_the_build_of_a_folder_imports_its_packages(project: ProjectFactory, top: str) -> None:
    files = {f"{top}{name}/__init__.py": "" for name in ("shop", "not-a-name", "tests", "test")}
    assert solution_imports(Project.of_folder(project({**files, "x.txt": ""}))) == ["shop"]


def test_test_files_are_known_by_their_names(project: ProjectFactory) -> None:
    root = project(
        {
            "test_a.py": "",
            "b_test.py": "",
            "tests/test_c.py": "",
            "contest.py": "",
            "test_d.txt": "",
            ".venv/test_e.py": "",
        }
    )
    found = [p.relative_to(root).as_posix() for p in files_with_tests(Project.of_folder(root))]
    assert found == ["b_test.py", "test_a.py", "tests/test_c.py"]


def test_python_files_come_from_folders_and_single_files(project: ProjectFactory) -> None:
    root = project({"a.py": "", "b.txt": "", "c/d.py": ""})
    found = list(python_files([root / "a.py", root / "b.txt", root / "c", root / "missing"]))
    assert found == [root / "a.py", root / "c/d.py"]


def test_a_source_that_cannot_be_read_is_empty(project: ProjectFactory, tmp_path: Path) -> None:
    root = project({"mark.py": b"\xef\xbb\xbfx = 1", "latin.py": b"x = '\xe9'"})
    assert source_of(root / "mark.py") == "x = 1"
    assert source_of(root / "latin.py") == ""
    assert source_of(tmp_path / "missing.py") == ""


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"x = 1\ndef (", "line 2: "),
        (b"x = 1\0", "null bytes"),
        (b"# coding: nonsense\n", "unknown encoding"),
        (b"(" * 1000, "too many nested parentheses"),
    ],
)
def test_a_syntax_problem_is_reported(project: ProjectFactory, data: bytes, problem: str) -> None:
    (found,) = syntax_problems(project({"app.py": data}) / "app.py")
    assert problem in found


@pytest.mark.parametrize(
    "data", [b"x = 1", b"\xef\xbb\xbfx = 1", b"# coding: latin-1\nx = '\xe9'", b"x = '\\d'"]
)
def test_good_python_has_no_syntax_problem(project: ProjectFactory, data: bytes) -> None:
    assert syntax_problems(project({"app.py": data}) / "app.py") == []
