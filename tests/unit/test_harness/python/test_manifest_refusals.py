"""What no manifest may smuggle in, and what cannot be read."""

import json

import pytest

from sdkbench.test_harness.python import manifest
from sdkbench.test_harness.python.manifest import Declared, declared_requirements
from tests.support.manifest_kinds import KINDS, URL
from tests.support.projects import ProjectFactory

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
