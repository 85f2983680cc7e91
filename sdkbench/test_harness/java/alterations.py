"""Alterations of JUnit tests: where a test expects something, and what else it could expect."""

import re
from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from sdkbench.test_harness.alteration import Alteration
from sdkbench.test_harness.java.expectations import JUNIT4, JUPITER, Edit, edits
from sdkbench.test_harness.java.syntax import JavaSource, named, walk

TESTS = frozenset({"Test", "ParameterizedTest", "RepeatedTest"})
TYPES = frozenset({"class_declaration", "record_declaration"})
SKIPS = re.compile(r"^(assume|abort)")
OLD_ASSERTIONS = re.compile(r"^import\s+static\s+org\.junit\.Assert\.", re.MULTILINE)


def alterations_of(text: str, path: str) -> list[Alteration]:
    """Every alteration of the tests in `text`, which stands at `path` below the workspace.

    None for text that does not parse: the reference run tells what is wrong with it.
    """
    source = JavaSource(text)
    if not source.sound:
        return []
    home = JUNIT4 if OLD_ASSERTIONS.search(text) else JUPITER
    package = next((n for n in source.root.children if n.type == "package_declaration"), None)
    prefix = f"{source.text(named(package)[-1])}." if package is not None else ""
    found = []
    for owner, method in _tests(source.root, prefix, source):
        name = source.text(method.child_by_field_name("name"))
        # Parameters and the numbers of runs follow the name: adds(int)[2].
        pattern = re.escape(f"{owner}::{name}") + r"(\(.*\))?(\[.*\])*"
        found += [
            Alteration(
                path=path,
                tests=pattern,
                line=text.count("\n", 0, edit.start) + 1,
                **edit._asdict(),
            )
            for edit in _edits(method, source, home)
        ]
    return found


def _tests(node: Node, prefix: str, source: JavaSource) -> Iterator[tuple[str, Node]]:
    """Test methods with the binary names of their classes: shop.CartTest$WhenEmpty."""
    for declared in named(node):
        body = declared.child_by_field_name("body")
        if declared.type not in TYPES or body is None:
            continue
        name = prefix + source.text(declared.child_by_field_name("name"))
        methods = [m for m in named(body) if m.type == "method_declaration"]
        names = Counter(source.text(m.child_by_field_name("name")) for m in methods)
        for method in methods:
            # Of several methods with one name, ids don't tell which is meant.
            alone = names[source.text(method.child_by_field_name("name"))] == 1
            if alone and _is_test(method, source):
                yield name, method
        yield from _tests(body, f"{name}$", source)


def _is_test(method: Node, source: JavaSource) -> bool:
    """By its annotation; not where that expects an exception, which cuts the body short."""
    modifiers = next((n for n in method.children if n.type == "modifiers"), None)
    for note in named(modifiers):
        name = source.text(note.child_by_field_name("name")).rpartition(".")[2]
        if note.type.endswith("annotation") and name in TESTS:
            return "expected" not in source.text(note.child_by_field_name("arguments"))
    return False


def _edits(method: Node, source: JavaSource, home: str) -> Iterator[Edit]:
    for statement in _on_every_path(method.child_by_field_name("body"), source):
        if statement.type == "expression_statement":
            for expression in named(statement):
                yield from _of_expression(expression, source, home)


def _of_expression(expression: Node, source: JavaSource, home: str) -> Iterator[Edit]:
    yield from edits(expression, source, home)
    if source.text(expression.child_by_field_name("name")) == "assertAll":
        # It runs all that it is given.
        for argument in named(expression.child_by_field_name("arguments")):
            body = argument.child_by_field_name("body")
            if argument.type == "lambda_expression" and body is not None:
                yield from edits(body, source, home)


def _on_every_path(block: Node | None, source: JavaSource) -> Iterator[Node]:
    """The statements that a passing test has certainly run, those of inner blocks included."""
    for statement in named(block):
        yield statement
        if statement.type == "block":
            yield from _on_every_path(statement, source)
        elif statement.type in {"try_statement", "try_with_resources_statement"}:
            if not any(child.type == "catch_clause" for child in statement.children):
                yield from _on_every_path(statement.child_by_field_name("body"), source)
        elif statement.type == "synchronized_statement":
            yield from _on_every_path(statement.child_by_field_name("body"), source)
        if any(_may_leave(node, source) for node in walk(statement)):
            return


def _may_leave(node: Node, source: JavaSource) -> bool:
    """Whether the test may end here without failing: a return, or a call that skips."""
    if node.type == "method_invocation":
        return bool(SKIPS.match(source.text(node.child_by_field_name("name"))))
    return node.type == "return_statement"
