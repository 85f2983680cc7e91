"""docs/reference/python-api.md lists every public name with a test that exists."""

import ast
import functools
import importlib
import re

import pytest

from sdkbench import client
from tests.support.places import ROOT
from tests.unit.test_public_names import MEMBERS, NAMES, SHELL_MEMBERS

PAGE = ROOT / "docs" / "reference" / "python-api.md"
ROW = re.compile(r"^\| `([\w.]+)` \| (.+) \| `([\w/.]+)::(\w+)` \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text())
LISTED = {name for name, *_ in ROWS}
# Fields are listed with their class, but for those of FCorrResult; methods have a line each.
WITH_METHODS = (
    "FCorrResult", "BaseTestRunner", "TestRunnerRegistry", "BuildRunner", "TestRunner", "Executor",
    "FCorrEvaluator", "Evaluator",
)  # fmt: skip


@functools.cache
def known_tests(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def resolved(name: str) -> object:
    """What a dotted name stands for; a field of a model is there by its annotation."""
    parts = name.split(".")
    for place in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:place]))
        except ModuleNotFoundError:
            continue
        for part in parts[place:]:
            fields = getattr(found, "model_fields", {})
            found = fields[part] if part in fields else getattr(found, part)
        return found
    raise AssertionError(f"{name} is nowhere")


def names_of_the_client() -> set[str]:
    """What the package gives out, and the methods of both clients."""
    clients = {"Client", "AsyncClient"}
    values = {
        name
        for name, value in vars(client).items()
        if getattr(value, "__module__", "").startswith("sdkbench.client.")
    }
    methods = {name for name in vars(client.Client) if not name.startswith("_")}
    assert methods == {name for name in vars(client.AsyncClient) if not name.startswith("_")}
    return clients | values | {f"Client.{name}" for name in methods}


@pytest.mark.parametrize("name", sorted(LISTED))
def test_a_listed_name_exists(name: str) -> None:
    assert resolved(name) is not None


@pytest.mark.parametrize(("path", "test"), sorted({(path, test) for *_, path, test in ROWS}))
def test_a_named_test_exists(path: str, test: str) -> None:
    assert test in known_tests(path)


def test_every_row_of_the_page_is_read() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    assert len(rows) == len(ROWS) == len(LISTED)


def test_every_public_name_is_listed() -> None:
    places = {name: place for place, name in reversed(NAMES) if not place.endswith(".models")}
    wanted = {f"{place}.{name}" for place, name in NAMES if not place.endswith(".models")}
    wanted |= {
        f"{places[name]}.{name}.{member}"
        for name in WITH_METHODS
        for member in MEMBERS[name].split()
    }
    wanted |= {f"sdkbench.shell.{name}" for name in SHELL_MEMBERS}
    functions = "run_evaluation normalize_command commands_match validate_safety is_posix_compliant"
    wanted |= {f"sdkbench.shell.{name}" for name in functions.split()}
    wanted |= {f"sdkbench.client.{name}" for name in names_of_the_client()}
    assert sorted(wanted - LISTED) == []
