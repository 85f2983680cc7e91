"""A sample's test file, with every test handed to our watcher; lines keep their numbers."""

from typing import NamedTuple

from sdkbench.test_harness.go import source as go_source

# Before every path that a module may have: Go initialises packages in the order of their paths, so
# ours takes its secret before any judged code runs.
GUARD_ROOT = "0-----"


class Watched(NamedTuple):
    text: str
    tests: tuple[str, ...]  # names, in the order of the file


def guard_module(token: str) -> str:
    """A module path that nobody could import who didn't know `token`."""
    return f"{GUARD_ROOT}/{token}"


def watch(source: bytes, token: str) -> Watched:
    """`func TestX(t *testing.T) {` becomes, in the same line, a TestX that calls the watcher with
    the original function under another name. With no token the source stays as it is.
    """
    functions = go_source.test_functions(source) if token else []
    package = go_source.package_clause(go_source.parse(source))
    edits: list[tuple[int, int, str]] = []  # in bytes
    if functions and package is not None:
        alias = f"watch{token}"
        line = f'; import {alias} "{guard_module(token)}/watch"'
        edits.append((package.end_byte, package.end_byte, line))
        for function in functions:
            inner = f"watched{token}{function.name}"
            wrapper = f"func {function.name}(t {function.type}) {{ {alias}.Run(t, {inner}) }}; "
            start = function.node.start_byte
            edits.append((start, start, wrapper))
            name = function.node.child_by_field_name("name")
            if name is not None:
                edits.append((name.start_byte, name.end_byte, inner))
    for start, end, replacement in sorted(edits, reverse=True):
        source = source[:start] + replacement.encode() + source[end:]
    return Watched(source.decode("utf-8", "replace"), tuple(f.name for f in functions))
