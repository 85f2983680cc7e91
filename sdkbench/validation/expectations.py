"""What a sample's tests expect of a solution, and what they hand to it, as far as reading tells.

Expected are the literals, keys and names inside assertions, in calls of functions that assert, and
in tables of cases. What stands in any other call, or elsewhere, is what a test hands in.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from sdkbench.test_harness.mutations import code_of
from sdkbench.validation.syntax import GO, JAVASCRIPT, PYTHON, RUST, Source, ancestors, callee

ASSERTING = re.compile(
    r"(?:^|\.)(?:assert\w*!?|debug_assert\w*!?|raises|warns|fail\w*|prop_assert\w*!?)$"
    r"|^(?:assert|require|t|self|Assertions|mock)\.\w+$|\.assert\w*$"
)
MATCHER = re.compile(r"(?:^|\.)expect(?:\.\w+)*\(|^assertThat\(")
THROWING = re.compile(
    r"(?:raises|assertRaises\w*|assertThrows\w*|toThrow\w*|rejects?|errors\.(?:Is|As))$"
)
ASSERTS_WITHIN = re.compile(
    r"^\s*assert\b|\bexpect\(|\bassert\w*!?\(|\bassert\.\w+\(|\bt\.(?:Error|Fatal)", re.MULTILINE
)
TABLE = re.compile(r"(?:^|\.)(?:parametrize|each(?:\.\w+)*|ValueSource|CsvSource)$")
FUNCTIONS = frozenset(
    {
        "function_definition", "function_declaration", "function_item", "method_declaration",
        "variable_declarator",
    }
)  # fmt: skip
DECLARING = (FUNCTIONS - {"variable_declarator"}) | frozenset(
    {
        "class_definition", "class_declaration", "record_declaration", "enum_declaration",
        "interface_declaration", "method_definition", "type_spec", "struct_item", "enum_item",
        "trait_item", "const_spec", "var_spec", "const_item", "static_item", "field_declaration",
        "public_field_definition",
    }
)  # fmt: skip
# Where a variable is seen from outside: types of the nodes around it, the next one first.
SEEN = {
    ("expression_statement", "module"),
    ("lexical_declaration", "program"),
    ("lexical_declaration", "export_statement"),
    ("field_declaration", "class_body"),
    ("formal_parameters", "record_declaration"),
}
NAMED_VARIABLES = frozenset({"variable_declarator", "formal_parameter"})
USED = re.compile(r"(?:(?<=\.)|(?<=::)|\bnew\s+)([A-Za-z_]\w*)|\b([A-Za-z_]\w*)(?=\(|::|\{)")
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")
A_TEST = re.compile(r"(?i)^test")
FAILING_IN_GO = re.compile(r"\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(")
TEXTS = frozenset(
    {
        "string_content", "string_fragment", "interpreted_string_literal_content",
        "raw_string_literal_content", "template_chars", "regex_pattern", "string_literal_content",
    }
)  # fmt: skip
WHOLE_TEXTS = frozenset(
    {"string_literal", "interpreted_string_literal", "raw_string_literal", "character_literal"}
)
NUMBERS = frozenset(
    {
        "integer", "float", "number", "int_literal", "float_literal", "integer_literal",
        "decimal_integer_literal", "decimal_floating_point_literal",
    }
)  # fmt: skip
CALLS = frozenset(
    {
        "call", "call_expression", "method_invocation", "macro_invocation", "new_expression",
        "object_creation_expression",
    }
)  # fmt: skip
KEYS = frozenset({"property_identifier", "shorthand_property_identifier"})
# HTTP's headers are the same in any case: these by their names, others by how tests ask for them.
HEADERS = frozenset(
    {
        "accept", "accept-encoding", "accept-language", "accept-ranges", "age", "allow",
        "authorization", "cache-control", "connection", "content-disposition", "content-encoding",
        "content-language", "content-length", "content-location", "content-range", "content-type",
        "cookie", "date", "etag", "expires", "forwarded", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "last-event-id",
        "last-modified", "link", "location", "origin", "pragma", "prefer", "proxy-authenticate",
        "proxy-authorization", "range", "referer", "retry-after", "server", "set-cookie",
        "transfer-encoding", "upgrade", "user-agent", "vary", "via", "warning", "www-authenticate",
    }
)  # fmt: skip
HEADER = re.compile(r"(?i)x(?:-[a-z0-9]+)+|[a-z][a-z0-9-]*")
ASKED_AS_HEADER = re.compile(r"(?i)headers?\w*(?:\(\))?(?:\??\.\w+)?\s*(?:\?\.)?[\[(]\s*[\"'`]?$")
READS_HEADER = re.compile(r"(?i)(?:^|\.)(?:get_?)?headers?$|headers?(?:\(\))?\??\.\w+$")
DIGITS = re.compile(r"[\d_]+(?:\.\d+)?")


class Literal(NamedTuple):
    """A text or number in a file of the tests."""

    kind: str  # "text", "number" or "name"
    value: str
    path: str
    line: int
    is_header: bool = False  # the name of a header of HTTP, whose case says nothing


class Reading(NamedTuple):
    expected: Sequence[Literal]
    given: Sequence[Literal]


def read_tests(sources: Sequence[Source]) -> Reading:
    expected: list[Literal] = []
    given: list[Literal] = []
    helpers = {name for source in sources for name in _helpers(source)}
    for source in sources:
        for node in _walk(source.tree.root):
            literal = _literal(node, source)
            if literal is None:
                continue
            is_expected = _is_expected(node, source.language, helpers)
            (expected if is_expected else given).append(literal)
        expected += _names(source)
    return Reading(expected, given)


def _helpers(source: Source) -> Iterator[str]:
    """Functions of the tests that assert something for others."""
    for node in _walk(source.tree.root):
        if node.type in FUNCTIONS:
            name = code_of(node.child_by_field_name("name"))
            if not A_TEST.match(name) and ASSERTS_WITHIN.search(code_of(node)):
                yield name


def declared_names(source: Source) -> Iterator[str]:
    """What a source gives a name to that others can reach: functions, types, constants, fields."""
    for node in _walk(source.tree.root):
        name = ""
        if node.type in DECLARING or (node.type in NAMED_VARIABLES and _is_seen(node)):
            name = code_of(node.child_by_field_name("name"))
        elif node.type == "assignment":  # Python's
            left = code_of(node.child_by_field_name("left"))
            name = left.removeprefix("self.") if _is_seen(node) or "self." in left else ""
        if name.isidentifier():
            yield name


def _is_seen(node: Node) -> bool:
    around = [outer.type for outer in ancestors(node)][:3]
    if around[:2] == ["expression_statement", "block"]:
        return around[2:] == ["class_definition"]
    return tuple(around[:2]) in SEEN


def used_names(source: Source) -> Iterator[Literal]:
    """What tests call, or reach by a point."""
    for number, line in enumerate(source.text.splitlines(), start=1):
        for match in USED.finditer(QUOTED.sub('""', line)):
            yield Literal("name", match[1] or match[2], source.path, number)


def literals_of(source: Source) -> Iterator[Literal]:
    """Every text and number that a source is written with."""
    for node in _walk(source.tree.root):
        literal = _literal(node, source)
        if literal is not None:
            yield literal


def _walk(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if node.type not in {"comment", "line_comment", "block_comment"}:
            waiting += reversed(node.named_children)


def _literal(node: Node, source: Source) -> Literal | None:
    text = code_of(node)
    if node.type in TEXTS:
        is_header = _is_header(text, node, source)
        return Literal("text", text, source.path, source.line(node), is_header)
    if node.type in WHOLE_TEXTS and not any(c.type in TEXTS for c in node.named_children):
        text = text.strip("\"'`")
        is_header = _is_header(text, node, source)
        return Literal("text", text, source.path, source.line(node), is_header)
    if node.type in NUMBERS and (digits := DIGITS.match(text)):
        return Literal("number", digits[0].replace("_", ""), source.path, source.line(node))
    if source.language == JAVASCRIPT and node.type in KEYS and _is_key(node):
        is_header = text.lower() in HEADERS
        return Literal("name", text, source.path, source.line(node), is_header)
    return None


def _is_header(text: str, node: Node, source: Source) -> bool:
    """`"x-id"`, `"ETag"`, or whatever stands in `headers["…"]` and `getHeader("…")`."""
    if not HEADER.fullmatch(text):
        return False
    before = source.tree.source[max(0, node.start_byte - 40) : node.start_byte].decode(
        "utf-8", "ignore"
    )
    known = text.lower() in HEADERS or text[:2].lower() == "x-"
    return known or bool(ASKED_AS_HEADER.search(before))


def _is_key(node: Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type in {"pair", "object"}


def _is_expected(node: Node, language: str, helpers: set[str]) -> bool:
    """Whether a literal stands in an assertion, and not as what a call there is given."""
    inside = node
    for outer in ancestors(node):
        if outer.type == "assert_statement":
            return outer.named_children[0] == inside  # what comes behind is for people
        takes = outer.type in CALLS and not _is_callee(outer, inside)
        if takes and not _asks_header(outer, inside):
            return _asserts(outer, helpers)
        if language == GO and outer.type == "if_statement":
            body = outer.child_by_field_name("consequence")
            in_condition = outer.child_by_field_name("condition") == inside
            return in_condition and bool(FAILING_IN_GO.search(code_of(body)))
        if "statement" in outer.type and outer.type != "expression_statement":
            return False
        inside = outer
    return False


def _asks_header(call: Node, arguments: Node) -> bool:
    """`headers.get("x-id")`: a name that the answer is asked for, and nothing that is handed in."""
    return len(arguments.named_children) == 1 and bool(READS_HEADER.search(callee(call)))


def _is_callee(call: Node, inside: Node) -> bool:
    return inside in {call.child_by_field_name("function"), call.child_by_field_name("object")}


def _asserts(call: Node, helpers: set[str]) -> bool:
    name = callee(call)
    if name.rpartition(".")[2] in helpers or TABLE.search(name):
        return True
    return bool(ASSERTING.search(name)) or bool(MATCHER.search(name))


def _names(source: Source) -> Iterator[Literal]:
    """What tests import of the solution, and the exceptions that they expect of it."""
    for node in _walk(source.tree.root):
        if node.type in CALLS and THROWING.search(callee(node)):
            yield from _exceptions(node, source)
        for name in _imported(node, source.language):
            yield Literal("name", name, source.path, source.line(node))


def _exceptions(call: Node, source: Source) -> Iterator[Literal]:
    arguments = call.child_by_field_name("arguments")
    for argument in arguments.named_children if arguments is not None else ():
        if argument.type in {"identifier", "attribute", "member_expression", "class_literal"}:
            name = code_of(argument).removesuffix(".class").rpartition(".")[2]
            if name[:1].isupper():
                yield Literal("name", name, source.path, source.line(argument))


def _imported(node: Node, language: str) -> Iterator[str]:
    text = code_of(node)
    if language == PYTHON and node.type == "import_from_statement":
        module = code_of(node.child_by_field_name("module_name"))
        if module.partition(".")[0] == "expected":
            for name in node.children_by_field_name("name"):
                yield code_of(name.child_by_field_name("name") or name)
    elif language == JAVASCRIPT and node.type == "import_statement" and "expected/" in text:
        for inner in _walk(node):
            if inner.type == "import_specifier":
                yield code_of(inner.child_by_field_name("name"))
    elif language == RUST and node.type == "use_declaration" and "expected::" in text:
        yield from re.findall(r"\b[A-Za-z_]\w*\b", text.partition("expected::")[2])
