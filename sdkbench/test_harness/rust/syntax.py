"""Rust source as a tree: the functions that are tests, and the macros called in them."""

from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

RUST = Language(tree_sitter_rust.language())


class Tested(NamedTuple):
    """A test function: `name` with the modules around it, as the harness calls it; its body."""

    name: str
    attributes: frozenset[str]
    body: Node


class MacroCall(NamedTuple):
    name: Node
    arguments: Node  # a token tree, its brackets included


def tests_in(source: bytes) -> Iterator[Tested]:
    """Every test function; none where the source does not parse."""
    root = Parser(RUST).parse(source).root_node
    if not root.has_error:
        yield from _tests(root, ())


def macro_call(statement: Node) -> MacroCall | None:
    """The macro that a statement of a block is a call of."""
    node = statement.named_child(0) if statement.type == "expression_statement" else statement
    if node is None or node.type != "macro_invocation":
        return None
    name, arguments = node.child_by_field_name("macro"), node.children[-1]
    if name is None or name.type != "identifier" or arguments.type != "token_tree":
        return None
    return MacroCall(name, arguments)


def text_of(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def leaves(node: Node) -> Iterator[Node]:
    """The tokens below a node. A literal is one token."""
    if not node.children or node.type.endswith("_literal"):
        yield node
        return
    for child in node.children:
        yield from leaves(child)


def _tests(parent: Node, modules: tuple[str, ...]) -> Iterator[Tested]:
    attributes: set[str] = set()
    for node in parent.named_children:
        if node.type == "attribute_item":
            attributes.add(_attribute(node))
            continue
        if node.type in {"line_comment", "block_comment"}:
            continue
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if node.type == "function_item" and name and body and "test" in attributes:
            full = "::".join((*modules, text_of(name)))
            yield Tested(full, frozenset(attributes), body)
        elif node.type == "mod_item" and name and body:
            yield from _tests(body, (*modules, text_of(name)))
        attributes = set()


def _attribute(item: Node) -> str:
    """The last word of its path: `test` for `#[tokio::test(…)]` too."""
    attribute = item.named_child(0)
    path = attribute.named_child(0) if attribute else None
    return text_of(path).rpartition("::")[2] if path else ""
