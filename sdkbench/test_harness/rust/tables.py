"""Where a value that a Rust test expects is written down: beside the comparison, or in a table.

Macros hold tokens, not expressions, so everything is read as tokens. A name leads to what it
stands for only where the test does nothing else with it than compare, and tell of a failure: what
is an input too must stay as it is.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.mutations import code_of, field, named, walk

OPENING, CLOSING = 1, -1  # children of a token tree that are its brackets: all between them
PASSING = frozenset({"iter", "into_iter", "to_vec", "iter_mut"})  # give what they are called on
SAME = frozenset({"clone", "to_string", "to_owned", "into", "as_str", "to_vec", "cloned"})
CUTS = frozenset({"break_expression", "continue_expression"})
PARTS = {"assert": 1, "assert_eq": 2, "assert_ne": 2}  # the rest tells of a failure
CALL = 3  # tokens of `.clone()` as a macro has them: a dot, a word, a pair of brackets
Tokens = list[Node]


class Names(NamedTuple):
    """The names of one test function."""

    root: Node
    function: Node

    def written(self, tokens: Tokens) -> list[Tokens]:
        """What these tokens may stand for, each in its turn; themselves where they are no name."""
        plain = _plain(tokens)
        words = [code_of(token) for token in plain]
        if len(plain) == 1 and plain[0].type == "identifier":
            return self._named(words[0])
        if len(plain) == 3 and words[1] == "." and plain[0].type == "identifier":  # noqa: PLR2004
            return self._column(words[0], words[2])
        return [tokens]

    def loop_table(self, loop: Node) -> list[Tokens]:
        """The rows that a loop certainly runs over, if they are written down."""
        cut = any(node.type in CUTS for node in walk(loop))
        return [] if cut else self._rows(field(loop, "value"))

    def _named(self, name: str) -> list[Tokens]:
        bindings = [node for node in walk(self.function) if name in _bound(node)]
        uses = self._uses(name)
        if not bindings:
            constant = self._constant(name)
            alone = sum(code_of(n) == name for n in walk_tokens(self.root)) == 2  # noqa: PLR2004
            return [[constant]] if constant is not None and alone else []
        if len(bindings) != 1 or len(uses) != 2:  # noqa: PLR2004 - bound, and compared
            return []
        [binding] = bindings
        value = field(binding, "value")
        if binding.type == "let_declaration":
            return [[value]] if value is not None and not _is_mutable(binding) else []
        place = _bound(binding).index(name)
        several = _pattern(binding).type == "tuple_pattern"
        rows = self._rows(value)
        return [cell for row in rows if (cell := _cell(row, place) if several else row)]

    def _column(self, name: str, column: str) -> list[Tokens]:
        loops = [n for n in walk(self.function) if name in _bound(n) and n.type == "for_expression"]
        if len(loops) != 1 or _pattern(loops[0]).type != "identifier":
            return []
        followed = [self._following(use) for use in self._uses(name)[1:]]
        if None in followed or followed.count(column) != 1:
            return []
        rows = self._rows(field(loops[0], "value"))
        place: int | str = int(column) if column.isdecimal() else column
        return [cell for row in rows if (cell := _cell(row, place))]

    def _following(self, use: Node) -> str | None:
        """The field that is read of the name here; None where it is used as a whole."""
        tokens = list(walk_tokens(self.function))
        at = next(i for i, token in enumerate(tokens) if token.start_byte == use.start_byte)
        dot, word = tokens[at + 1 : at + 3]
        return code_of(word) if code_of(dot) == "." else None

    def _uses(self, name: str) -> list[Node]:
        """Where the name stands, but for what tells of failures; where it is bound comes first."""
        messages = [span for node in walk(self.function) for span in _messages(node)]
        return [
            token
            for token in walk_tokens(self.function)
            if token.type == "identifier"
            and code_of(token) == name
            and not any(a <= token.start_byte < b for a, b in messages)
        ]

    def _rows(self, node: Node | None) -> list[Tokens]:
        while node is not None and node.type in {"reference_expression", "call_expression"}:
            called = field(node, "function")
            if node.type == "call_expression" and code_of(field(called, "field")) not in PASSING:
                return []
            node = field(node, "value") or field(called, "value")
        if node is not None and node.type == "identifier":
            return self._rows(self._table(code_of(node)))
        if node is not None and node.type == "array_expression":
            repeated = any(child.type == ";" for child in node.children)
            return [] if repeated else [[row] for row in named(node)]
        if node is not None and code_of(field(node, "macro")) == "vec":
            tokens = node.children[-1]
            return [] if any(c.type == ";" for c in tokens.children) else split(tokens)
        return []

    def _table(self, name: str) -> Node | None:
        """What a name stands for that only one loop uses."""
        bindings = [node for node in walk(self.function) if name in _bound(node)]
        if bindings:
            alone = len(bindings) == 1 and len(self._uses(name)) == 2  # noqa: PLR2004
            return field(bindings[0], "value") if alone else None
        alone = sum(code_of(token) == name for token in walk_tokens(self.root)) == 2  # noqa: PLR2004
        return self._constant(name) if alone else None

    def _constant(self, name: str) -> Node | None:
        for node in walk(self.root):
            if node.type in {"const_item", "static_item"} and code_of(field(node, "name")) == name:
                return field(node, "value")
        return None


def split(arguments: Node) -> list[Tokens]:
    """The tokens between commas, as far as brackets tell."""
    parts: list[Tokens] = [[]]
    for node in arguments.children[OPENING:CLOSING]:
        if node.type == ",":
            parts.append([])
        else:
            parts[-1].append(node)
    return [part for part in parts if part]


def walk_tokens(node: Node) -> Iterator[Node]:
    """The tokens below a node. A literal is one token."""
    if not node.children or node.type.endswith("_literal"):
        yield node
        return
    for child in node.children:
        yield from walk_tokens(child)


def _plain(tokens: Sequence[Node]) -> Tokens:
    """Without borrowing, and without calls that give the same value in another form."""
    plain = [token for token in tokens if token.type not in {"&", "*"}]
    while len(plain) > CALL and code_of(plain[-2]) in SAME and not plain[-1].named_children:
        plain = plain[:-CALL]
    return plain


def _pattern(binding: Node) -> Node:
    pattern = field(binding, "pattern")
    while pattern is not None and pattern.type == "reference_pattern":
        pattern = pattern.named_children[-1]
    return pattern if pattern is not None else binding


def _bound(node: Node) -> list[str]:
    """The names that a let or a loop gives, by their places."""
    if node.type not in {"let_declaration", "for_expression"}:
        return []
    pattern = _pattern(node)
    parts = named(pattern) if pattern.type == "tuple_pattern" else [pattern]
    return [code_of(part) for part in parts]


def _is_mutable(binding: Node) -> bool:
    return any(child.type == "mutable_specifier" for child in binding.children)


def _cell(row: Tokens, place: int | str) -> Tokens | None:
    """One value of a row: of a tuple by its place, of a struct by its field."""
    first, last = row[0], row[-1]
    if isinstance(place, int):
        if first.type == "tuple_expression":
            cells = [[cell] for cell in named(first)]
        else:
            cells = split(first) if len(row) == 1 and first.type == "token_tree" else []
        return cells[place] if place < len(cells) else None
    if first.type == "struct_expression":
        for part in named(field(first, "body")):
            value = field(part, "value")
            if code_of(field(part, "field")) == place and value is not None:
                return [value]
    parts = split(last) if last.type == "token_tree" and len(row) > 1 else []
    return next((part[2:] for part in parts if code_of(part[0]) == place), None)


def _messages(node: Node) -> Iterator[tuple[int, int]]:
    name = code_of(field(node, "macro")) if node.type == "macro_invocation" else ""
    for part in split(node.children[-1])[PARTS[name] :] if name in PARTS else []:
        yield part[0].start_byte, part[-1].end_byte
