"""Alterations of pytest and unittest tests: where a test expects something, and what else it could
expect instead.
"""

import ast
import re
from collections.abc import Iterator

from sdkbench.test_harness import python_expectations as expectations
from sdkbench.test_harness.alteration import Alteration
from sdkbench.test_harness.python_expectations import Edit
from sdkbench.test_harness.python_text import SourceText

Function = ast.FunctionDef | ast.AsyncFunctionDef
SKIPS = frozenset({"skip", "skipTest", "xfail", "importorskip", "exit"})


def alterations_of(text: str, path: str) -> list[Alteration]:
    """Every alteration of the tests in `text`, which stands at `path` below the workspace.

    None for text that does not parse: the reference run tells what is wrong with it.
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    source = SourceText(text, module)
    found = []
    for names, function in _tests(module.body, ()):
        pattern = _ids(path, names, module)
        found += [
            Alteration(path=path, tests=pattern, line=source.line_of(edit.start), **edit._asdict())
            for edit in _edits(function, source)
        ]
    return found


def _tests(
    body: list[ast.stmt], names: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Function]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _tests(node.body, (*names, node.name))
        elif isinstance(node, Function) and node.name.startswith("test"):
            yield (*names, node.name), node


def _ids(path: str, names: tuple[str, ...], module: ast.Module) -> str:
    """A class's tests also run as those of the classes made from it."""
    *classes, name = names
    owners = [{owner} | _heirs(owner, module) for owner in classes]
    parts = [_either(sorted(owner)) for owner in owners]
    return "::".join([re.escape(path), *parts, re.escape(name)]) + r"(\[.*\])?"


def _heirs(name: str, module: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
            if bases & {name, *found}:
                found.add(node.name)
    return found


def _either(names: list[str]) -> str:
    escaped = [re.escape(name) for name in names]
    return escaped[0] if len(escaped) == 1 else f"({'|'.join(escaped)})"


def _edits(function: Function, source: SourceText) -> Iterator[Edit]:
    for statement in _on_every_path(function.body):
        yield from expectations.edits(statement, source)


def _on_every_path(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that a passing test has certainly run, those of inner blocks included."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.With | ast.AsyncWith):
            # What stands in a block that catches is cut short by what it catches.
            if not any(expectations.catches(item.context_expr) for item in statement.items):
                yield from _on_every_path(statement.body)
        elif isinstance(statement, ast.Try) and not statement.handlers:
            yield from _on_every_path(statement.body)
            yield from _on_every_path(statement.finalbody)
        elif isinstance(statement, ast.For) and _runs_whole(statement):
            yield from _on_every_path(statement.body)
        if _may_leave(statement):
            return


def _runs_whole(loop: ast.For) -> bool:
    """A loop over values that are written down, which nothing cuts short."""
    written = isinstance(loop.iter, ast.List | ast.Tuple) and bool(loop.iter.elts)
    starred = written and any(isinstance(e, ast.Starred) for e in ast.walk(loop.iter))
    cut = any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(loop))
    return written and not starred and not cut


def _may_leave(statement: ast.stmt) -> bool:
    """Whether the test may end here without failing: a return, or a call that skips."""
    if isinstance(statement, Function | ast.ClassDef):
        return False
    for node in ast.walk(statement):
        if isinstance(node, ast.Return):
            return True
        if isinstance(node, ast.Call):
            name = expectations.called(node)
            if name in SKIPS:
                return True
    return False
