import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.environments.python import Declared, declared_requirements, manifest

from .conftest import ProjectFactory

KINDS = ("requirements.txt", "pyproject.toml", "setup.cfg", "setup.py", "Pipfile.lock", "Pipfile")
URL = "https://evil.example/x-1.0-py3-none-any.whl"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("manifests")


def test_a_folder_without_a_manifest_declares_nothing(project: ProjectFactory) -> None:
    assert declared_requirements(project({"app.py": "import requests"})) == Declared(None)


def test_an_empty_manifest_is_named_but_declares_nothing(project: ProjectFactory) -> None:
    assert declared_requirements(project({"pyproject.toml": ""})) == Declared("pyproject.toml")


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
    assert declared_requirements(root, with_tests=True).requirements == ("requests", "pytest-mock")


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
    assert declared_requirements(root, with_tests=True).requirements == ("httpx", "respx")


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
    assert declared_requirements(root, with_tests=True).requirements == ("respx", "anyio")
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
    declared = declared_requirements(project({"pyproject.toml": POETRY}), with_tests=True)
    assert declared.requirements[2:] == ("respx==0.22.0", "anyio>=4.1,<4.2")


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
    assert declared_requirements(root, with_tests=True).requirements[2:] == ("respx",)


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
    assert declared_requirements(root, with_tests=True).requirements == ("httpx", "respx")


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
    assert declared_requirements(root, with_tests=True).requirements[2:] == ("respx",)


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
    assert declared_requirements(root, with_tests=True).requirements[1:] == ("respx==0.22.0",)


# What no manifest may smuggle in


def dependency(kind: str, text: str) -> str:
    """A manifest of `kind` with one dependency string."""
    quoted = json.dumps(text)
    return {
        "pyproject.toml": f"[project]\ndependencies = [{quoted}]",
        "setup.py": f"setup(install_requires=[{quoted}])",
        "Pipfile": f'[packages]\n{quoted} = "*"',
        "Pipfile.lock": json.dumps({"default": {text: "*"}}),
    }[kind]


SMUGGLERS = ("pyproject.toml", "setup.py", "Pipfile", "Pipfile.lock")


@pytest.mark.parametrize("kind", SMUGGLERS)
@pytest.mark.parametrize(
    "text",
    [
        "httpx\n--index-url https://evil.example/simple",
        "httpx\r--extra-index-url https://evil.example/simple",
        "httpx\u2028-r /etc/passwd",
        "--index-url https://evil.example/simple",
        "  --find-links /tmp",
        "-r /etc/passwd",
        "-e .",
    ],
)
def test_a_dependency_string_never_becomes_an_option(
    project: ProjectFactory, kind: str, text: str
) -> None:
    declared = declared_requirements(project({kind: dependency(kind, text)}))
    lines = [line.strip() for r in declared.requirements for line in r.splitlines()]
    assert not [line for line in lines if line.startswith("-")]
    assert declared.refused


@pytest.mark.parametrize("kind", SMUGGLERS)
@pytest.mark.parametrize(
    "text",
    [
        URL,
        f"  {URL}",
        f"\t{URL}",
        f"x @ {URL}",
        f"x[y]@git+{URL}",
        "x @ file:///opt/x",
        "./x-1.0-py3-none-any.whl",
        "/opt/x-1.0-py3-none-any.whl",
        "x @ ./x-1.0-py3-none-any.whl",
        "x @ /opt/x",
    ],
)
def test_a_dependency_string_never_points_elsewhere(
    project: ProjectFactory, kind: str, text: str
) -> None:
    declared = declared_requirements(project({kind: dependency(kind, text)}))
    assert declared.requirements == ()
    assert declared.refused


@pytest.mark.parametrize("kind", SMUGGLERS)
def test_a_dependency_string_never_continues_into_the_next(
    project: ProjectFactory, kind: str
) -> None:
    declared = declared_requirements(project({kind: dependency(kind, "x @ https\\")}))
    assert not [line for line in declared.requirements if line.endswith("\\")]


def test_a_version_with_a_line_break_gives_no_option(project: ProjectFactory) -> None:
    text = f'[tool.poetry.dependencies]\nhttpx = ">=1\\n--index-url={URL}"'
    declared = declared_requirements(project({"pyproject.toml": text}))
    assert declared.requirements in {(), ("httpx>=1",)}
    assert declared.refused


# What cannot be read


MALFORMED = [
    ("pyproject.toml", "[project", "not valid TOML"),
    ("pyproject.toml", "[project]\ndependencies = 'httpx'", "must be a list of strings"),
    ("pyproject.toml", "[project]\ndependencies = [1]", "must be a list of strings"),
    ("pyproject.toml", "project = 1", "project must be a table"),
    ("pyproject.toml", "tool = 1", "tool must be a table"),
    ("pyproject.toml", "[tool]\npoetry = []", "poetry must be a table"),
    ("pyproject.toml", "[tool.poetry]\ndependencies = 5", "dependencies must be a table"),
    ("pyproject.toml", "[tool.poetry.dependencies]\nx = 5", "expected a version or a table"),
    ("pyproject.toml", "[tool.poetry.dependencies]\nx = {version = '1', extras = 5}", "extras"),
    ("pyproject.toml", f"[tool.poetry.dependencies]\nx = '^{'9' * 5000}'", "not a version"),
    ("pyproject.toml", f"x = {'9' * 5000}", "not valid TOML"),
    ("pyproject.toml", f"x = {'[' * 5000}", "not valid TOML"),
    ("setup.cfg", "install_requires = httpx", "not a valid file"),
    ("setup.cfg", "[a]\n[a]", "not a valid file"),
    ("setup.py", "setup(install_requires=[", "not valid Python"),
    ("setup.py", "x = 1\0", "not valid Python"),
    ("setup.py", "(" * 5000, "not valid Python"),
    ("setup.py", "x = " + "-" * 50_000 + "1", "not valid Python"),
    ("Pipfile", "[packages", "not valid TOML"),
    ("Pipfile", "packages = 5", "packages must be a table"),
    ("Pipfile.lock", "{", "not valid JSON"),
    ("Pipfile.lock", "[]", "not a JSON object"),
    ("Pipfile.lock", "[" * 100_000, "not valid JSON"),
    ("Pipfile.lock", '{"default": []}', "default must be a table"),
    ("Pipfile.lock", '{"default": {"x": 5}}', "expected a version or a table"),
]


@pytest.mark.parametrize(
    ("kind", "text", "says"), MALFORMED, ids=[f"{kind}-{says}" for kind, _, says in MALFORMED]
)
def test_a_malformed_manifest_is_refused_with_its_name_and_reason(
    project: ProjectFactory, kind: str, text: str, says: str
) -> None:
    declared = declared_requirements(project({kind: text}))
    assert (declared.source, declared.requirements) == (kind, ())
    assert declared.refused[0].startswith(f"{kind}: ")
    assert says in declared.refused[0]


def test_deep_lists_in_a_lock_are_refused(project: ProjectFactory) -> None:
    deep = "[" * 700 + "]" * 700
    declared = declared_requirements(project({"Pipfile.lock": f'{{"default": {{"x": {deep}}}}}'}))
    assert declared.requirements == ()


def test_a_deep_chain_of_calls_in_setup_py_is_no_obstacle(project: ProjectFactory) -> None:
    text = "x" + ".a()" * 400 + "\nsetup(install_requires=['httpx'])"
    declared = declared_requirements(project({"setup.py": text}))
    assert declared.requirements == ("httpx",) or declared.refused


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_manifest_that_is_not_text_is_refused(project: ProjectFactory, kind: str) -> None:
    declared = declared_requirements(project({kind: b"\xff\xfe\x00\xff"}))
    assert declared.source == kind
    assert "cannot be read" in declared.refused[0]


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_manifest_past_the_size_limit_is_refused(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(manifest, "MAX_MANIFEST_BYTES", 10)
    declared = declared_requirements(project({kind: "#" * 11}))
    assert "larger than" in declared.refused[0]


@pytest.mark.parametrize("kind", ["pyproject.toml", "setup.py", "setup.cfg"])
def test_a_byte_order_mark_is_no_obstacle(project: ProjectFactory, kind: str) -> None:
    text = {
        "pyproject.toml": "[project]\ndependencies = ['httpx']",
        "setup.py": "setup(install_requires=['httpx'])",
        "setup.cfg": "[options]\ninstall_requires = httpx",
    }[kind]
    declared = declared_requirements(project({kind: b"\xef\xbb\xbf" + text.encode()}))
    assert declared == Declared(kind, ("httpx",))


# Precedence


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
        declared = declared_requirements(scratch, with_tests=True)
    finally:
        path.unlink()
    assert declared.source == kind
    assert not [line for line in declared.requirements if line.lstrip().startswith("-")]
