"""Where a Rust test expects something, and what else it could expect.

Every edit is complementary: where the original holds, the edited one does not.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import tree_sitter_rust
from tree_sitter import Language, Node

from sdkbench.test_harness.mutations import (
    Edit,
    Literals,
    Mutation,
    SourceTree,
    code_of,
    field,
    least_conspicuous,
    named,
    other_part,
)
from sdkbench.test_harness.other_values import OtherValues
from sdkbench.test_harness.rust.tables import Names, Tokens, split, walk_tokens

RUST = Language(tree_sitter_rust.language())
# A macro that fails where the one of its key passes, and says what that one would say: whoever sees
# a panic must not know by its words that the claim was turned round. It stands in the test itself.
OTHERWISE = "sdkbench_otherwise"
_COMPARED = (
    "($l:expr, $r:expr $(,)?) => { match (&$l, &$r) { (l, r) => if FAILS { "
    'panic!("assertion `left OP right` failed\\n  left: {:?}\\n right: {:?}", &*l, &*r) } } }; '
    "($l:expr, $r:expr, $($why:tt)+) => { match (&$l, &$r) { (l, r) => if FAILS { "
    'panic!("assertion `left OP right` failed: {}\\n  left: {:?}\\n right: {:?}", '
    "format_args!($($why)+), &*l, &*r) } } };"
)
OPPOSITE = {
    "assert": "($c:expr $(,)?) => { if $c { "
    '::std::panic::panic_any(concat!("assertion failed: ", stringify!($c))) } }; '
    "($c:expr, $($why:tt)+) => { if $c { panic!($($why)+) } };",
    "assert_eq": _COMPARED.replace("OP", "==").replace("FAILS", "*l == *r"),
    "assert_ne": _COMPARED.replace("OP", "!=").replace("FAILS", "!(*l == *r)"),
}
# A test with one of these does not simply pass when its body runs to the end.
SPECIAL = frozenset({"should_panic", "ignore"})
# With these alone around them, different literals make different values.
PLAIN_NAMES = frozenset(
    {"Some", "Ok", "Err", "vec", "String", "from", "to_string", "to_owned", "into"}
)
PLAIN_TOKENS = frozenset({"(", ")", "[", "]", ",", ".", "::", "!", ";", "-", "&"})
LITERAL_TYPES = frozenset({"integer_literal", "string_literal", "boolean_literal"})


def _is_list(node: Node) -> bool:
    kinds = {element.type for element in named(node)}
    return node.type == "array_expression" and kinds <= LITERAL_TYPES


LITERALS = Literals(
    re.compile(r"(\d[\d_]*?)((?:_?[iu](?:8|16|32|64|128|size))?)"),
    lambda node: len(named(node)) if _is_list(node) else 0,
)
SEARCHES = frozenset({"contains", "starts_with", "ends_with"})
SEARCH = 4  # tokens at least: what is searched, a dot, the method, its arguments
LOGIC = frozenset({"!", "||", "&&", "|", "&", "==", "!=", "^"})


class RustTest(NamedTuple):
    """A test function: `name` with the modules around it, as the harness calls it; its body."""

    name: str
    attributes: frozenset[str]
    body: Node


class MacroCall(NamedTuple):
    name: Node
    arguments: Node  # a token tree, its brackets included


class _Scope(NamedTuple):
    """The test that an expectation is in."""

    names: Names
    values: OtherValues
    tree: SourceTree


def mutations_of(text: str, path: str) -> list[Mutation]:
    """Every mutation of the tests in `text`, which stands at `path` below the workspace."""
    tree = SourceTree(text.encode(), RUST)
    if tree.root.has_error:
        return []
    file = LITERALS.values(tree.root)
    mutations = []
    for test in _tests(tree.root, ()):
        if not test.attributes & SPECIAL:
            names = Names(tree.root, test.body)
            scope = _Scope(names, LITERALS.values(test.body, file), tree)
            wider = scope._replace(values=scope.values.with_sizes)
            edits = least_conspicuous(_test_edits(scope), partial(_test_edits, wider))
            mutations += tree.mutations(path, re.escape(f"{path}::{test.name}"), edits)
    return mutations


def _tests(parent: Node, modules: tuple[str, ...]) -> Iterator[RustTest]:
    attributes: set[str] = set()
    for node in named(parent):
        if node.type == "attribute_item":
            attributes.add(_attribute(node))
            continue
        name, body = field(node, "name"), field(node, "body")
        if node.type == "function_item" and body and "test" in attributes:
            full = "::".join((*modules, code_of(name)))
            yield RustTest(full, frozenset(attributes), body)
        elif node.type == "mod_item" and body:
            yield from _tests(body, (*modules, code_of(name)))
        attributes = set()


def _attribute(item: Node) -> str:
    """The last word of its path: `test` for `#[tokio::test(…)]` too."""
    attribute = _first(item)
    path = _first(attribute) if attribute is not None else None
    return code_of(path).rpartition("::")[2]


def _first(node: Node) -> Node | None:
    """Its first named child, if any (`named_child` raises since tree-sitter 0.26)."""
    return next(iter(node.named_children), None)


def _test_edits(scope: _Scope) -> list[Edit]:
    calls = _on_every_path(scope.names.function, scope.names)
    return [edit for call in calls for edit in _edits(call, scope)]


def _on_every_path(body: Node, names: Names) -> Iterator[MacroCall]:
    """Macros called by statements of the body itself and of loops over what is written down, up
    to the first way out of it.

    Leaving by `?` is a failure, not a pass.
    """
    for statement in body.named_children:
        node = _first(statement) if statement.type == "expression_statement" else statement
        inner = field(node, "body") if node is not None else None
        if node is not None and node.type == "macro_invocation":
            name, arguments = field(node, "macro"), node.children[-1]
            if name and name.type == "identifier" and arguments.type == "token_tree":
                yield MacroCall(name, arguments)
        elif node is not None and node.type == "for_expression" and inner is not None:
            if names.loop_table(node):
                yield from _on_every_path(inner, names)
        elif node is not None and node.type == "block":
            yield from _on_every_path(node, names)
        if any(leaf.type == "return" for leaf in walk_tokens(statement)):
            return


def _edits(call: MacroCall, scope: _Scope) -> list[Edit]:
    """Other values wherever they are written down, and the opposite claim."""
    name, parts = code_of(call.name), split(call.arguments)
    if name not in OPPOSITE or not parts:
        return []
    values: list[Edit] = []
    if name == "assert":
        values = _sought(parts, scope) or _equal(parts, scope)
    elif name == "assert_eq":
        values = _other_values(reversed(parts[:2]), scope)
    return [*values, _opposite(call.name, scope)]


def _opposite(name: Node, scope: _Scope) -> Edit:
    at = scope.names.function.start_byte + 1  # behind the bracket of the test's body
    macro = f" macro_rules! {OTHERWISE} {{ {OPPOSITE[code_of(name)]} }} "
    return Edit(name.start_byte, name.end_byte, OTHERWISE, "sense", (at, macro))


def _other_values(sides: Iterable[Tokens], scope: _Scope) -> list[Edit]:
    """Another literal for each of the first side that is made of literals alone."""
    for side in sides:
        edits = [
            Edit.of(literal, other, "value")
            for written in scope.names.written(side)
            for literal in _literals(written)
            if (other := LITERALS.other(literal, scope.values)) is not None
        ]
        if edits:
            return edits
    return []


def _literals(written: Tokens) -> Tokens:
    """The literals of a value that nothing but literals make up."""
    tokens = [leaf for node in written for leaf in walk_tokens(node)]
    plain = all(_is_plain(token) for token in tokens)
    return [token for token in tokens if token.type in LITERAL_TYPES] if plain else []


def _is_plain(token: Node) -> bool:
    return (
        token.type in LITERAL_TYPES
        or token.type in PLAIN_TOKENS
        or (token.type in {"identifier", "field_identifier"} and code_of(token) in PLAIN_NAMES)
    )


def _sought(parts: list[Tokens], scope: _Scope) -> list[Edit]:
    """`assert!(text.contains("word"))`: another word, long enough that nobody has both."""
    tokens = next(iter(parts), [])
    if len(tokens) < SEARCH or any(token.type in LOGIC for token in tokens):
        return []
    dot, name, given = tokens[-3:]
    if dot.type != "." or code_of(name) not in SEARCHES or given.type != "token_tree":
        return []
    [sought, *others] = split(given) or [[]]
    if others or not sought:
        return []
    return [
        edit
        for written in scope.names.written(sought)
        if len(written) == 1
        for edit in other_part(written[0], scope.values)
    ]


def _equal(parts: list[Tokens], scope: _Scope) -> list[Edit]:
    """`assert!(x == 3)`."""
    tokens = next(iter(parts), [])
    logic = [place for place, token in enumerate(tokens) if token.type in LOGIC - {"&"}]
    if len(logic) != 1 or tokens[logic[0]].type != "==":
        return []
    return _other_values([tokens[logic[0] + 1 :], tokens[: logic[0]]], scope)
