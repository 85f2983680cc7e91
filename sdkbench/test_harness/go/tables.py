"""Where a value that a Go test expects is written down: beside the comparison, or in a table.

A name leads to what it stands for only where the test does nothing else with it than compare, and
tell of a failure: what is an input too must stay as it is.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.mutations import code_of, field, named, walk

DECLARATIONS = frozenset({"short_var_declaration", "var_spec", "const_spec"})


class Names(NamedTuple):
    """The names of one test function. `tells` says of a node whether it only tells of a failure."""

    root: Node
    function: Node
    tells: Callable[[Node], bool]

    def written(self, side: Node) -> list[Node]:
        """The nodes that `side` of a comparison may be, each in its turn; itself where it is
        neither a name nor a field of one; none where they are inputs too.
        """
        if side.type == "identifier":
            return self._named(side)
        owner, column = field(side, "operand"), code_of(field(side, "field"))
        if side.type == "selector_expression" and owner is not None and owner.type == "identifier":
            return list(self._column(owner, column)) if self._loop(code_of(owner)) else []
        return [side]

    def shared_constant(self, side: Node) -> Node | None:
        """What a constant of the file stands for, where other tests use it too."""
        if side.type != "identifier" or self._bindings(code_of(side)):
            return None
        spec = self._top_level(code_of(side))
        value = field(spec, "value") if spec is not None and spec.type == "const_spec" else None
        return value.named_children[0] if value is not None else None

    def table(self, node: Node | None) -> Node | None:
        """The composite literal that is meant, by itself or by a name that nothing else uses."""
        if node is not None and node.type == "identifier":
            name = code_of(node)
            declared = [b for b in self._bindings(name) if b.type in DECLARATIONS]
            scope = self.function if declared else self.root
            spec = declared[0] if len(declared) == 1 else self._top_level(name)
            if spec is None or len(self._uses(name, scope)) != 2:  # noqa: PLR2004 - declared, and here
                return None
            node = _value(spec)
        return node if node is not None and node.type == "composite_literal" else None

    def is_local(self, node: Node) -> bool:
        """Whether it is of a variable of the function: the compiler wants that to be used."""
        return any(self._bindings(code_of(n)) for n in walk(node) if n.type == "identifier")

    def is_data(self, condition: Node) -> bool:
        """Whether it hangs on the rows of a table alone: the same for every solution."""
        calls = any(node.type == "call_expression" for node in walk(condition))
        words = [n for n in walk(condition) if n.type == "identifier"]
        names = {code_of(word) for word in words} - {"nil", "true", "false"}
        return not calls and bool(names) and all(self._loop(name) is not None for name in names)

    def _named(self, name: Node) -> list[Node]:
        text = code_of(name)
        bindings = self._bindings(text)
        if not bindings:
            spec = self._top_level(text)
            value = _value(spec) if spec is not None else None
            alone = len(self._uses(text, self.root)) == 2  # noqa: PLR2004 - declared, and here
            return [value] if value is not None and alone else []
        uses = self._uses(text, self.function)
        if len(uses) != len(bindings) + 1:
            return []
        if self._loop(text) is not None:
            return self._rows(text)
        value = _value(bindings[0]) if len(bindings) == 1 else None
        return [value] if value is not None else []

    def _column(self, owner: Node, column: str) -> Iterator[Node]:
        """That field of every row which the name stands for, one after the other."""
        name = code_of(owner)
        used = [
            use.parent
            for use in self._uses(name, self.function)
            if use.parent is not None and use.parent.type == "selector_expression"
        ]
        if len([use for use in used if code_of(field(use, "field")) == column]) != 1:
            return
        if any(self._stands_alone(use) for use in self._uses(name, self.function)):
            return
        table = self._table_of(name)
        order = self._order(table)
        for row in self._rows(name):
            body = field(row, "body") if row.type == "composite_literal" else row
            value = _field_of(body, column, order)
            if value is not None:
                yield value

    def _stands_alone(self, use: Node) -> bool:
        """Whether the whole row is used: `check(tc)` may do anything with it."""
        parent = use.parent
        if parent is None or parent.type == "selector_expression":
            return False
        holder = parent.parent
        if holder is not None and holder.type == "range_clause":
            return False
        # `tc := tc`, as loops were written once.
        same = holder is not None and holder.type == "short_var_declaration"
        return not (same and code_of(field(holder, "left")) == code_of(field(holder, "right")))

    def _bindings(self, name: str) -> list[Node]:
        """The declarations and range clauses of the function that give the name its value."""
        bindings = []
        for node in walk(self.function):
            left = field(node, "left") or field(node, "name")
            if node.type not in DECLARATIONS | {"range_clause"} or left is None:
                continue
            words = named(left) if left.type == "expression_list" else [left]
            again = code_of(left) == code_of(field(node, "right"))
            if name in map(code_of, words) and not again:
                bindings.append(node)
        return bindings

    def _loop(self, name: str) -> Node | None:
        """The range clause whose last name it is, if it has no other meaning."""
        bindings = self._bindings(name)
        if len(bindings) != 1 or bindings[0].type != "range_clause":
            return None
        names = named(field(bindings[0], "left"))
        return bindings[0] if len(names) > 1 and code_of(names[-1]) == name else None

    def _table_of(self, name: str) -> Node | None:
        clause = self._loop(name)
        return self.table(field(clause, "right")) if clause is not None else None

    def _rows(self, name: str) -> list[Node]:
        table = self._table_of(name)
        rows = named(field(table, "body")) if table is not None else []
        return [_element(row) for row in rows]

    def _order(self, table: Node | None) -> list[str]:
        """The fields of the rows' type, in their order."""
        kind = field(table, "type")
        row = field(kind, "element") or field(kind, "value")
        while row is not None and row.type == "pointer_type":
            row = row.named_children[0]
        if row is not None and row.type == "type_identifier":
            specs = (node for node in walk(self.root) if node.type == "type_spec")
            kinds = {code_of(field(spec, "name")): field(spec, "type") for spec in specs}
            row = kinds.get(code_of(row))
        if row is None or row.type != "struct_type":
            return []
        return [
            code_of(word)
            for declared in walk(row)
            if declared.type == "field_declaration"
            for word in declared.children_by_field_name("name")
        ]

    def _uses(self, name: str, scope: Node) -> list[Node]:
        """Where the name is used, but for what tells of failures, and for `tc := tc`."""
        return [
            node
            for node in walk(scope)
            if node.type == "identifier"
            and code_of(node) == name
            and not _is_key(node)
            and not _is_repeated(node)
            and not self.tells(node)
        ]

    def _top_level(self, name: str) -> Node | None:
        specs = [
            spec
            for declared in self.root.children
            if declared.type in {"const_declaration", "var_declaration"}
            for spec in walk(declared)
            if spec.type in DECLARATIONS and code_of(field(spec, "name")) == name
        ]
        return specs[0] if len(specs) == 1 else None


def _value(declaration: Node) -> Node | None:
    """The one value of a declaration with one name."""
    names = field(declaration, "left") or field(declaration, "name")
    values = field(declaration, "right") or field(declaration, "value")
    several = names is not None and names.type == "expression_list" and len(named(names)) > 1
    if values is None or several or declaration.type not in DECLARATIONS:
        return None
    return values.named_children[0] if values.type == "expression_list" else values


def _element(node: Node) -> Node:
    """What an element of a table is, without its key and what only wraps it."""
    if node.type == "keyed_element":
        return _element(node.named_children[-1])
    wraps = node.type == "literal_element" or (
        node.type == "unary_expression" and code_of(field(node, "operator")) == "&"
    )
    return _element(node.named_children[-1]) if wraps else node


def _field_of(body: Node | None, column: str, order: list[str]) -> Node | None:
    elements = named(body) if body is not None and body.type == "literal_value" else []
    for place, element in enumerate(elements):
        keyed = element.type == "keyed_element"
        key = code_of(element.named_children[0]) if keyed else "".join(order[place : place + 1])
        if key == column:
            return _element(element)
    return None


def _is_key(node: Node) -> bool:
    """Whether it names a field: `{want: 3}`."""
    element = node.parent
    keyed = element.parent if element is not None and element.type == "literal_element" else None
    if keyed is None or keyed.type != "keyed_element":
        return False
    return bool(keyed.named_children[0] == element)


def _is_repeated(node: Node) -> bool:
    holder = node.parent.parent if node.parent is not None else None
    return (
        holder is not None
        and holder.type == "short_var_declaration"
        and code_of(field(holder, "left")) == code_of(field(holder, "right")) == code_of(node)
    )
