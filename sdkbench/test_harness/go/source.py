"""Go source read by a real parser: imports, and the test functions of a file."""

import re
from typing import NamedTuple

import tree_sitter_go
from tree_sitter import Language, Node

from sdkbench.test_harness.source_tree import SourceTree, code_of, field, named, walk

GO = Language(tree_sitter_go.language())
TEST_NAME = re.compile(r"^Test(?![a-z])\w*$")  # as go test reads names
GENERATED = re.compile(rb"^//go:build .*\bignore\b", re.MULTILINE)


class GoTest(NamedTuple):
    """`func TestX(t *testing.T)`, as a node of the tree."""

    name: str
    parameter: str  # its name, empty where it has none
    type: str
    node: Node


def parse(source: bytes) -> SourceTree:
    return SourceTree(source, GO)


def imports(tree: SourceTree) -> dict[str, str]:
    """Import path → the name it is given here, empty where it keeps its own."""
    if GENERATED.search(tree.source):
        return {}
    declarations = [n for n in tree.root.children if n.type == "import_declaration"]
    return {
        code_of(field(spec, "path"))[1:-1]: code_of(field(spec, "name"))
        for declaration in declarations
        for spec in walk(declaration)
        if spec.type == "import_spec"
    }


def package_clause(tree: SourceTree) -> Node | None:
    clause = next((c for c in tree.root.children if c.type == "package_clause"), None)
    return next(iter(named(clause)), None)


def test_functions(tree: SourceTree) -> list[GoTest]:
    """The functions that go test would run, in the order of the file."""
    testing = imports(tree).get("testing")
    if testing is None:
        return []
    wanted = "*T" if testing == "." else f"*{testing or 'testing'}.T"
    functions = []
    for node in tree.root.children:
        name = code_of(field(node, "name"))
        if node.type != "function_declaration" or not TEST_NAME.match(name) or name == "TestMain":
            continue
        parameters = named(field(node, "parameters"))
        if len(parameters) != 1 or field(node, "type_parameters"):
            continue
        kind = code_of(field(parameters[0], "type"))
        if kind.replace(" ", "") == wanted and field(node, "body"):
            functions.append(GoTest(name, code_of(field(parameters[0], "name")), kind, node))
    return functions


def statements(block: Node | None) -> list[Node]:
    """The statements of a block, whichever way the grammar wraps them."""
    return [
        inner
        for child in named(block)
        for inner in (statements(child) if child.type == "statement_list" else [child])
    ]
