"""Scopes and bindings of one source file: what each name stands for, found without running it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.metrics.code.grammars import SUFFIXES, Grammar, parse, text_of

Path = tuple[str, ...]  # a module, then names in it; `name()` is what a call of it gives


class Imported(NamedTuple):
    path: Path
    line: int


class Value(NamedTuple):
    """What a name was given, in the scope where that stands."""

    node: Node
    scope: "Scope"
    typed: bool = False  # it is an instance of what `node` names


LAYOUT = frozenset({
    "concatenated_string", "parenthesized_expression", "string_content", "string_start",
    "string_end", "escape_sequence", "argument_list",
})  # fmt: skip


SAME = {"tuple_pattern": "pattern_list"}  # with brackets and without


@dataclass(eq=False)
class Scope:
    """`kind`: module, class or function."""

    kind: str
    node: Node
    file: "SourceFile"
    parent: "Scope | None" = None
    bindings: dict[str, "Imported | Value | Scope"] = field(default_factory=dict)
    returns: list[Node] = field(default_factory=list)

    def find(self, name: str) -> "Imported | Value | Scope | None":
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bindings:
                return scope.bindings[name]
            scope = scope.parent
        return None

    def owner(self) -> "Scope":
        """The class that this is a part of, else the module."""
        scope = self
        while scope.kind == "function" and scope.parent is not None:
            scope = scope.parent
        return scope


class Placed(NamedTuple):
    """A node of interest, and where it stands."""

    node: Node
    scope: Scope
    controls: tuple[str, ...]  # branches and loops around it in its function, the outermost first


class SourceFile:
    """One pass over the syntax tree of a file."""

    def __init__(self, path: str, text: str) -> None:
        suffix = PurePosixPath(path).suffix
        self.path = path
        self.grammar: Grammar = SUFFIXES[suffix]
        self.text = text
        self.root = parse(self.grammar, suffix, text.encode("utf-8", "replace")).root_node
        self.module = Scope("module", self.root, self)
        self.imports: list[Imported] = []
        self.calls: list[Placed] = []
        self.members: list[Placed] = []
        self.functions: list[Scope] = []
        self.handlers: list[Node] = []
        self.raises: list[Placed] = []
        self.shapes: list[tuple[str, str, str]] = []  # a node with its parent and grandparent
        self.broken = [node.start_point[0] + 1 for node in _errors(self.root)]
        self._walk()

    def _walk(self) -> None:
        grammar = self.grammar
        todo: list[tuple[Node, Scope, tuple[str, ...], str, str]] = [
            (self.root, self.module, (), "", "")
        ]
        while todo:
            node, scope, controls, parent, above = todo.pop()
            kind = SAME.get(node.type, node.type)
            if "comment" in kind or _is_docstring(node):
                continue
            # Brackets and pieces of a text are layout: what is in them stands where they stand.
            around = (parent, above) if kind in LAYOUT else (kind, parent)
            if not (kind in grammar.identifiers or kind in grammar.strings or kind in LAYOUT):
                self.shapes.append((kind, parent, above))
            if kind in grammar.functions or kind in grammar.classes:
                scope = self._enter(node, scope)
                controls = ()
            elif kind in grammar.branches or kind in grammar.loops:
                controls = (*controls, "loop" if kind in grammar.loops else "branch")
            self._note(node, scope, controls)
            todo += [(child, scope, controls, *around) for child in reversed(node.named_children)]

    def _enter(self, node: Node, scope: Scope) -> Scope:
        is_class = node.type in self.grammar.classes
        inner = Scope("class" if is_class else "function", node, self, scope)
        name = text_of(node.child_by_field_name("name") or node.child_by_field_name("type"))
        if name:
            scope.bindings.setdefault(name, inner)
        if not is_class:
            self.functions.append(inner)
            body = node.child_by_field_name("body")
            if body is not None and body.type not in {"block", "statement_block"}:
                inner.returns.append(body)  # of a function that is one expression
        return inner

    def _note(self, node: Node, scope: Scope, controls: tuple[str, ...]) -> None:
        grammar, kind = self.grammar, node.type
        if kind in grammar.calls:
            self.calls.append(Placed(node, scope, controls))
        elif kind in grammar.members:
            self.members.append(Placed(node, scope, controls))
        if kind in grammar.bindings:
            self._bind(node, scope)
        if kind in grammar.parameters:
            self._declare(node, scope)
        if kind in grammar.handlers:
            self.handlers.append(node)
        if kind in grammar.raises:
            self.raises.append(Placed(node, scope, controls))
        if kind in {"return_statement", "return_expression"}:
            scope.returns += node.named_children[:1]
        for name, imported in imports_of(node):
            self.imports.append(imported)
            if name:
                scope.bindings[name] = imported

    def _bind(self, node: Node, scope: Scope) -> None:
        left_name, right_name = self.grammar.bindings[node.type]
        left = node.child_by_field_name(left_name)
        right = node.child_by_field_name(right_name) if right_name else node.named_children[0]
        if left is None or right is None:
            return
        required = required_module(right)
        names = list(self._names(left))
        for number, (place, name) in enumerate(names):
            target = scope.owner() if place else scope
            if required and left.type == "object_pattern":
                target.bindings[name] = Imported((required, name), _line(node))
            elif required:
                target.bindings[name] = Imported((required,), _line(node))
            elif number == 0 or left.type in {"object_pattern", "array_pattern"}:
                value = _first(right) if right.type == "expression_list" else right
                target.bindings.setdefault(place + name, Value(value, scope))
        if required:
            self.imports.append(Imported((required,), _line(node)))

    def _names(self, left: Node) -> Iterator[tuple[str, str]]:
        """Names that an assignment binds; those of the object itself begin with a dot."""
        if left.type in self.grammar.members:
            whole, part = self.grammar.members[left.type]
            if text_of(left.child_by_field_name(whole)) in self.grammar.own:
                yield ".", text_of(left.child_by_field_name(part))
        elif left.type in {*self.grammar.identifiers, "shorthand_property_identifier_pattern"}:
            own = left.parent is not None and left.parent.type == "public_field_definition"
            yield "." if own else "", text_of(left)
        else:
            for child in left.named_children:
                yield from self._names(child)

    def _declare(self, node: Node, scope: Scope) -> None:
        """Names with a type: instances of it, where nothing better is known."""
        name_field, type_field = self.grammar.parameters[node.type]
        name = node.child_by_field_name(name_field) if name_field else node.named_children[0]
        declared = node.child_by_field_name(type_field)
        if name is None or declared is None:
            return
        own = node.type == "field_declaration"
        if name.type == "variable_declarator":  # Java, where a value tells more than the type
            name = name.child_by_field_name("name") or name
        target = scope.owner() if own else scope
        given = node.type == "resource"
        for key in {text_of(name), f".{text_of(name)}"} if own else {text_of(name)}:
            target.bindings.setdefault(key, Value(declared, scope, typed=not given))


def _first(node: Node) -> Node:
    return node.named_children[0] if node.named_children else node


def _line(node: Node) -> int:
    return int(node.start_point[0]) + 1


def _errors(root: Node) -> Iterator[Node]:
    if not root.has_error:
        return
    todo = [root]
    while todo:
        node = todo.pop()
        if node.type == "ERROR" or node.is_missing:
            yield node
        elif node.has_error:
            todo += node.children


def _is_docstring(node: Node) -> bool:
    return (
        node.type == "expression_statement"
        and node.named_child_count == 1
        and node.named_children[0].type == "string"
    )


def required_module(node: Node) -> str:
    """The module of `require("x")` or `await import("x")`, else nothing."""
    while node.type in {"await_expression", "parenthesized_expression"} and node.named_children:
        node = node.named_children[0]
    if node.type != "call_expression":
        return ""
    called = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if text_of(called) not in {"require", "import"} or arguments is None:
        return ""
    return text_of(_first(arguments)).strip("'\"`")


def imports_of(node: Node) -> Iterator[tuple[str, Imported]]:
    """Names that an import statement binds, with what each stands for."""
    line = _line(node)
    if node.type == "import_statement" and node.child_by_field_name("source") is not None:
        yield from _of_javascript(node, line)
    elif node.type in {"import_statement", "import_from_statement"}:
        yield from _of_python(node, line)
    elif node.type == "import_spec":
        module = text_of(node.child_by_field_name("path")).strip('"`')
        name = text_of(node.child_by_field_name("name")) or _go_name(module)
        yield name, Imported((module,), line)
    elif node.type == "use_declaration":
        argument = node.child_by_field_name("argument")
        if argument is not None:
            yield from _of_rust(argument, (), line)
    elif node.type == "import_declaration" and _first(node).type == "scoped_identifier":
        module, _, name = text_of(_first(node)).rpartition(".")
        yield name, Imported((module, name), line)


def _of_python(node: Node, line: int) -> Iterator[tuple[str, Imported]]:
    module = text_of(node.child_by_field_name("module_name"))
    for each in node.children_by_field_name("name"):
        aliased = each.type == "aliased_import"
        name = text_of(each.child_by_field_name("name") if aliased else each)
        alias = text_of(each.child_by_field_name("alias")) if aliased else ""
        if module:
            yield alias or name, Imported((module, name), line)
        elif alias:
            yield alias, Imported((name,), line)
        else:
            yield name.partition(".")[0], Imported((name.partition(".")[0],), line)


def _of_javascript(node: Node, line: int) -> Iterator[tuple[str, Imported]]:
    module = text_of(node.child_by_field_name("source")).strip("'\"`")
    clause = next((child for child in node.named_children if child.type == "import_clause"), None)
    if clause is None:
        yield "", Imported((module,), line)
        return
    for child in clause.named_children:
        if child.type == "identifier":
            yield text_of(child), Imported((module, "default"), line)
        elif child.type == "namespace_import":
            yield text_of(child.named_children[-1]), Imported((module,), line)
        else:
            for each in child.named_children:
                name = text_of(each.child_by_field_name("name"))
                alias = text_of(each.child_by_field_name("alias"))
                yield alias or name, Imported((module, name), line)


def _of_rust(node: Node, before: Path, line: int) -> Iterator[tuple[str, Imported]]:
    if node.type == "scoped_use_list":
        inner = (*before, *_words(node.child_by_field_name("path")))
        listed = node.child_by_field_name("list")
        for child in listed.named_children if listed is not None else ():
            yield from _of_rust(child, inner, line)
    elif node.type == "use_as_clause":
        path = (*before, *_words(node.child_by_field_name("path")))
        yield text_of(node.child_by_field_name("alias")), Imported(path, line)
    else:
        path = (*before, *_words(node))
        if path and path[-1] != "*":
            yield path[-1], Imported(path, line)


def _words(node: Node | None) -> Path:
    return tuple(word for word in text_of(node).split("::") if word)


def _go_name(module: str) -> str:
    """The package's name as the path tells it: its last part that is no version."""
    words = [word for word in module.split("/") if not (word[:1] == "v" and word[1:].isdigit())]
    return (words[-1] if words else module).removeprefix("go-").partition(".")[0]
