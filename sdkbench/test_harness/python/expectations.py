"""Where a pytest or unittest test expects something that it must reach, and the mutations there."""

import ast
import re
from collections.abc import Collection, Iterator
from functools import partial

from sdkbench.test_harness.mutations import Mutation, least_conspicuous
from sdkbench.test_harness.other_values import OtherValues
from sdkbench.test_harness.python import edits as possible
from sdkbench.test_harness.python.edits import Edit, Scope, SourceText
from sdkbench.test_harness.python.origins import SOLUTION, Origins
from sdkbench.test_harness.python.parameters import RowEdit, parameters_of
from sdkbench.test_harness.python.tables import Function, Names, called

SKIPS = frozenset({"skip", "skipTest", "xfail", "importorskip", "exit"})


def mutations_of(text: str, path: str, solution: Collection[str] = SOLUTION) -> list[Mutation]:
    """Every mutation of the tests in `text`, which stands at `path` below the workspace.

    None for text that does not parse: the reference run tells what is wrong with it. `solution`
    has the modules that are the solution's.
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    source, file = SourceText(text), _values(module, text)
    mutations = []
    for names, function in _tests(module.body, ()):
        own = Names(module, function)
        scope = Scope(source, own, _values(function, file), Origins(own, solution))
        base = _ids(path, names, module)
        parameters = parameters_of(scope)
        by_label = parameters.by_label(scope, _edits) if parameters else {}
        for label, rows in by_label.items():
            tests = base + re.escape(f"[{label}]")
            mutations += [_row_mutation(row, label, path, tests, source) for row in rows]
        if not by_label:
            wider = scope._replace(values=scope.values.with_sizes)
            edits = least_conspicuous(_edits(scope), partial(_edits, wider))
            mutations += [_mutation(edit, path, base + r"(\[.*\])?", source) for edit in edits]
    return mutations


def _values(node: ast.AST, file: OtherValues | str) -> OtherValues:
    """What the literals below `node` could be instead: of the whole file, whose text is given, or
    of one test, with the file's.
    """
    constants = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
    texts = [value for value in constants if isinstance(value, str)]
    numbers = [v for v in constants if isinstance(v, int) and not isinstance(v, bool)]
    lists = [n.elts for n in ast.walk(node) if isinstance(n, ast.List | ast.Set)]
    plain = [e for e in lists if not any(isinstance(one, ast.Tuple | ast.Dict) for one in e)]
    sizes = {len(elements) for elements in plain}
    if isinstance(file, str):
        return OtherValues(texts, numbers, source=file)
    return file.near(texts, numbers, sizes)


def _mutation(edit: Edit, path: str, tests: str, source: SourceText) -> Mutation:
    return Mutation(path=path, tests=tests, line=source.line_of(edit.start), **edit._asdict())


def _row_mutation(row: RowEdit, label: str, path: str, tests: str, source: SourceText) -> Mutation:
    mutation = _mutation(row.edit, path, tests, source)
    if row.label == label:
        return mutation
    return mutation.model_copy(update={"renamed": (f"[{label}]", f"[{row.label}]")})


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
    return "::".join([re.escape(path), *parts, re.escape(name)])


def _heirs(name: str, module: ast.Module) -> set[str]:
    heirs: set[str] = set()
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
            if bases & {name, *heirs}:
                heirs.add(node.name)
    return heirs


def _either(names: list[str]) -> str:
    escaped = [re.escape(name) for name in names]
    return escaped[0] if len(escaped) == 1 else f"({'|'.join(escaped)})"


def _edits(scope: Scope) -> list[Edit]:
    statements = _on_every_path(scope.names.function.body, scope)
    edits = [edit for statement in statements for edit in possible.edits(statement, scope)]
    return list(dict.fromkeys(edits))


def _on_every_path(body: list[ast.stmt], scope: Scope) -> Iterator[ast.stmt]:
    """The statements that a passing test has certainly run, those of inner blocks included."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.With | ast.AsyncWith):
            # What stands in a block that catches is cut short by what it catches.
            if not any(_may_swallow(item.context_expr, scope) for item in statement.items):
                yield from _on_every_path(statement.body, scope)
        elif isinstance(statement, ast.Try) and not statement.handlers:
            yield from _on_every_path(statement.body, scope)
            yield from _on_every_path(statement.finalbody, scope)
        elif isinstance(statement, ast.For) and _runs_whole(statement, scope.names):
            yield from _on_every_path(statement.body, scope)
        if _may_leave(statement):
            return


def _may_swallow(expression: ast.expr, scope: Scope) -> bool:
    """Whether a block may end without an error that was raised inside of it.

    The framework, the standard library and other packages let errors pass, but for a few by name.
    What the solution offers may do as it likes: a transaction that logs and goes on is honest.
    """
    return possible.catches(expression) or scope.origins.is_solutions(expression)


def _runs_whole(loop: ast.For, names: Names) -> bool:
    """A loop over values that are written down, which nothing cuts short."""
    cut = any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(loop))
    return bool(names.rows(loop.iter)) and not cut


def _may_leave(statement: ast.stmt) -> bool:
    """Whether the test may end here without failing: a return, or a call that skips."""
    if isinstance(statement, Function | ast.ClassDef):
        return False
    for node in ast.walk(statement):
        if isinstance(node, ast.Return):
            return True
        if isinstance(node, ast.Call):
            name = called(node)
            if name in SKIPS:
                return True
    return False
