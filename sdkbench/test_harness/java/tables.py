"""Where a value that a JUnit test expects is written down: beside the assertion, in a variable or
constant, or in the rows that a loop or the framework runs a test with.

A name leads to what it stands for only where the test does nothing else with it than compare: what
is an input too must stay as it is.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.mutations import Edit, code_of, field, named, walk
from sdkbench.test_harness.other_values import OtherValues

LISTS = frozenset({"List.of", "Set.of", "Arrays.asList", "Stream.of"})
ROWS = frozenset({"Arguments.of", "Arguments.arguments", "arguments", "of"})
SOURCES = frozenset({"CsvSource", "ValueSource", "MethodSource"})
CUTS = frozenset({"break_statement", "continue_statement"})
CSV_LINE = re.compile(r"[^\\'\"\n]*")  # cells that need no quotes
CELL = re.compile(r"[^,]+")
TRIES = 20


class Cell(NamedTuple):
    """One value of a row: a node, or a part of a text that holds the whole row."""

    node: Node
    start: int = 0  # in bytes, of the part
    text: str | None = None

    def edits(
        self, values: OtherValues, others: Callable[[Node], Iterator[Edit]]
    ) -> Iterator[Edit]:
        """`others` has the edits of a node."""
        if self.text is None:
            yield from others(self.node)
            return
        other = self._other_text(values)
        if other is not None:
            yield Edit(self.start, self.start + len(self.text.encode()), other, "value")

    def _other_text(self, values: OtherValues) -> str | None:
        text = self.text or ""
        if text in {"true", "false"}:
            return {"true": "false", "false": "true"}[text]
        if text.isdecimal():
            number = values.integer(int(text))
            return None if number is None else str(number)
        drawn = (values.text(text) for _ in range(TRIES))
        return next(
            (t for t in drawn if CSV_LINE.fullmatch(t) and "," not in t and t.strip()), None
        )


class Names(NamedTuple):
    """The names of one test method, and of the class that it is in."""

    root: Node
    method: Node

    def written(self, node: Node) -> list[Node]:
        """The nodes that an expected value may be, each in its turn; itself where it is no name."""
        if node.type == "identifier":
            return self._named(code_of(node))
        owner, column = _read_of(node)
        if owner and self._loop(owner) is not None:
            return self._column(owner, column)
        return [node]

    def shared_constant(self, node: Node) -> Node | None:
        """What a constant of the class stands for, where other tests use it too."""
        name = code_of(node)
        if node.type != "identifier" or self._declared(name) or name in self.parameters:
            return None
        return self._constant(name)

    def rows(self, loop: Node) -> list[Node]:
        """What a loop certainly runs over, if that is written down."""
        cut = any(node.type in CUTS for node in walk(loop))
        return [] if cut else self._elements(field(loop, "value"))

    @property
    def parameters(self) -> list[str]:
        return [code_of(field(p, "name")) for p in named(field(self.method, "parameters"))]

    def parameter(self, node: Node) -> int | None:
        """Which of the method's parameters is expected here, and used for nothing else."""
        name = code_of(node)
        if node.type != "identifier" or name not in self.parameters:
            return None
        uses = self._uses(name, field(self.method, "body"))
        return self.parameters.index(name) if len(uses) == 1 else None

    def cases(self) -> list[list[Cell]]:
        """The rows that the framework runs the method with, if they are all written down."""
        modifiers = next((n for n in self.method.children if n.type == "modifiers"), None)
        notes = [n for n in named(modifiers) if code_of(field(n, "name")) in SOURCES]
        if len(notes) != 1:
            return []
        [note] = notes
        source, given = code_of(field(note, "name")), named(field(note, "arguments"))
        if source == "MethodSource":
            return self._method_rows(given)
        if len(given) != 1:
            return []
        values = field(given[0], "value") if given[0].type == "element_value_pair" else given[0]
        several = values is not None and values.type == "element_value_array_initializer"
        cells = named(values) if several else [values] if values is not None else []
        if source == "ValueSource":
            return [[Cell(cell)] for cell in cells]
        rows = [_csv_row(cell) for cell in cells]
        return rows if all(rows) else []

    def _method_rows(self, given: list[Node]) -> list[list[Cell]]:
        wanted = code_of(given[0])[1:-1] if given else code_of(field(self.method, "name"))
        makers = [
            node
            for node in walk(self.root)
            if node.type == "method_declaration"
            and code_of(field(node, "name")) == wanted
            and node != self.method
        ]
        if len(given) > 1 or len(makers) != 1 or len(named(field(makers[0], "body"))) != 1:
            return []
        if self._mentions(wanted) > 1:  # another test may be run with these rows
            return []
        [statement] = named(field(makers[0], "body"))
        made = named(statement)[0] if statement.type == "return_statement" else None
        return [
            [Cell(cell) for cell in named(field(row, "arguments"))]
            if _called(row) in ROWS
            else [Cell(row)]
            for row in self._elements(made)
        ]

    def _mentions(self, maker: str) -> int:
        """How often a method's name is used, as a source of rows or to call it."""
        quoted = f'"{maker}"'
        texts = sum(code_of(n) == quoted for n in walk(self.root) if n.type == "string_literal")
        calls = [n for n in walk(self.root) if n.type == "method_invocation"]
        return texts + sum(code_of(field(call, "name")) == maker for call in calls)

    def _named(self, name: str) -> list[Node]:
        uses = self._uses(name, field(self.method, "body"))
        declared = self._declared(name)
        if not declared and name not in self.parameters:
            alone = len(self._uses(name, self.root)) == 1
            constant = self._constant(name)
            return [constant] if constant is not None and alone else []
        if len(declared) != 1 or len(uses) != 1:
            return []
        loop = self._loop(name)
        if loop is not None:
            return self.rows(loop)
        value = field(declared[0], "value")
        return [value] if value is not None else []

    def _column(self, name: str, column: str) -> list[Node]:
        loop = self._loop(name)
        uses = self._uses(name, field(self.method, "body"))
        read = [_read_of(use.parent) for use in uses if use.parent is not None]
        if loop is None or any(owner != name for owner, _ in read):
            return []
        if [what for _, what in read].count(column) != 1:
            return []
        in_column = []
        for row in self.rows(loop):
            cells = (
                named(row) if row.type == "array_initializer" else named(field(row, "arguments"))
            )
            place = int(column) if column.isdecimal() else self._component(row, column)
            if place is None or place >= len(cells):
                return []
            in_column.append(cells[place])
        return in_column

    def _component(self, row: Node, name: str) -> int | None:
        """Which of a record's components has the name."""
        kind = code_of(field(row, "type"))
        for node in walk(self.root):
            if node.type == "record_declaration" and code_of(field(node, "name")) == kind:
                names = [code_of(field(p, "name")) for p in named(field(node, "parameters"))]
                return names.index(name) if name in names else None
        return None

    def _elements(self, node: Node | None) -> list[Node]:
        if node is not None and node.type == "identifier":
            name = code_of(node)
            declared = self._declared(name)
            scope = field(self.method, "body") if declared else self.root
            if len(self._uses(name, scope)) != 1:
                return []
            value = field(declared[0], "value") if len(declared) == 1 else None
            return self._elements(value if declared else self._constant(name))
        if node is not None and node.type == "array_creation_expression":
            return named(field(node, "value"))
        if node is not None and node.type == "array_initializer":
            return named(node)
        return (
            named(field(node, "arguments")) if node is not None and _called(node) in LISTS else []
        )

    def _declared(self, name: str) -> list[Node]:
        kinds = {"variable_declarator", "enhanced_for_statement"}
        nodes = [n for n in walk(self.method) if n.type in kinds]
        return [n for n in nodes if code_of(field(n, "name")) == name]

    def _loop(self, name: str) -> Node | None:
        declared = self._declared(name)
        loop = len(declared) == 1 and declared[0].type == "enhanced_for_statement"
        return declared[0] if loop else None

    def _constant(self, name: str) -> Node | None:
        values = [
            field(declarator, "value")
            for node in walk(self.root)
            if node.type == "field_declaration" and "final" in code_of(node).partition("=")[0]
            for declarator in named(node)
            if declarator.type == "variable_declarator"
            and code_of(field(declarator, "name")) == name
        ]
        return values[0] if len(values) == 1 else None

    def _uses(self, name: str, scope: Node | None) -> list[Node]:
        """Where the name is used, not where it gets its value; words after a dot are others."""
        uses = []
        for node in walk(scope) if scope is not None else ():
            if node.type != "identifier" or code_of(node) != name or node.parent is None:
                continue
            parent = node.parent
            names = [parent.child_by_field_name("name"), parent.child_by_field_name("field")]
            if node not in names:
                uses.append(node)
        return uses


def _called(node: Node) -> str:
    if node.type != "method_invocation":
        return ""
    owner, name = code_of(field(node, "object")), code_of(field(node, "name"))
    return f"{owner}.{name}" if owner else name


def _read_of(node: Node) -> tuple[str, str]:
    """Of `row[1]` and `row.want()`: the name, and what is read of it."""
    if node.type == "array_access":
        return code_of(field(node, "array")), code_of(field(node, "index"))
    if node.type == "method_invocation" and not named(field(node, "arguments")):
        return code_of(field(node, "object")), code_of(field(node, "name"))
    return "", ""


def _csv_row(literal: Node) -> list[Cell]:
    """The cells of a row that is one text; none where they are quoted or escaped."""
    text = code_of(literal)[1:-1]
    if literal.type != "string_literal" or not CSV_LINE.fullmatch(text):
        return []
    cells = []
    for match in CELL.finditer(text):
        inner = match.group()
        ahead = match.start() + len(inner) - len(inner.lstrip())
        start = literal.start_byte + 1 + len(text[:ahead].encode())
        cells.append(Cell(literal, start, inner.strip()))
    return cells
