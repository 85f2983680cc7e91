"""CodeFacts: what the sources of a solution import, call, read from the environment and define.

Names are followed through imports, aliases, assignments, parameters with types, returned values
and other files of the solution, so that a call is known by what it calls, however it is spelt.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.metrics.code.grammars import SUFFIXES, text_of
from sdkbench.metrics.code.scopes import (
    Imported,
    Path,
    Placed,
    Scope,
    SourceFile,
    Value,
)

DEEPEST = 60  # names followed from one to the next; a link of a chain of calls takes two
UNKNOWN = "?"  # what a name stands for that nobody tells
ENVIRONMENT = {
    ("os", "environ"), ("os", "getenv"), ("process", "env"), ("os", "Getenv"), ("os", "LookupEnv"),
    ("std", "env", "var"), ("env", "var"), ("System", "getenv"), ("import.meta", "env"),
}  # fmt: skip
GLOBALS = {"console", "crypto", "document", "fetch", "process", "std", "str", "dict", "window"}
MOST_FILES = 400


class Place(NamedTuple):
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Call(NamedTuple):
    """`path` ends with the name of what is called; `scope`: module, class or function.

    `keys` are the names of options and named arguments; `wraps`: it is an element around others.
    """

    path: Path
    place: Place
    scope: str
    controls: tuple[str, ...]
    keys: frozenset[str]
    wraps: bool = False

    @property
    def name(self) -> str:
        return self.path[-1].removesuffix("()")

    def __str__(self) -> str:
        return ".".join(self.path)


class ImportedName(NamedTuple):
    module: str
    name: str  # empty for the module itself
    place: Place


class EnvironmentRead(NamedTuple):
    name: str
    place: Place


class CodeFacts:
    """Of a solution's files, by relative path. What doesn't parse is left out, and named."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.texts = files
        sources = sorted(p for p in files if PurePosixPath(p).suffix in SUFFIXES)[:MOST_FILES]
        self.files = [SourceFile(path, files[path]) for path in sources]
        self.broken = [Place(f.path, line) for f in self.files for line in f.broken[:1]]
        self._by_stem: dict[str, list[SourceFile]] = {}
        for file in self.files:
            path = PurePosixPath(file.path)
            stem = path.parent.name if path.stem in {"__init__", "index", "mod"} else path.stem
            self._by_stem.setdefault(stem.partition(".")[0], []).append(file)

    @functools.cached_property
    def imports(self) -> list[ImportedName]:
        return [
            ImportedName(each.path[0], ".".join(each.path[1:]), Place(file.path, each.line))
            for file in self.files
            for each in file.imports
        ]

    @functools.cached_property
    def calls(self) -> list[Call]:
        calls = []
        for file in self.files:
            for placed in file.calls:
                path = self._called(placed)
                if path:
                    calls.append(
                        Call(
                            path,
                            Place(file.path, _line(placed.node)),
                            _outermost(placed.scope),
                            placed.controls,
                            frozenset(_keys(placed.node, file)),
                            placed.node.type == "jsx_opening_element",
                        )
                    )
        return calls

    @functools.cached_property
    def environment(self) -> list[EnvironmentRead]:
        """Variables that the code reads by name."""
        reads = []
        for file in self.files:
            for placed in (*file.members, *file.calls):
                name = self._variable(placed)
                if name:
                    reads.append(EnvironmentRead(name, Place(file.path, _line(placed.node))))
        return reads

    def raised(self) -> Iterator[tuple[str, Placed]]:
        """Classes of the errors that the code raises, where they are not its own."""
        for file in self.files:
            for placed in file.raises:
                path = (
                    self._resolve(placed.node.named_children[0], placed.scope, 0)
                    if (placed.node.named_children)
                    else None
                )
                yield ".".join(path) if path else "", placed

    # Names

    def _called(self, placed: Placed) -> Path | None:
        """What a call calls, without what a function of the solution itself would return."""
        node, grammar = placed.node, placed.scope.file.grammar
        if node.type in grammar.members:  # Java, where a call and its member are one node
            return self._member(node, placed.scope, 0)
        field = grammar.calls[node.type][0]
        function = node.child_by_field_name(field)
        return self._resolve(function, placed.scope, 0) if function is not None else None

    def _resolve(self, node: Node, scope: Scope, depth: int) -> Path | None:
        """None where nobody tells what it stands for, and for what is the solution's own."""
        grammar = scope.file.grammar
        if depth > DEEPEST:
            return None
        if node.type in grammar.transparent:
            inner = node.child_by_field_name("argument") or node.child_by_field_name("type")
            children = [inner] if inner is not None else node.named_children[:1]
            return self._resolve(children[0], scope, depth + 1) if children else None
        if node.type in grammar.calls:
            return self._returned(node, scope, depth)
        if node.type in grammar.members:
            return self._member(node, scope, depth)
        if node.type in grammar.identifiers:
            return self._named(text_of(node), scope, depth)
        if node.type in {"as_pattern", "subscript", "subscript_expression", "index_expression"}:
            inner = node.child_by_field_name("value") or node.child_by_field_name("object")
            inner = inner or (node.named_children[0] if node.named_children else None)
            return self._resolve(inner, scope, depth + 1) if inner is not None else None
        return None

    def _named(self, name: str, scope: Scope, depth: int) -> Path | None:
        known = scope.find(name)
        if isinstance(known, Imported):
            return self._followed(known.path, scope, depth)
        if isinstance(known, Value):
            path = self._resolve(known.node, known.scope, depth + 1)
            return _instance(path) if path and known.typed else path
        return None

    def _followed(self, path: Path, scope: Scope, depth: int) -> Path | None:
        """Through the solution's own modules to what they took from elsewhere."""
        for file in self._local(path):
            if file is scope.file or depth > DEEPEST:
                continue
            for name in path[1:]:
                return self._named(name, file.module, depth + 1)
            return None
        return path

    def _local(self, path: Path) -> list[SourceFile]:
        module = path[0]
        relative = module.startswith((".", "@/", "~/", "crate", "super", "expected"))
        last = [word for word in module.replace("/", ".").replace("-", "_").split(".") if word]
        candidates = [*reversed(last), *(word for word in path[1:2] if relative)]
        if not relative and len(last) != 1:
            return []
        return next((self._by_stem[word] for word in candidates if word in self._by_stem), [])

    def _member(self, node: Node, scope: Scope, depth: int) -> Path | None:
        grammar = scope.file.grammar
        whole_field, part_field = grammar.members[node.type]
        whole = node.child_by_field_name(whole_field)
        part = text_of(node.child_by_field_name(part_field))
        if node.type == "scoped_type_identifier" and not whole_field:  # its parts have no names
            whole, part = node.named_children[0], text_of(node.named_children[-1])
        if whole is None:
            return None
        if text_of(whole) in grammar.own:
            return self._named(f".{part}", scope, depth + 1)
        base = self._resolve(whole, scope, depth + 1)
        if base is None:
            return self._unknown(whole, part, scope)
        if part in grammar.transparent_methods:
            return base
        return (*base, part)

    def _unknown(self, whole: Node, part: str, scope: Scope) -> Path | None:
        """A part of something: of a name of the language itself, or of who knows what."""
        name = text_of(whole)
        # A small letter is a variable's, whose name says nothing.
        known = name[:1].isupper() or name in GLOBALS
        if whole.type in scope.file.grammar.identifiers and known and scope.find(name) is None:
            return (name, part)
        if whole.type in {"scoped_identifier", "meta_property"}:
            return (*text_of(whole).split("::"), part)
        return (UNKNOWN, part)

    def _returned(self, node: Node, scope: Scope, depth: int) -> Path | None:
        grammar = scope.file.grammar
        if node.type in grammar.members:
            path = self._member(node, scope, depth + 1)
            name = text_of(node.child_by_field_name(grammar.members[node.type][1]))
        else:
            function = node.child_by_field_name(grammar.calls[node.type][0])
            path = self._resolve(function, scope, depth + 1) if function is not None else None
            name = text_of(function)
        own = self._own_function(name, scope)
        if path is None and own is not None:
            for returned in own.returns:
                path = self._resolve(returned, own, depth + 1)
                if path:
                    return path
            return None
        return _instance(path) if path else None

    def _own_function(self, name: str, scope: Scope) -> Scope | None:
        """A function of the solution, here or in a file that it is imported from."""
        own = scope.file.grammar.own
        short = name.rpartition(".")[2] if name.partition(".")[0] in own else name
        known = scope.find(short)
        if isinstance(known, Imported):
            for file in self._local(known.path):
                there = file.module.find(known.path[-1])
                if isinstance(there, Scope):
                    return there
        if isinstance(known, Value) and known.node.type in scope.file.grammar.functions:
            return next((f for f in known.scope.file.functions if f.node == known.node), None)
        return known if isinstance(known, Scope) and known.kind == "function" else None

    def _variable(self, placed: Placed) -> str:
        """The environment variable that a node reads, else nothing."""
        node, grammar = placed.node, placed.scope.file.grammar
        words = tuple(_words(node, grammar.members))
        for known in ENVIRONMENT:
            if words[: len(known)] == known and node.type in grammar.calls:
                return _string_argument(node, grammar.strings)
            if words[: len(known)] == known and len(words) == len(known) + 1:
                called = node.parent is not None and node.parent.type in grammar.calls
                return "" if called else words[-1]
            if words == known and node.parent is not None and "subscript" in node.parent.type:
                return _string_in(node.parent, grammar.strings)
        return ""


def _words(node: Node, members: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """`a.b.c` and the function of `a.b.c(…)`, as they are spelt."""
    function = node.child_by_field_name("function")
    target = function if function is not None else node
    if target.type == "scoped_identifier":
        yield from text_of(target).split("::")
    elif target.type in members:
        whole, part = members[target.type]
        inner = target.child_by_field_name(whole) if whole else None
        if inner is not None and inner.type in members:
            yield from _words(inner, members)
        elif inner is not None:
            yield text_of(inner)
        yield text_of(target.child_by_field_name(part)) if part else text_of(target)


def _string_argument(node: Node, strings: frozenset[str]) -> str:
    arguments = node.child_by_field_name("arguments")
    return _string_in(arguments, strings) if arguments is not None else ""


def _string_in(node: Node, strings: frozenset[str]) -> str:
    first = next((child for child in node.named_children if child.type in strings), None)
    return text_of(first).strip("'\"`")


def _instance(path: Path) -> Path:
    return path if path[-1].endswith("()") else (*path[:-1], f"{path[-1]}()")


def _keys(node: Node, file: SourceFile) -> Iterator[str]:
    """Names of options: those of the arguments, and of objects among these."""
    field = file.grammar.calls[node.type][1]
    start = node.child_by_field_name(field) if field else node
    todo = list(start.named_children) if start is not None else []
    while todo:
        each = todo.pop()
        if each.type in file.grammar.keys:
            name = file.grammar.keys[each.type]
            key = each.child_by_field_name(name) if name else None
            yield text_of(key or (each.named_children[0] if each.named_children else each)).strip(
                "'\""
            )
        elif each.type in {"object", "literal_value", "unary_expression", "composite_literal"}:
            todo += each.named_children


def _outermost(scope: Scope) -> str:
    """Whether something stands at the top of a file, in a class or in a function."""
    kinds = set()
    inner: Scope | None = scope
    while inner is not None:
        kinds.add(inner.kind)
        inner = inner.parent
    return "function" if "function" in kinds else "class" if "class" in kinds else "module"


def _line(node: Node) -> int:
    return int(node.start_point[0]) + 1


def modules_of(facts: Iterable[CodeFacts]) -> set[str]:
    return {each.module for fact in facts for each in fact.imports}
