"""What in a test comes from the solution, as far as reading tells; what can't be told does."""

import ast
import builtins
import sys
from collections.abc import Collection, Iterator

from sdkbench.test_harness.python.tables import Function, Names

SOLUTION = frozenset({"expected"})  # what tests import the solution as
# What pytest, its plugins and unittest hand to a test.
GIVEN = frozenset({"self", "cls", "tmp_path", "tmp_path_factory", "tmpdir", "monkeypatch", "capsys",
                   "caplog", "recwarn", "request", "mocker", "subtests"})  # fmt: skip
# Equal to more than one value, or to another one each time.
NOT_PLAIN = frozenset({"ANY", "approx", "anything", "object", "id", "hash", "input", "open", "vars",
                       "eval", "exec", "globals", "locals", "dir", "mock", "Mock"})  # fmt: skip
# Modules whose values are equal to no others; unittest's mocks may be.
PLAIN_MODULES = sys.stdlib_module_names - {"unittest", "random", "secrets"} | {"pyarrow"}
FARTHEST = 8  # names that lead to names, and perhaps in a circle


class Origins:
    """`solution` has the modules that are the solution's."""

    def __init__(self, names: Names, solution: Collection[str] = SOLUTION) -> None:
        self.names = names
        self.solution = solution

    def is_solutions(self, expression: ast.expr | None, depth: int = 0) -> bool:
        """Whether the object may be one that the solution offers."""
        root = _root(expression)
        if root is None or depth > FARTHEST:
            return True
        bindings = self.names.bindings(root)
        if bindings:
            return any(self.is_solutions(_given(node), depth + 1) for node in bindings)
        if root in GIVEN:
            return False
        if root in self.names.parameters:
            fixture = self.names.fixture(root)
            asked = fixture is not None and _parameters(fixture) - GIVEN
            return fixture is None or bool(asked) or self._uses_solution(fixture)
        constant = self.names.constant(root)
        if constant is not None:
            return self.is_solutions(constant, depth + 1)
        return self._is_named_by_solution(root)

    def is_plain(self, expression: ast.expr) -> bool:
        """Whether the file and the standard library alone make it: one value, whatever is judged,
        and equal to no other.
        """
        return all(self._is_plain_name(name, 0) for name in _words(expression))

    def _is_plain_name(self, name: str, depth: int) -> bool:
        if name in NOT_PLAIN or depth > FARTHEST:
            return False
        if self.names.bindings(name) or name in self.names.parameters:
            return False
        return self._is_plain_word(name, depth)

    def _is_plain_word(self, name: str, depth: int) -> bool:
        for node in self.names.module.body:
            if isinstance(node, ast.ClassDef) and node.name == name:
                return False  # it may be equal to what it likes
            if isinstance(node, Function) and node.name == name:
                own = _own_names(node)
                used = _words(node) - own
                return not used & NOT_PLAIN and all(self._is_plain_word(n, depth + 1) for n in used)
        constant = self.names.constant(name)
        if constant is not None:
            return all(self._is_plain_word(word, depth + 1) for word in _words(constant))
        imported = [module for given, module in self._imports() if given == name]
        if imported:
            return imported[-1] in PLAIN_MODULES
        return hasattr(builtins, name)

    def _is_named_by_solution(self, name: str, depth: int = 0) -> bool:
        if depth > FARTHEST:
            return True
        for node in self.names.module.body:
            if isinstance(node, Function | ast.ClassDef) and node.name == name:
                return self._uses_solution(node, depth + 1)
        constant = self.names.constant(name)
        if constant is not None:
            return self._uses_solution(constant, depth + 1)
        imported = [module for given, module in self._imports() if given == name]
        return imported[-1] in self.solution if imported else not hasattr(builtins, name)

    def _uses_solution(self, node: ast.AST, depth: int = 0) -> bool:
        """Whether something written in the file has to do with the solution."""
        used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - _own_names(node)
        return any(self._is_named_by_solution(name, depth) for name in used)

    def _imports(self) -> Iterator[tuple[str, str]]:
        """The names that imports give, and the first word of each one's module."""
        for node in ast.walk(self.names.module):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    root = alias.name.partition(".")[0]
                    yield alias.asname or root, root
            elif isinstance(node, ast.ImportFrom):
                root = (node.module or "").partition(".")[0]
                for alias in node.names:
                    yield alias.asname or alias.name, min(self.solution) if node.level else root


def _root(expression: ast.expr | None) -> str | None:
    """The first name of `name.method(…)[0].other()`."""
    while not isinstance(expression, ast.Name):
        if isinstance(expression, ast.Call):
            expression = expression.func
        elif isinstance(expression, ast.Attribute | ast.Subscript | ast.Await):
            expression = expression.value
        else:
            return None
    return expression.id


def _given(binding: ast.AST) -> ast.expr | None:
    """What a statement gives to the names that it binds."""
    if isinstance(binding, ast.withitem):
        return binding.context_expr
    if isinstance(binding, ast.Assign | ast.AnnAssign | ast.NamedExpr):
        return binding.value
    return None


def _parameters(function: Function) -> set[str]:
    return {argument.arg for argument in function.args.args}


def _own_names(node: ast.AST) -> set[str]:
    """The names that get their meaning inside of it."""
    bound = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _is_bound(n)}
    bound |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
    return bound | {n.name for n in ast.walk(node) if isinstance(n, Function | ast.ClassDef)}


def _is_bound(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)


def _words(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
