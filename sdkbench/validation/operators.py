"""Mutation operators: one table of small mistakes that a mutant of a source can hold.

`edits_at(node, source)` names every change of one node. What changes nothing that a test could
see, or only words for people, is left alone: `is_aside`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.mutations import code_of
from sdkbench.validation.syntax import GO, JAVA, JAVASCRIPT, PYTHON, RUST, Source, callee

OTHER_SIGN = {
    "comparison": {
        "==": "!=", "!=": "==", "===": "!==", "!==": "===",
        "<": "<=", "<=": "<", ">": ">=", ">=": ">",
        "is": "is not", "is not": "is", "in": "not in", "not in": "in",
    },
    "connective": {"and": "or", "or": "and", "&&": "||", "||": "&&"},
    "arithmetic": {
        "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "//": "*", "+=": "-=", "-=": "+=",
    },
}  # fmt: skip
BINARY = frozenset(
    {
        "binary_expression", "binary_operator", "boolean_operator", "comparison_operator",
        "augmented_assignment", "augmented_assignment_expression", "compound_assignment_expr",
        "assignment_expression", "assignment_statement",
    }
)  # fmt: skip
BOOLEANS = {"true": "false", "false": "true", "True": "False", "False": "True"}
INTEGERS = frozenset(
    {"integer", "number", "int_literal", "integer_literal", "decimal_integer_literal"}
)
PLAIN_INTEGER = re.compile(r"(\d[\d_]*)([lL]|[iu](?:8|16|32|64|128|size))?")
STRINGS = frozenset({"string", "string_literal", "interpreted_string_literal"})
PLAIN_STRING = re.compile(r"""(["'])([^"'\\{}\n]+)\1""")
CONDITIONS = {
    "if_statement": "condition", "if_expression": "condition", "elif_clause": "condition",
    "while_statement": "condition", "while_expression": "condition",
    "ternary_expression": "condition", "for_clause": "condition",
}  # fmt: skip
CALLS = frozenset(
    {
        "call", "call_expression", "method_invocation", "macro_invocation", "await",
        "await_expression", "try_expression",
    }
)  # fmt: skip
# Words for people, and what tools read: nobody tests them, and rightly so.
ASIDE_TYPES = frozenset(
    {
        "comment", "line_comment", "block_comment",
        "import_statement", "import_from_statement", "import_declaration", "package_clause",
        "package_declaration", "use_declaration", "mod_item", "attribute_item",
        "inner_attribute_item", "marker_annotation",
        "type", "type_annotation", "type_arguments", "type_parameters", "type_alias_declaration",
        "interface_declaration", "type_identifier", "type_spec", "export_clause",
        "function_modifiers", "modifiers", "where_clause", "future_import_statement",
    }
)  # fmt: skip
LOGGING = re.compile(
    r"(?i)^(?:\w+\.)*(?:log|logger|logging|console|warnings|tracing|slog|LOG)\b"
    r"|^(?:e?print(?:ln)?!?|debug!|info!|warn!|error!|trace!)$"
)
# For tools and readers: that they are called otherwise makes no difference.
NAMING = re.compile(r"(?:^|\.)(?:TypeVar|NewType|ParamSpec|getLogger|cast|Literal)$")
NAMED_ASIDE = frozenset({"SuppressWarnings", "Deprecated", "Generated"})
WORDS_FOR_PEOPLE = frozenset(
    {
        "help", "description", "doc", "summary", "metavar", "epilog", "stacklevel", "encoding",
        "indent", "frozen", "slots", "repr",
    }
)  # fmt: skip
LARGE = 1000  # time limits and sizes: one more of them is no mistake
REFUSALS = re.compile(
    r"(?:Error|Exception|Problem|Failure)$|^(?:fmt\.Errorf|errors\.New|panic!?|bail!|anyhow!|expect)$"
    r"|\.expect$"
)
RAISING = frozenset({"raise_statement", "throw_statement", "throw_expression", "assert_statement"})
SHOWN = frozenset({"__repr__", "__str__", "toString", "fmt", "displayName"})
# Where a call's receiver stands: Python and JavaScript, Rust, Go, Java.
RECEIVERS = ("object", "value", "operand")
# Attributes of a page that nobody's behaviour depends on.
LOOKS = frozenset(
    {"className", "class", "style", "key", "alt", "title", "placeholder", "type", "lang"}
)
# Its comparison, turned around, is the same mistake as a negated condition.
DECIDED = frozenset({"==", "!=", "===", "!==", "is", "is not", "in", "not in"})
SENTENCE = re.compile(r"[A-Z].* .*[.!?…]")  # for people
NOTHING = {PYTHON: "None", JAVASCRIPT: "undefined", JAVA: "null"}
EMPTY = {PYTHON: "pass", RUST: "();", GO: "{}", JAVA: ";", JAVASCRIPT: ";"}


class Edit(NamedTuple):
    """Bytes of a source, what stands there afterwards, and which kind of mistake that is."""

    operator: str
    start: int
    end: int
    after: str


def is_aside(node: Node, source: Source) -> bool:
    """Whether nothing in this node is worth a mutant."""
    if node.type in ASIDE_TYPES or LOGGING.search(callee(node)):
        return True
    if node.type in {"expression_statement", "module"} and _is_docstring(node):
        return True
    if source.language == JAVASCRIPT and node.type == "expression_statement":
        first = node.named_children[0] if node.named_children else None
        return first is not None and first.type == "string"  # 'use client'
    name = node.child_by_field_name("name")
    if node.type == "annotation" and code_of(name) in NAMED_ASIDE:
        return True
    if source.language == PYTHON and _is_pythons_own(node, name):
        return True
    is_function = "function" in node.type or "method" in node.type
    return is_function and name is not None and code_of(name) in SHOWN


def _is_pythons_own(node: Node, name: Node | None) -> bool:
    """Helps for people, names for type checkers, and what only a start from the shell runs."""
    if node.type == "keyword_argument":
        return code_of(name) in WORDS_FOR_PEOPLE
    if node.type == "subscript":
        return bool(NAMING.search(code_of(node.child_by_field_name("value"))))
    if node.type == "assignment":
        return code_of(node.child_by_field_name("left")) == "__all__"
    if node.type == "if_statement":
        return "__name__" in code_of(node.child_by_field_name("condition"))
    return bool(NAMING.search(callee(node)))


def _is_docstring(node: Node) -> bool:
    inner = node.named_children
    return len(inner) == 1 and inner[0].type in {"string", "concatenated_string"}


def edits_at(node: Node, source: Source) -> Iterator[Edit]:
    """Every mistake that can be made at this very node."""
    yield from _signs(node)
    yield from _values(node)
    yield from _conditions(node, source)
    yield from _statements(node, source)
    yield from _left_out(node)


def _edit(operator: str, node: Node, after: str) -> Edit:
    return Edit(operator, node.start_byte, node.end_byte, after)


def _signs(node: Node) -> Iterator[Edit]:
    if node.type not in BINARY:
        return
    joins_text = any(
        child.type in {*STRINGS, "template_string", "concatenated_string"}
        for child in node.named_children
    )
    for child in node.children:
        if child.is_named and child.type not in {"is not", "not in"}:
            continue
        for operator, others in OTHER_SIGN.items():
            after = others.get(code_of(child))
            # A text has no difference; and there is no mistake of that kind.
            if after and not (joins_text and operator == "arithmetic"):
                yield _edit(operator, child, after)


def _values(node: Node) -> Iterator[Edit]:
    text = code_of(node)
    if text in BOOLEANS and node.type in {*BOOLEANS, "boolean_literal", "identifier"}:
        yield _edit("boolean", node, BOOLEANS[text])
    elif node.type in INTEGERS and (number := PLAIN_INTEGER.fullmatch(text)):
        value = int(number[1].replace("_", ""))
        if value < LARGE:
            yield _edit("off by one", node, f"{value + 1}{number[2] or ''}")
    elif node.type in STRINGS and not _is_said(node):
        quoted = PLAIN_STRING.fullmatch(text)
        if quoted and not SENTENCE.fullmatch(quoted[2]):
            yield _edit("text", node, f"{quoted[1]}{quoted[2]}_{quoted[1]}")


def _is_said(node: Node) -> bool:
    """Whether a text is the message of an error, or a key that its object is written with."""
    parent = node.parent
    if parent is None or parent.type in {"import_spec", "property_signature"}:
        return True
    if parent.type == "jsx_attribute":
        return code_of(parent.named_children[0]) in LOOKS
    while parent is not None and "statement" not in parent.type and "block" not in parent.type:
        if REFUSALS.search(callee(parent)):
            return True
        parent = parent.parent
    return parent is not None and parent.type in RAISING


def _conditions(node: Node, source: Source) -> Iterator[Edit]:
    field = CONDITIONS.get(node.type)
    condition = node.child_by_field_name(field) if field else None
    if condition is None or condition.type in {"let_condition", "let_chain"}:
        return
    if any(child.type in {"let_condition", "named_expression"} for child in condition.children):
        return
    inner = condition.named_children
    compared = inner[0] if condition.type == "parenthesized_expression" and inner else condition
    if compared.type in BINARY and any(code_of(c) in DECIDED for c in compared.children):
        return
    text = code_of(condition)
    negated = f"not ({text})" if source.language == PYTHON else f"!({text})"
    if condition.type == "parenthesized_expression":
        negated = f"(!{text})"
    yield _edit("negated condition", condition, negated)


def _statements(node: Node, source: Source) -> Iterator[Edit]:
    inner = node.named_children
    if node.type in {"await", "await_expression"} and inner:
        waits = code_of(inner[0])
        if source.language in {PYTHON, JAVASCRIPT}:
            yield _edit("dropped await", node, waits)
    elif node.type == "expression_statement" and len(inner) == 1 and inner[0].type in CALLS:
        if not LOGGING.search(callee(inner[0])):
            yield _edit("dropped statement", node, EMPTY[source.language])
    elif node.type == "return_statement" and inner and source.language in NOTHING:
        nothing = NOTHING[source.language]
        if code_of(inner[0]) not in {nothing, "null", "undefined"}:
            yield _edit("return value", inner[0], nothing)
    elif node.type == "return_statement" and source.language == GO and inner:
        yield from _swallowed(inner[0])
    elif source.language == RUST and node.type == "call_expression" and callee(node) == "Some":
        yield _edit("return value", node, "None")


def _left_out(node: Node) -> Iterator[Edit]:
    """What a call of an SDK may lack: a step of a chain, an option, an element of a page."""
    if node.type in {"call", "call_expression", "method_invocation"}:
        function = node.child_by_field_name("function") or node
        for field in RECEIVERS:
            receiver = function.child_by_field_name(field)
            if receiver is not None and receiver.type == node.type:
                yield Edit("dropped call", receiver.end_byte, node.end_byte, "")
    elif node.type == "keyword_argument" or (node.type == "pair" and _is_option(node)):
        yield Edit("dropped option", *_with_comma(node), "")
    elif node.type in {"jsx_element", "jsx_self_closing_element"}:
        yield _edit("dropped element", node, "<></>")


def _is_option(pair: Node) -> bool:
    """Whether a pair stands in an object that is handed to a call, and is not an error's cause."""
    if code_of(pair.child_by_field_name("key")) == "cause":
        return False
    owner = pair.parent.parent if pair.parent is not None else None
    return owner is not None and owner.type == "arguments"


def _with_comma(node: Node) -> tuple[int, int]:
    after, before = node.next_sibling, node.prev_sibling
    if after is not None and after.type == ",":
        return node.start_byte, after.end_byte
    if before is not None and before.type == ",":
        return before.start_byte, node.end_byte
    return node.start_byte, node.end_byte


def _swallowed(returned: Node) -> Iterator[Edit]:
    """In Go the last value that is returned is the error."""
    last = returned.named_children[-1] if returned.named_children else returned
    text = code_of(last)
    if text == "err" or text.startswith(("fmt.Errorf(", "errors.", "Err")):
        yield _edit("return value", last, "nil")
