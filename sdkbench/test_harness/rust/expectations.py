"""Where a Rust test expects something, and what else it could expect.

Every edit is complementary: where the original holds, the edited one does not.
"""

import re
from collections.abc import Iterator
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
    misspelt_literal,
    named,
)

RUST = Language(tree_sitter_rust.language())
OPPOSITE = {"assert_eq": "assert_ne", "assert_ne": "assert_eq"}
# A test with one of these does not simply pass when its body runs to the end.
SPECIAL = frozenset({"should_panic", "ignore"})
# With these alone around them, different literals make different values.
PLAIN_NAMES = frozenset(
    {"Some", "Ok", "Err", "vec", "String", "from", "to_string", "to_owned", "into"}
)
PLAIN_TOKENS = frozenset({"(", ")", "[", "]", ",", ".", "::", "!", ";", "-", "&"})
LITERAL_TYPES = frozenset({"integer_literal", "string_literal", "boolean_literal"})
LITERALS = Literals(re.compile(r"(\d[\d_]*?)((?:_?[iu](?:8|16|32|64|128|size))?)"))
SEARCHES = frozenset({"contains", "starts_with", "ends_with"})
SEARCH = 4  # tokens at least: what is searched, a dot, the method, its arguments
LOGIC = frozenset({"!", "||", "&&", "|", "&", "==", "!=", "^"})
OPENING, CLOSING = 1, -1  # children of a token tree that are its brackets: all between them


class RustTest(NamedTuple):
    """A test function: `name` with the modules around it, as the harness calls it; its body."""

    name: str
    attributes: frozenset[str]
    body: Node


class MacroCall(NamedTuple):
    name: Node
    arguments: Node  # a token tree, its brackets included


def mutations_of(text: str, path: str) -> list[Mutation]:
    """Every mutation of the tests in `text`, which stands at `path` below the workspace."""
    tree = SourceTree(text.encode(), RUST)
    if tree.root.has_error:
        return []
    mutations = []
    for test in _tests(tree.root, ()):
        if not test.attributes & SPECIAL:
            edits = (edit for call in _on_every_path(test.body) for edit in _edits(call, tree))
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
    attribute = item.named_child(0)
    path = attribute.named_child(0) if attribute else None
    return code_of(path).rpartition("::")[2]


def _on_every_path(body: Node) -> Iterator[MacroCall]:
    """Macros called by statements of the body itself, up to the first way out of it.

    Leaving by `?` is a failure, not a pass.
    """
    for statement in body.named_children:
        node = statement.named_child(0) if statement.type == "expression_statement" else statement
        if node is not None and node.type == "macro_invocation":
            name, arguments = field(node, "macro"), node.children[-1]
            if name and name.type == "identifier" and arguments.type == "token_tree":
                yield MacroCall(name, arguments)
        if any(leaf.type == "return" for leaf in _leaves(statement)):
            return


def _edits(call: MacroCall, tree: SourceTree) -> list[Edit]:
    """Another value wherever one is written down, and only else the opposite claim: that would
    fail as it should for code that is equal to anything, or that has looked up what is expected.
    """
    name, parts = code_of(call.name), _split(call.arguments)
    if name == "assert":
        return _other_part(parts) or _negated(parts, tree)
    if name not in OPPOSITE:
        return []
    values = _other_value(parts) if name == "assert_eq" else []
    return values or [Edit.of(call.name, OPPOSITE[name])]


def _other_value(parts: list[list[Node]]) -> list[Edit]:
    """The last literal of an argument that is made of literals alone."""
    for argument in reversed(parts[:2]):
        tokens = [leaf for node in argument for leaf in _leaves(node)]
        literals = [token for token in tokens if token.type in LITERAL_TYPES]
        if literals and all(_is_plain(token) for token in tokens):
            other = LITERALS.other(literals[-1])
            return [Edit.of(literals[-1], other, "value")] if other else []
    return []


def _is_plain(token: Node) -> bool:
    return (
        token.type in LITERAL_TYPES
        or token.type in PLAIN_TOKENS
        or (token.type == "identifier" and code_of(token) in PLAIN_NAMES)
    )


def _other_part(parts: list[list[Node]]) -> list[Edit]:
    """`assert!(text.contains("word"))`: another word, long enough that nobody has both."""
    tokens = next(iter(parts), [])
    if len(tokens) < SEARCH or any(token.type in LOGIC for token in tokens):
        return []
    dot, name, given = tokens[-3:]
    literal = given.named_child(0) if len(given.named_children) == 1 else None
    if dot.type != "." or code_of(name) not in SEARCHES or literal is None:
        return []
    return list(misspelt_literal(literal))


def _negated(parts: list[list[Node]], tree: SourceTree) -> list[Edit]:
    if not parts:
        return []
    if len(parts) > 1 and any(node.type in {"<", ">"} for node in parts[0]):
        return []  # that comma may stand between the parameters of a type
    start, end = parts[0][0].start_byte, parts[0][-1].end_byte
    condition = tree.source[start:end].decode()
    return [Edit(start, end, f"!({condition})")] if "\n" not in condition else []


def _split(arguments: Node) -> list[list[Node]]:
    """The tokens between commas, as far as brackets tell."""
    parts: list[list[Node]] = [[]]
    for node in arguments.children[OPENING:CLOSING]:
        if node.type == ",":
            parts.append([])
        else:
            parts[-1].append(node)
    return [part for part in parts if part]


def _leaves(node: Node) -> Iterator[Node]:
    """The tokens below a node. A literal is one token."""
    if not node.children or node.type.endswith("_literal"):
        yield node
        return
    for child in node.children:
        yield from _leaves(child)
