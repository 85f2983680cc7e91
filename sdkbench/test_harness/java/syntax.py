"""Java source as a tree: the few questions that alterations ask of it."""

from collections.abc import Iterator
from functools import cache

import tree_sitter_java
from tree_sitter import Language, Node, Parser


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_java.language()))


class JavaSource:
    """A parsed text; places in it are counted in characters, as alterations count them."""

    def __init__(self, text: str) -> None:
        self._data = text.encode()
        self.root = _parser().parse(self._data).root_node

    @property
    def sound(self) -> bool:
        return not self.root.has_error

    def text(self, node: Node | None) -> str:
        return "" if node is None else self._data[node.start_byte : node.end_byte].decode()

    def offset(self, byte: int) -> int:
        return len(self._data[:byte].decode())

    def one_line(self, start: int, end: int) -> bool:
        """Whether the bytes from `start` to `end` stand in one line."""
        return b"\n" not in self._data[start:end]


def named(node: Node | None) -> list[Node]:
    """What a node is made of, without punctuation and comments."""
    if node is None:
        return []
    return [child for child in node.named_children if not child.type.endswith("comment")]


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, but nothing in bodies that run at another time."""
    yield node
    for child in node.named_children:
        if child.type not in {"lambda_expression", "class_body"}:
            yield from walk(child)
