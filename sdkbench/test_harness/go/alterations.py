"""Alterations of Go tests: what else could make a test fail than what does."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from sdkbench.core import Project
from sdkbench.test_harness.alteration import Alteration
from sdkbench.test_harness.go import project as reading
from sdkbench.test_harness.go import source as go_source
from sdkbench.test_harness.go.expectations import Edit, Imports, edits
from sdkbench.test_harness.go.source import statements, text, walk_at_once

SKIPS = frozenset({"Skip", "Skipf", "SkipNow", "Goexit", "Exit"})
LEAVES = frozenset({"return_statement", "goto_statement", "labeled_statement"})
CUTS = frozenset({"break_statement", "continue_statement"})


def alterations(project: Project) -> tuple[Alteration, ...]:
    """Those of the sample's test files; none for a project that is judged on its own tests."""
    if project.has_own_tests:
        return ()
    return tuple(
        alteration
        for path, source in reading.test_sources(project)
        for alteration in alterations_of(source, path)
    )


def alterations_of(source: bytes, path: str) -> list[Alteration]:
    """Every alteration of the tests in `source`, which stands at `path` below the workspace."""
    source = source.removeprefix(b"\xef\xbb\xbf")
    if go_source.parse(source).has_error:
        return []
    imports = Imports(go_source.imports(source))
    return [
        _alteration(source, path, function.name, edit)
        for function in go_source.test_functions(source)
        for statement in _on_every_path(function.node.child_by_field_name("body"))
        for edit in edits(statement, function, imports)
    ]


def _alteration(source: bytes, path: str, test: str, edit: Edit) -> Alteration:
    return Alteration(
        path=path,
        tests=f"{re.escape(path)}::{test}",
        start=len(source[: edit.node.start_byte].decode()),
        end=len(source[: edit.node.end_byte].decode()),
        replacement=edit.replacement,
        line=edit.node.start_point.row + 1,
        kind=edit.kind,
    )


def _on_every_path(body: Node | None) -> Iterator[Node]:
    """The statements that a passing test has certainly run, those of inner blocks included."""
    for statement in statements(body) if body else ():
        yield statement
        inner = statement.child_by_field_name("body")
        if statement.type == "block":
            yield from _on_every_path(statement)
        elif statement.type == "for_statement" and inner and _runs_whole(statement):
            yield from _on_every_path(inner)
        if _may_leave(statement):
            return


def _runs_whole(loop: Node) -> bool:
    """A loop over values that are written down, which nothing cuts short."""
    clause = next((c for c in loop.named_children if c.type == "range_clause"), None)
    values = clause.child_by_field_name("right") if clause else None
    if values is None or values.type != "composite_literal":
        return False
    written = values.child_by_field_name("body")
    return bool(written and written.named_children) and not any(
        node.type in CUTS for node in walk_at_once(loop)
    )


def _may_leave(statement: Node) -> bool:
    """Whether the test may end here without failing: a return, a jump, or a call that skips."""
    for node in walk_at_once(statement):
        if node.type in LEAVES:
            return True
        called = node.child_by_field_name("function") if node.type == "call_expression" else None
        if called is not None and text(called).rpartition(".")[2] in SKIPS:
            return True
    return False
