"""Alterations of Rust tests: another value where one is written down, or the opposite claim."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.alteration import Alteration
from sdkbench.test_harness.other_literals import misspelt, other_integer, other_text
from sdkbench.test_harness.rust.syntax import MacroCall, leaves, macro_call, tests_in, text_of

OPPOSITE = {"assert_eq": "assert_ne", "assert_ne": "assert_eq"}
# A test with one of these does not simply pass when its body runs to the end.
SPECIAL = frozenset({"should_panic", "ignore"})
# With these alone around them, different literals make different values.
PLAIN_NAMES = frozenset(
    {"Some", "Ok", "Err", "vec", "String", "from", "to_string", "to_owned", "into"}
)
PLAIN_TOKENS = frozenset({"(", ")", "[", "]", ",", ".", "::", "!", ";", "-", "&"})
LITERALS = frozenset({"integer_literal", "string_literal", "boolean_literal"})
INTEGER = re.compile(r"^(\d[\d_]*?)((?:_?[iu](?:8|16|32|64|128|size))?)$")
TEXT = re.compile(r'^"([^"\\\n]*)"$')
SEARCHES = frozenset({"contains", "starts_with", "ends_with"})
SEARCH = 4  # tokens at least: what is searched, a dot, the method, its arguments
LOGIC = frozenset({"!", "||", "&&", "|", "&", "==", "!=", "^"})
OPENING, CLOSING = 1, -1  # children of a token tree that are its brackets: all between them


class _Edit(NamedTuple):
    start: int  # in bytes
    end: int
    replacement: str
    kind: Literal["value", "sense"] = "sense"


def alterations_of(text: str, path: str) -> list[Alteration]:
    """Every alteration of the tests in `text`, which stands at `path` below the workspace."""
    source = text.encode()
    found = []
    for test in tests_in(source):
        if test.attributes & SPECIAL:
            continue
        tests = re.escape(f"{path}::{test.name}")
        for call in _on_every_path(test.body):
            found += [_alteration(source, path, tests, edit) for edit in _edits(call)]
    return found


def _alteration(source: bytes, path: str, tests: str, edit: _Edit) -> Alteration:
    return Alteration(
        path=path,
        tests=tests,
        start=len(source[: edit.start].decode()),
        end=len(source[: edit.end].decode()),
        replacement=edit.replacement,
        line=source.count(b"\n", 0, edit.start) + 1,
        kind=edit.kind,
    )


def _on_every_path(body: Node) -> Iterator[MacroCall]:
    """Macros called by statements of the body itself, up to the first way out of it.

    Leaving by `?` is a failure, not a pass.
    """
    for statement in body.named_children:
        call = macro_call(statement)
        if call is not None:
            yield call
        if any(leaf.type == "return" for leaf in leaves(statement)):
            return


def _edits(call: MacroCall) -> list[_Edit]:
    """Another value wherever one is written down, and only else the opposite claim: that would
    fail as it should for code that is equal to anything, or that has looked up what is expected.
    """
    name = text_of(call.name)
    if name == "assert":
        return _other_part(call.arguments) or _negated(call.arguments)
    if name not in OPPOSITE:
        return []
    values = _other_value(call.arguments) if name == "assert_eq" else []
    return values or [_Edit(call.name.start_byte, call.name.end_byte, OPPOSITE[name])]


def _other_value(arguments: Node) -> list[_Edit]:
    """The last literal of an argument that is made of literals alone."""
    for argument in reversed(_split(arguments)[:2]):
        tokens = [leaf for node in argument for leaf in leaves(node)]
        literals = [token for token in tokens if token.type in LITERALS]
        if literals and all(_is_plain(token) for token in tokens):
            last, other = literals[-1], _other_literal(literals[-1])
            return [_Edit(last.start_byte, last.end_byte, other, "value")] if other else []
    return []


def _is_plain(token: Node) -> bool:
    return (
        token.type in LITERALS
        or token.type in PLAIN_TOKENS
        or (token.type == "identifier" and text_of(token) in PLAIN_NAMES)
    )


def _other_literal(token: Node) -> str | None:
    """Another value of the same type, written as plausibly and as long."""
    text = text_of(token)
    if token.type == "boolean_literal":
        return "false" if text == "true" else "true"
    number = INTEGER.match(text)
    if number is not None:
        return f"{other_integer(number[1])}{number[2]}"
    written = TEXT.match(text)
    return f'"{other_text(written[1])}"' if written else None


def _other_part(arguments: Node) -> list[_Edit]:
    """`assert!(text.contains("word"))`: another word, long enough that nobody has both."""
    tokens = next(iter(_split(arguments)), [])
    if len(tokens) < SEARCH or any(token.type in LOGIC for token in tokens):
        return []
    dot, name, given = tokens[-3:]
    literal = given.named_child(0) if len(given.named_children) == 1 else None
    if dot.type != "." or text_of(name) not in SEARCHES or literal is None:
        return []
    written = TEXT.match(text_of(literal))
    other = misspelt(written[1]) if written else None
    if other is None:
        return []
    return [_Edit(literal.start_byte, literal.end_byte, f'"{other}"', "value")]


def _negated(arguments: Node) -> list[_Edit]:
    parts = _split(arguments)
    if not parts:
        return []
    if len(parts) > 1 and any(node.type in {"<", ">"} for node in parts[0]):
        return []  # that comma may stand between the parameters of a type
    start, end = parts[0][0].start_byte, parts[0][-1].end_byte
    condition = _between(arguments, start, end)
    return [_Edit(start, end, f"!({condition})")] if "\n" not in condition else []


def _between(node: Node, start: int, end: int) -> str:
    text = node.text or b""
    return text[start - node.start_byte : end - node.start_byte].decode("utf-8", "replace")


def _split(arguments: Node) -> list[list[Node]]:
    """The tokens between commas, as far as brackets tell."""
    parts: list[list[Node]] = [[]]
    for node in arguments.children[OPENING:CLOSING]:
        if node.type == ",":
            parts.append([])
        else:
            parts[-1].append(node)
    return [part for part in parts if part]
