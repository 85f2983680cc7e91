"""Go source read by a real parser: imports, and the test functions of a file."""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter_go
from tree_sitter import Language, Node, Parser

TEST_NAME = re.compile(r"^Test(?![a-z])\w*$")  # as go test reads names
GENERATED = re.compile(rb"^//go:build .*\bignore\b", re.MULTILINE)


class GoTest(NamedTuple):
    """`func TestX(t *testing.T)`, as a node of the tree."""

    name: str
    parameter: str  # its name, empty where it has none
    type: str
    node: Node


@functools.cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_go.language()))


def parse(source: bytes) -> Node:
    """The tree of `source`; what is no Go leaves nodes of type ERROR in it."""
    return _parser().parse(source).root_node


def text(node: Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def imports(source: bytes) -> dict[str, str]:
    """Import path → the name it is given here, empty where it keeps its own."""
    if GENERATED.search(source):
        return {}
    found = {}
    for declaration in parse(source).children:
        if declaration.type == "import_declaration":
            for spec in _descend(declaration, "import_spec"):
                path = text(spec.child_by_field_name("path"))[1:-1]
                found[path] = text(spec.child_by_field_name("name"))
    return found


def package_clause(root: Node) -> Node | None:
    clause = next((c for c in root.children if c.type == "package_clause"), None)
    return clause.named_children[0] if clause and clause.named_children else None


def test_functions(source: bytes) -> list[GoTest]:
    """The functions that go test would run, in the order of the file."""
    testing = imports(source).get("testing")
    if testing is None:
        return []
    wanted = "*T" if testing == "." else f"*{testing or 'testing'}.T"
    found = []
    for node in parse(source).children:
        name = text(node.child_by_field_name("name"))
        if node.type != "function_declaration" or not TEST_NAME.match(name) or name == "TestMain":
            continue
        parameters = node.child_by_field_name("parameters")
        declared = parameters.named_children if parameters else []
        if len(declared) != 1 or node.child_by_field_name("type_parameters"):
            continue
        kind = text(declared[0].child_by_field_name("type"))
        if kind.replace(" ", "") == wanted and node.child_by_field_name("body"):
            parameter = text(declared[0].child_by_field_name("name"))
            found.append(GoTest(name, parameter, kind, node))
    return found


def _descend(node: Node, kind: str) -> Iterator[Node]:
    for child in node.children:
        if child.type == kind:
            yield child
        else:
            yield from _descend(child, kind)


def first_error(node: Node) -> int | None:
    """The line where the source stops being Go, or None."""
    if not node.has_error:
        return None
    if node.is_error or node.is_missing:
        return node.start_point.row + 1
    lines = (first_error(child) for child in node.children)
    return next((line for line in lines if line is not None), node.start_point.row + 1)


def statements(block: Node) -> list[Node]:
    """The statements of a block, whichever way the grammar wraps them; comments left out."""
    found: list[Node] = []
    for child in block.named_children:
        if child.type == "statement_list":
            found += statements(child)
        elif child.type != "comment":
            found.append(child)
    return found


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it."""
    yield node
    for child in node.named_children:
        yield from walk(child)


def walk_at_once(node: Node) -> Iterator[Node]:
    """The node and all below it that runs when it does: functions of its own left out."""
    yield node
    for child in node.named_children:
        if child.type != "func_literal":
            yield from walk_at_once(child)


def operator_of(node: Node) -> str:
    return text(node.child_by_field_name("operator"))
