"""Where a value that a Python test expects is written down: beside the assertion, in a variable or
constant, in a fixture, in the rows of a table that a loop runs over.

A name leads to what it stands for only where the test does nothing else with it than compare, and
tell of a failure: what is an input too must stay as it is.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
BINDING = ast.AnnAssign | ast.AugAssign | ast.For | ast.comprehension | ast.NamedExpr
TELLS = frozenset({"subTest", "print", "fail"})  # calls that only say something
# Assertion methods, and how many of their arguments take part; what follows tells of a failure.
COMPARES = {
    "assertEqual": 2, "assertListEqual": 2, "assertTupleEqual": 2, "assertDictEqual": 2,
    "assertSetEqual": 2, "assertMultiLineEqual": 2, "assertSequenceEqual": 2,
    "assertCountEqual": 2, "assertIn": 1, "assertIs": 2,
    "raises": 1, "assertRaises": 1, "assertRaisesRegex": 1,
}  # fmt: skip


def called(call: ast.Call) -> str:
    """The last word of what is called."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def approximated(expression: ast.expr) -> ast.expr:
    """What is in `approx(…)`, where that is as near as it is by itself."""
    while isinstance(expression, ast.Call) and called(expression) == "approx":
        if len(expression.args) != 1 or expression.keywords:
            break
        expression = expression.args[0]
    return expression


class Read(NamedTuple):
    """A name as it is read: `row`, `row["want"]`, `row[1]`, `row.want`."""

    name: str
    column: str | int | None = None


def read_of(expression: ast.expr) -> Read | None:
    if isinstance(expression, ast.Name):
        return Read(expression.id)
    value = expression.value if isinstance(expression, ast.Subscript | ast.Attribute) else None
    if not isinstance(value, ast.Name):
        return None
    if isinstance(expression, ast.Attribute):
        return Read(value.id, expression.attr)
    if isinstance(expression, ast.Subscript) and isinstance(expression.slice, ast.Constant):
        key = expression.slice.value
        return Read(value.id, key) if isinstance(key, str | int) else None
    return None


class Names:
    """The names of one test function in its module."""

    def __init__(
        self, module: ast.Module, function: Function, given: Mapping[str, ast.expr] | None = None
    ) -> None:
        """`given` has the values of parameters, of one set of them."""
        self.module = module
        self.function = function
        self.given = given or {}
        self.parameters = {argument.arg for argument in _arguments(function)}

    def written(self, expression: ast.expr) -> list[ast.expr]:
        """What an expected value may be, each in its turn; itself where it is no name, and
        nothing where that is an input too.
        """
        read = read_of(expression)
        if read is None:
            return [expression]
        if read.name in {"self", "cls"} and isinstance(read.column, str):
            return self._class_attribute(read.column)
        if not self.only_compared(read):
            return []
        if read.name in self.given:
            row = self.given[read.name]
            cell = row if read.column is None else cell_of(row, read.column)
            return [cell] if cell is not None else []
        if self._loops(read.name):
            return list(self._column(read))
        if read.column is not None:
            # `app.Broken`: not a column of anything here.
            return [expression] if not self.bindings(read.name) else []
        value = self._value(read.name)
        return [value] if value is not None else self._unknown(expression)

    def exceptions(self, expression: ast.expr) -> list[ast.expr]:
        """What a class that must be raised may be: what it is, where no row or value tells."""
        read = read_of(expression)
        own = read is not None and (
            read.name in self.parameters
            or self.bindings(read.name)
            or self.constant(read.name) is not None
        )
        return self.written(expression) if own else [expression]

    def shared_constant(self, expression: ast.expr) -> ast.expr | None:
        """What a constant or fixture of the module stands for, where others use it too."""
        read = read_of(expression)
        if read is None or read.column is not None or self.bindings(read.name):
            return None
        if read.name in self.parameters:
            return _returned(self.fixture(read.name))
        return self.constant(read.name)

    def home_of(self, expression: ast.expr) -> str:
        """The module that a dotted name is read from, as far as the imports tell."""
        root = expression
        while isinstance(root, ast.Attribute):
            root = root.value
        name = root.id if isinstance(root, ast.Name) else ""
        for node in ast.walk(self.module):
            for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
                if (alias.asname or alias.name.partition(".")[0]) == name:
                    module = node.module if isinstance(node, ast.ImportFrom) else None
                    return f"{module}.{alias.name}" if module else alias.name
        return "builtins"

    def rows(self, table: ast.expr) -> list[ast.expr]:
        """The rows of a table that is written down; of a dict, its items."""
        if isinstance(table, ast.Name):
            binding = self._value(table.id)
            # A table that a mark names is not used by the function itself.
            alone = len(self._uses(table.id)) <= 1
            return self.rows(binding) if binding is not None and alone else []
        if isinstance(table, ast.Call) and called(table) == "items" and not table.args:
            owner = table.func.value if isinstance(table.func, ast.Attribute) else None
            if isinstance(owner, ast.Name):
                owner = self._value(owner.id) if len(self._uses(owner.id)) == 1 else None
            items = (
                zip(owner.keys, owner.values, strict=True) if isinstance(owner, ast.Dict) else ()
            )
            return [ast.Tuple([key, value]) for key, value in items if key is not None]
        written = isinstance(table, ast.List | ast.Tuple) and table.elts
        starred = written and any(isinstance(e, ast.Starred) for e in written)
        return list(written) if written and not starred else []

    def only_compared(self, read: Read) -> bool:
        """Whether the test compares it, and does nothing else with it."""
        compared = {id(node) for node in self._compared()}
        reads = list(self._reads(read.name))
        if any((one := read_of(node)) is None or _other_whole(one, read) for node in reads):
            return False
        same = [node for node in reads if read_of(node) == read]
        return bool(same) and all(id(node) in compared for node in same)

    def _reads(self, name: str) -> Iterator[ast.expr]:
        """The widest expressions by which the name is read: `row["want"]` rather than `row`."""
        inner: set[int] = set()
        told = {id(node) for node in self._telling()}
        for node in ast.walk(self.function):
            if not isinstance(node, ast.expr) or id(node) in inner:
                continue
            read = read_of(node)
            if read is None or read.name != name or not isinstance(_ctx(node), ast.Load):
                continue
            inner |= {id(child) for child in ast.walk(node)} - {id(node)}
            if id(node) not in told:
                yield node

    def _telling(self) -> Iterator[ast.AST]:
        """Everything inside of what only tells of a failure."""
        for node in ast.walk(self.function):
            said: list[ast.AST] = []
            if isinstance(node, ast.Assert) and node.msg is not None:
                said = [node.msg]
            elif isinstance(node, ast.Call) and called(node) in TELLS:
                said = [*node.args, *node.keywords]
            elif isinstance(node, ast.Call) and called(node) in COMPARES:
                said = [*node.args[2:], *(k for k in node.keywords if k.arg == "msg")]
            for one in said:
                yield from ast.walk(one)

    def _compared(self) -> Iterator[ast.expr]:
        """What stands alone on one side of a comparison that must hold."""
        for node in ast.walk(self.function):
            if isinstance(node, ast.Assert):
                yield from _sides(node.test)
            elif isinstance(node, ast.Call) and called(node) in COMPARES:
                for argument in node.args[: COMPARES[called(node)]]:
                    yield approximated(argument)

    def _uses(self, name: str) -> list[ast.expr]:
        return list(self._reads(name))

    def _uses_in_module(self, name: str) -> int:
        loads = [n for n in ast.walk(self.module) if isinstance(n, ast.Name) and n.id == name]
        return sum(isinstance(node.ctx, ast.Load) for node in loads)

    def bindings(self, name: str) -> list[ast.AST]:
        """The statements of the function that give the name a value."""
        bindings: list[ast.AST] = []
        for node in ast.walk(self.function):
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, BINDING):
                targets = [node.target]
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                targets = [node.optional_vars]
            names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
            if name in names:
                bindings.append(node)
        return bindings

    def _loops(self, name: str) -> list[ast.For]:
        bindings = self.bindings(name)
        loops = [node for node in bindings if isinstance(node, ast.For)]
        return loops if len(loops) == len(bindings) == 1 else []

    def _column(self, read: Read) -> Iterator[ast.expr]:
        [loop] = self._loops(read.name)
        for row in self.rows(loop.iter):
            place = read.column
            if isinstance(loop.target, ast.Tuple):
                names = [t.id if isinstance(t, ast.Name) else "" for t in loop.target.elts]
                place = names.index(read.name) if read.name in names else None
            cell = row if place is None else cell_of(row, place)
            if cell is not None:
                yield cell

    def _value(self, name: str) -> ast.expr | None:
        """What a name stands for that gets its value once; of the module's own, only where
        nothing else uses it.
        """
        bindings = self.bindings(name)
        if bindings:
            [only, *others] = bindings
            simple = isinstance(only, ast.Assign | ast.AnnAssign) and not others
            target = only.targets[0] if isinstance(only, ast.Assign) else None
            if isinstance(only, ast.Assign) and not isinstance(target, ast.Name):
                return None
            return only.value if simple and isinstance(only, ast.Assign | ast.AnnAssign) else None
        if name in self.parameters:
            fixture = self.fixture(name)
            asking = [n for n in ast.walk(self.module) if isinstance(n, Function)]
            users = sum(name in {a.arg for a in _arguments(n)} for n in asking)
            return _returned(fixture) if users == 1 else None
        return self.constant(name) if self._uses_in_module(name) == 1 else None

    def _unknown(self, expression: ast.expr) -> list[ast.expr]:
        """A name that stands for nothing we know, such as that of a class, is what it is."""
        name = expression.id if isinstance(expression, ast.Name) else ""
        own = name in self.parameters or self.bindings(name) or self.constant(name) is not None
        return [] if own else [expression]

    def constant(self, name: str) -> ast.expr | None:
        values = [
            node.value
            for node in self.module.body
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name) and target.id == name
        ]
        return values[0] if len(values) == 1 else None

    def fixture(self, name: str) -> Function | None:
        for node in ast.walk(self.module):
            marks = node.decorator_list if isinstance(node, Function) else []
            words = [m.func if isinstance(m, ast.Call) else m for m in marks]
            fixture = any(ast.unparse(word).rpartition(".")[2] == "fixture" for word in words)
            if isinstance(node, Function) and node.name == name and fixture:
                return node
        return None

    def _class_attribute(self, name: str) -> list[ast.expr]:
        """What `self.NAME` stands for that the class says once, and nothing else reads."""
        values = [
            node.value
            for owner in ast.walk(self.module)
            if isinstance(owner, ast.ClassDef)
            for node in owner.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
        ]
        attributes = [n for n in ast.walk(self.module) if isinstance(n, ast.Attribute)]
        uses = [node for node in attributes if node.attr == name]
        return values if len(values) == 1 and len(uses) == 1 else []


def cell_of(row: ast.expr, place: str | int) -> ast.expr | None:
    """One value of a row: by its place, its key, or the name that it is given by."""
    if isinstance(row, ast.Tuple | ast.List) and isinstance(place, int):
        return row.elts[place] if -len(row.elts) <= place < len(row.elts) else None
    if isinstance(row, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in row.keys]
        return row.values[keys.index(place)] if place in keys else None
    if isinstance(row, ast.Call):
        return next((k.value for k in row.keywords if k.arg == place), None)
    return None


def _sides(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for operand in test.values:
            yield from _sides(operand)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], ast.Eq | ast.Is):
            yield approximated(test.left)
            yield approximated(test.comparators[0])
        elif isinstance(test.ops[0], ast.In):
            yield test.left


def _other_whole(one: Read, read: Read) -> bool:
    """Whether the whole is used where only a column is asked for: `check(row)` may do anything."""
    return (one.column is None) != (read.column is None)


def _ctx(node: ast.expr) -> ast.expr_context | None:
    return node.ctx if isinstance(node, ast.Name | ast.Subscript | ast.Attribute) else None


def _arguments(function: Function) -> list[ast.arg]:
    arguments = function.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def _returned(fixture: Function | None) -> ast.expr | None:
    """The value of a fixture that does nothing but say it."""
    if fixture is None or len(fixture.body) != 1:
        return None
    [only] = fixture.body
    if isinstance(only, ast.Return):
        return only.value
    value = only.value if isinstance(only, ast.Expr) else None
    return value.value if isinstance(value, ast.Yield) else None
