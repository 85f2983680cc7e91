"""What the tests compare errors with, among the values of the packages that they import."""

import re

from tree_sitter import Node

from sdkbench.test_harness.go.project import imports
from sdkbench.test_harness.mutations import SourceTree, code_of, field, named, walk

IDENTITY = ("errors.Is", "ErrorIs", "ErrorIsf")
ERROR = re.compile(r"^Err[A-Z]")
MAJOR_VERSION = re.compile(r"^v\d+$")


def compared_errors(tree: SourceTree, function: Node) -> list[str]:
    """Such as `io.EOF`, each once; they can be evaluated anywhere in the file."""
    packages = _packages(tree)
    found = [node for node in walk(function) if node.type == "selector_expression"]
    return list(dict.fromkeys(code_of(n) for n in found if _is_error(n, packages)))


def _packages(tree: SourceTree) -> set[str]:
    """The names of imported packages that the file uses for nothing else."""
    names = set()
    for path, given in imports(tree).items():
        *_, parent, last = "", *path.split("/")
        names.add(given or (parent if MAJOR_VERSION.match(last) else last))
    declared = rb"\b(%s)\b\s*(?:,[\w\s,]*)?(?::=|\s[\w*\[\].]+\s*[,)=\n])|\bvar\s+(%s)\b"
    known = "|".join(map(re.escape, sorted(names - {"_", "."}))).encode()
    if not known:
        return set()
    hidden = re.findall(declared % (known, known), tree.source)
    return names - {name.decode() for pair in hidden for name in pair}


def _is_error(node: Node, packages: set[str]) -> bool:
    operand, name = field(node, "operand"), code_of(field(node, "field"))
    if operand is None or operand.type != "identifier" or code_of(operand) not in packages:
        return False
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "argument_list" and parent.parent is not None:
        callee = code_of(field(parent.parent, "function"))
        return node != next(iter(named(parent)), None) and callee.endswith(IDENTITY)
    return ERROR.match(name) is not None and parent.type in {"literal_element", "binary_expression"}
