"""Grammars of the judged languages by the endings of files, and sources as they are read."""

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Node

from sdkbench.core import tree
from sdkbench.test_harness.mutations import SourceTree, code_of, exact_text

PYTHON, JAVASCRIPT, GO, RUST, JAVA = "python", "javascript", "go", "rust", "java"
# TypeScript's nodes are called as JavaScript's are.
SUFFIXES = {
    ".py": PYTHON,
    ".js": JAVASCRIPT, ".mjs": JAVASCRIPT, ".cjs": JAVASCRIPT, ".jsx": JAVASCRIPT,
    ".ts": JAVASCRIPT, ".mts": JAVASCRIPT, ".cts": JAVASCRIPT, ".tsx": JAVASCRIPT,
    ".go": GO,
    ".rs": RUST,
    ".java": JAVA,
}  # fmt: skip
GRAMMARS = {
    ".py": tree_sitter_python.language,
    ".go": tree_sitter_go.language,
    ".rs": tree_sitter_rust.language,
    ".java": tree_sitter_java.language,
    ".tsx": tree_sitter_typescript.language_tsx,
    ".ts": tree_sitter_typescript.language_typescript,
    ".mts": tree_sitter_typescript.language_typescript,
    ".cts": tree_sitter_typescript.language_typescript,
}


@functools.cache
def _grammar(suffix: str) -> Language:
    return Language(GRAMMARS.get(suffix, tree_sitter_javascript.language)())


class Source(NamedTuple):
    """A parsed file; `path` is below the folder that was read."""

    path: str
    language: str
    tree: SourceTree

    @property
    def text(self) -> str:
        return self.tree.source.decode()

    def line(self, node: Node) -> int:
        return self.tree.line(node.start_byte)


def parsed(text: str, path: str) -> Source:
    suffix = Path(path).suffix
    return Source(path, SUFFIXES[suffix], SourceTree(text.encode(), _grammar(suffix)))


def sources(folder: Path) -> Iterator[Source]:
    """Every source below `folder` that a grammar is there for."""
    for path in tree.files(folder) if folder.is_dir() else ():
        if path.suffix in SUFFIXES:
            yield parsed(exact_text(path), path.relative_to(folder).as_posix())


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around `node`, from the inside out."""
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def callee(node: Node) -> str:
    """What a call names: `logger.info`; nothing where it is no call."""
    for field in ("function", "constructor", "macro"):
        inner = node.child_by_field_name(field)
        if inner is not None:
            return code_of(inner)
    if node.type == "method_invocation":
        owner = code_of(node.child_by_field_name("object"))
        name = code_of(node.child_by_field_name("name"))
        return f"{owner}.{name}" if owner else name
    if node.type == "object_creation_expression":
        return code_of(node.child_by_field_name("type"))
    return ""
