"""`${name…}`: the value after its operator, as far as it is fixed."""

import re
from collections.abc import Callable
from fnmatch import translate

from sdkbench.shell.safety.scope import NOWHERE, Scope
from sdkbench.shell.safety.values import ANY, SOME, STAR, UNKNOWN, Text, bounded
from sdkbench.shell.syntax import Parameter, Part

ExpandParts = Callable[[tuple[Part, ...], Scope], Text]

NOTHING_KNOWN = (Text(UNKNOWN, NOWHERE),)
# Trimming tries every cut of the value.
MAX_CHANGED = 4096
SLICE = re.compile(r"\s*(-?\d+)\s*(?::\s*(-?\d+)\s*)?$")


def expand_parameter(part: Parameter, scope: Scope, expand_parts: ExpandParts) -> tuple[Text, ...]:
    """The fields of the parameter before splitting; more than one only for `@` and `*`."""
    values = _elements(part, scope)
    if part.prefix == "#":
        return (Text(SOME, part.span),)
    if part.prefix == "!":
        values = scope.lookup(values[0].value) if values and values[0].known else None
    if part.operator in {":-", "-", ":=", "=", ":+", "+", ":?", "?"}:
        return _defaulted(part, values, scope, expand_parts)
    if values is None:
        return NOTHING_KNOWN
    if not part.operator:
        return values
    argument = expand_parts(part.argument, scope).value
    return tuple(value.saying(_changed(value.value, part.operator, argument)) for value in values)


def _elements(part: Parameter, scope: Scope) -> tuple[Text, ...] | None:
    if part.name in {"@", "*"}:
        return scope.positional
    if part.name.isdigit() and part.name != "0":
        if scope.positional is None:
            return scope.lookup(part.name)
        at = int(part.name) - 1
        return scope.positional[at : at + 1] or (Text("", part.span),)
    found = scope.lookup(part.name)
    if found is None or part.subscript in {"@", "*"}:
        return found
    if part.subscript is not None and part.subscript.lstrip("-").isdigit():
        at = int(part.subscript)
        return (found[at],) if -len(found) <= at < len(found) else (Text("", part.span),)
    return found[:1] or (Text("", part.span),)


def _defaulted(
    part: Parameter, values: tuple[Text, ...] | None, scope: Scope, expand_parts: ExpandParts
) -> tuple[Text, ...]:
    kind = part.operator[-1]
    empty = values is None or not any(value.value for value in values)
    if kind == "?":
        scope.guarded.add(part.name)
        return (Text(SOME, part.span),) if values is None or empty else values
    word = expand_parts(part.argument, scope)
    if kind == "+":
        return (word,) if values is None or not empty else values
    if values is None or empty:
        if kind == "=":
            scope.variables[part.name] = (word,)
        return (word,)
    return values


def _changed(value: str, operator: str, argument: str) -> str:
    """The value after trimming, replacing, slicing or changing case."""
    if operator == ":":
        return _slice(value, argument)
    if operator in {"^^", "^", ",,", ","}:
        change = str.upper if "^" in operator else str.lower
        return change(value) if len(operator) > 1 else change(value[:1]) + value[1:]
    if operator.startswith("@"):
        return value
    if UNKNOWN in value or len(value) > MAX_CHANGED:
        return UNKNOWN
    if operator[0] == "/":
        return _replaced(value, operator, argument)
    return _trimmed(value, operator, argument)


def _slice(value: str, argument: str) -> str:
    found = SLICE.match(argument)
    if not found or UNKNOWN in value or SOME in value:
        return UNKNOWN
    first = int(found[1])
    rest = value[first:]
    return rest if found[2] is None else rest[: int(found[2])]


def _pattern(argument: str) -> str:
    globbed = argument.replace(STAR, "*").replace(ANY, "?")
    return translate(globbed).removesuffix(r"\Z").removesuffix(r"\z")


def _trimmed(value: str, operator: str, argument: str) -> str:
    pattern = re.compile(_pattern(argument), re.DOTALL)
    longest = len(operator) > 1
    if operator[0] == "#":
        cuts = range(len(value), -1, -1) if longest else range(len(value) + 1)
        cut = next((at for at in cuts if pattern.fullmatch(value[:at])), 0)
        return value[cut:]
    cuts = range(len(value) + 1) if longest else range(len(value), -1, -1)
    cut = next((at for at in cuts if pattern.fullmatch(value[at:])), len(value))
    return value[:cut]


def _replaced(value: str, operator: str, argument: str) -> str:
    old, _, new = argument.partition("/")
    if not old:
        return value
    pattern = _pattern(old)
    if operator == "/#":
        pattern = rf"\A(?:{pattern})"
    elif operator == "/%":
        pattern = rf"(?:{pattern})\Z"
    return bounded(re.sub(pattern, lambda _: new, value, count=0 if operator == "//" else 1))
