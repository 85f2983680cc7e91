"""The syntax of each language, as far as metrics need it: what calls, imports, binds, branches."""

import functools
import importlib
from collections.abc import Mapping
from typing import NamedTuple

from tree_sitter import Language, Node, Parser, Tree

EMPTY: frozenset[str] = frozenset()


class Grammar(NamedTuple):
    """Names of node types and fields. A mapping gives the fields in which the parts stand.

    `transparent` nodes have the value of one of their children (`await x`, `x?`, `(x)`), and
    `transparent_methods` that of what they are called on.
    """

    name: str
    package: str
    entry: str
    functions: frozenset[str]
    classes: frozenset[str]
    calls: Mapping[str, tuple[str, str]]  # what is called, and the arguments
    members: Mapping[str, tuple[str, str]]  # of what, and its name
    bindings: Mapping[str, tuple[str, str]]  # names, and the value
    parameters: Mapping[str, tuple[str, str]]  # the name, and the type
    transparent: frozenset[str]
    branches: frozenset[str]
    loops: frozenset[str]
    handlers: frozenset[str]
    raises: frozenset[str]
    keys: Mapping[str, str]  # of named arguments and options: the field of the name
    strings: frozenset[str]
    identifiers: frozenset[str]
    own: frozenset[str] = EMPTY  # words for the object whose method this is
    transparent_methods: frozenset[str] = EMPTY


PYTHON = Grammar(
    name="python",
    package="tree_sitter_python",
    entry="language",
    functions=frozenset({"function_definition", "lambda"}),
    classes=frozenset({"class_definition"}),
    calls={"call": ("function", "arguments")},
    members={"attribute": ("object", "attribute")},
    bindings={
        "assignment": ("left", "right"),
        "named_expression": ("name", "value"),
        "as_pattern": ("alias", ""),
    },
    parameters={"typed_parameter": ("", "type"), "typed_default_parameter": ("name", "type")},
    transparent=frozenset({"await", "parenthesized_expression", "type", "as_pattern_target"}),
    branches=frozenset(
        {"if_statement", "elif_clause", "conditional_expression", "boolean_operator", "case_clause"}
    ),
    loops=frozenset({"for_statement", "while_statement", "for_in_clause"}),
    handlers=frozenset({"except_clause", "except_group_clause"}),
    raises=frozenset({"raise_statement"}),
    keys={"keyword_argument": "name"},
    strings=frozenset({"string"}),
    identifiers=frozenset({"identifier"}),
    own=frozenset({"self", "cls"}),
)
TYPESCRIPT = Grammar(
    name="typescript",
    package="tree_sitter_typescript",
    entry="language_tsx",
    functions=frozenset(
        {
            "function_declaration",
            "function_expression",
            "arrow_function",
            "method_definition",
            "generator_function_declaration",
        }
    ),
    classes=frozenset({"class_declaration", "class"}),
    calls={
        "call_expression": ("function", "arguments"),
        "new_expression": ("constructor", "arguments"),
        "jsx_opening_element": ("name", ""),
        "jsx_self_closing_element": ("name", ""),
    },
    members={"member_expression": ("object", "property")},
    bindings={
        "variable_declarator": ("name", "value"),
        "assignment_expression": ("left", "right"),
        "public_field_definition": ("name", "value"),
    },
    parameters={
        "required_parameter": ("pattern", "type"),
        "optional_parameter": ("pattern", "type"),
    },
    transparent=frozenset(
        {
            "await_expression",
            "parenthesized_expression",
            "non_null_expression",
            "as_expression",
            "satisfies_expression",
            "type_annotation",
        }
    ),
    branches=frozenset({"if_statement", "ternary_expression", "switch_case"}),
    loops=frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"}),
    handlers=frozenset({"catch_clause"}),
    raises=frozenset({"throw_statement"}),
    keys={"pair": "key", "jsx_attribute": "", "shorthand_property_identifier": ""},
    strings=frozenset({"string", "template_string"}),
    identifiers=frozenset({"identifier", "type_identifier", "property_identifier"}),
    own=frozenset({"this"}),
)
GO = Grammar(
    name="go",
    package="tree_sitter_go",
    entry="language",
    functions=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    classes=frozenset({"type_spec"}),
    calls={"call_expression": ("function", "arguments"), "composite_literal": ("type", "body")},
    members={"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")},
    bindings={
        "short_var_declaration": ("left", "right"),
        "assignment_statement": ("left", "right"),
        "var_spec": ("name", "value"),
    },
    parameters={"parameter_declaration": ("name", "type")},
    transparent=frozenset({"parenthesized_expression", "unary_expression", "pointer_type"}),
    branches=frozenset({"if_statement", "expression_case", "communication_case", "type_case"}),
    loops=frozenset({"for_statement"}),
    handlers=EMPTY,
    raises=EMPTY,
    keys={"keyed_element": "key"},
    strings=frozenset({"interpreted_string_literal", "raw_string_literal"}),
    identifiers=frozenset(
        {"identifier", "type_identifier", "field_identifier", "package_identifier"}
    ),
)
RUST = Grammar(
    name="rust",
    package="tree_sitter_rust",
    entry="language",
    functions=frozenset({"function_item", "closure_expression"}),
    classes=frozenset({"struct_item", "impl_item", "trait_item", "enum_item"}),
    calls={
        "call_expression": ("function", "arguments"),
        "struct_expression": ("name", "body"),
        "macro_invocation": ("macro", ""),
    },
    members={
        "field_expression": ("value", "field"),
        "scoped_identifier": ("path", "name"),
        "scoped_type_identifier": ("path", "name"),
    },
    bindings={"let_declaration": ("pattern", "value")},
    parameters={"parameter": ("pattern", "type"), "field_declaration": ("name", "type")},
    transparent=frozenset(
        {
            "try_expression",
            "await_expression",
            "reference_expression",
            "parenthesized_expression",
            "reference_type",
            "generic_type",
            "unary_expression",
        }
    ),
    branches=frozenset({"if_expression", "match_arm", "let_condition"}),
    loops=frozenset({"for_expression", "while_expression", "loop_expression"}),
    handlers=frozenset({"try_expression"}),
    raises=EMPTY,
    keys={"field_initializer": "field"},
    strings=frozenset({"string_literal", "raw_string_literal"}),
    identifiers=frozenset({"identifier", "type_identifier", "field_identifier"}),
    own=frozenset({"self"}),
    transparent_methods=frozenset(
        {"unwrap", "expect", "map_err", "ok_or", "ok_or_else", "clone", "as_ref", "as_mut", "iter"}
    ),
)
JAVA = Grammar(
    name="java",
    package="tree_sitter_java",
    entry="language",
    functions=frozenset({"method_declaration", "constructor_declaration", "lambda_expression"}),
    classes=frozenset(
        {"class_declaration", "record_declaration", "enum_declaration", "interface_declaration"}
    ),
    calls={
        "method_invocation": ("", "arguments"),
        "object_creation_expression": ("type", "arguments"),
    },
    members={
        "method_invocation": ("object", "name"),
        "field_access": ("object", "field"),
        "scoped_identifier": ("scope", "name"),
        "scoped_type_identifier": ("", ""),
    },
    bindings={"variable_declarator": ("name", "value")},
    parameters={
        "formal_parameter": ("name", "type"),
        "field_declaration": ("declarator", "type"),
        "local_variable_declaration": ("declarator", "type"),
        "resource": ("name", "value"),
    },
    transparent=frozenset({"parenthesized_expression", "cast_expression", "generic_type"}),
    branches=frozenset({"if_statement", "ternary_expression", "switch_label"}),
    loops=frozenset({"for_statement", "enhanced_for_statement", "while_statement"}),
    handlers=frozenset({"catch_clause"}),
    raises=frozenset({"throw_statement"}),
    keys={},
    strings=frozenset({"string_literal"}),
    identifiers=frozenset({"identifier", "type_identifier"}),
    own=frozenset({"this"}),
)
SUFFIXES = {
    ".py": PYTHON,
    **dict.fromkeys((".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"), TYPESCRIPT),
    ".go": GO,
    ".rs": RUST,
    ".java": JAVA,
}


@functools.cache
def _language(package: str, entry: str) -> Language:
    return Language(getattr(importlib.import_module(package), entry)())


def parse(grammar: Grammar, suffix: str, source: bytes) -> Tree:
    # In a plain .ts file `<T>x` is a cast, and no element.
    entry = "language_typescript" if suffix in {".ts", ".mts", ".cts"} else grammar.entry
    return Parser(_language(grammar.package, entry)).parse(source)


def text_of(node: Node | None) -> str:
    return node.text.decode("utf-8", "replace") if node is not None and node.text else ""
