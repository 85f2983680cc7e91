"""Where a pytest or unittest test expects something that it must reach, and the mutations there."""

import ast
import re
from collections.abc import Iterator

from sdkbench.test_harness.mutations import Mutation
from sdkbench.test_harness.python import edits as possible
from sdkbench.test_harness.python.edits import Edit, SourceText

Function = ast.FunctionDef | ast.AsyncFunctionDef
SKIPS = frozenset({"skip", "skipTest", "xfail", "importorskip", "exit"})


def mutations_of(text: str, path: str) -> list[Mutation]:
    """Every mutation of the tests in `text`, which stands at `path` below the workspace.

    None for text that does not parse: the reference run tells what is wrong with it.
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    source = SourceText(text, module)
    found = []
    for names, function in _tests(module.body, ()):
        base = _ids(path, names, module)
        by_parameters = _by_parameters(function, source)
        patterns = {base + re.escape(f"[{label}]"): e for label, e in by_parameters.items()}
        for pattern, edits in (
            patterns or {base + r"(\[.*\])?": list(_edits(function, source))}
        ).items():
            found += [
                Mutation(
                    path=path, tests=pattern, line=source.line_of(edit.start), **edit._asdict()
                )
                for edit in edits
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
    return "::".join([re.escape(path), *parts, re.escape(name)])


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
    statements = list(_on_every_path(function.body))
    for statement in statements:
        yield from possible.edits(statement, source)
    for statement in statements:
        yield from _named_value(statement, function, source)


def _named_value(statement: ast.stmt, function: Function, source: SourceText) -> Iterator[Edit]:
    """Another literal for a name that is only there to be compared with."""
    if not isinstance(statement, ast.Assign) or not possible.is_literal(statement.value):
        return
    [target, *others] = statement.targets
    if not others and isinstance(target, ast.Name) and _only_compared(target.id, function, 1):
        yield from possible.other_values(statement.value, source)


def _only_compared(name: str, function: Function, bindings: int) -> bool:
    """Whether a passing test has certainly compared `name` by ==, and does nothing else with it."""
    uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    asserts = [node for node in ast.walk(function) if isinstance(node, ast.Assert)]
    certain = {id(s) for s in _on_every_path(function.body)}
    comparing = [test for test in asserts if name in _equal_names(test)]
    sure = any(id(test) in certain for test in comparing)
    return sure and len(uses) == len(comparing) + bindings


def _equal_names(test: ast.Assert) -> set[str]:
    compared = test.test
    if not (isinstance(compared, ast.Compare) and [type(op) for op in compared.ops] == [ast.Eq]):
        return set()
    sides = (compared.left, compared.comparators[0])
    return {side.id for side in sides if isinstance(side, ast.Name)}


def _by_parameters(function: Function, source: SourceText) -> dict[str, list[Edit]]:
    """Edits by the id of a set of parameters, where the sets are written down with their ids.

    Without ids of their own another value would be another id.
    """
    marks = [d for d in function.decorator_list if isinstance(d, ast.Call)]
    marks = [mark for mark in marks if possible.called(mark) == "parametrize"]
    ids = [k.value for mark in marks for k in mark.keywords if k.arg == "ids"]
    if len(marks) != 1 or len(marks[0].args) != 2 or not ids:  # noqa: PLR2004 - names and values
        return {}
    names, rows = _strings(marks[0].args[0]), marks[0].args[1]
    labels = _strings(ids[0])
    if not isinstance(rows, ast.List | ast.Tuple) or len(labels) != len(rows.elts):
        return {}
    found: dict[str, list[Edit]] = {}
    for position, name in enumerate(names):
        if not _only_compared(name, function, 0):
            continue
        for label, row in zip(labels, rows.elts, strict=True):
            values = row.elts if isinstance(row, ast.Tuple | ast.List) else [row]
            value = values[position] if len(values) == len(names) else row
            found.setdefault(label, []).extend(possible.other_values(value, source))
    return found if len(found) == len(labels) and all(found.values()) else {}


def _strings(expression: ast.expr) -> list[str]:
    """Names as parametrize takes them: "a, b", or a list of texts."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return [name.strip() for name in expression.value.split(",") if name.strip()]
    elements = expression.elts if isinstance(expression, ast.List | ast.Tuple) else []
    texts = [e.value for e in elements if isinstance(e, ast.Constant)]
    return [text for text in texts if isinstance(text, str)]


def _on_every_path(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that a passing test has certainly run, those of inner blocks included."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.With | ast.AsyncWith):
            # What stands in a block that catches is cut short by what it catches.
            if not any(possible.catches(item.context_expr) for item in statement.items):
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
            name = possible.called(node)
            if name in SKIPS:
                return True
    return False
