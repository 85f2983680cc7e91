"""Words to fields, the way the shell would, as far as the text alone decides."""

import re
from fnmatch import translate

from sdkbench.shell.reader import braces, tree
from sdkbench.shell.safety.scope import HOME, NOWHERE, Scope
from sdkbench.shell.safety.values import (
    ANY,
    EMPTY,
    MARKS,
    MAX_VALUE,
    OPAQUE,
    SOME,
    STAR,
    UNKNOWN,
    Stream,
    Text,
    all_taints,
    bounded,
)
from sdkbench.shell.syntax import walk

# Alternatives multiply; a word written by hand has fewer.
MAX_ALTERNATIVES = 256

# A variable used without quotes is matched against file names after it is split.
GLOBBING = str.maketrans({"*": STAR, "?": ANY})
GAPS = dict.fromkeys(map(ord, " \t\n"), "\0")

NOTHING_KNOWN = (Text(UNKNOWN, NOWHERE),)
# Text that can't be read as a whole is cut here.
PIECES = re.compile(r"[\n;&|(){}`]+")
MAX_PIECES = 200
# Trimming tries every cut of the value.
MAX_CHANGED = 4096
SLICE = re.compile(r"\s*(-?\d+)\s*(?::\s*(-?\d+)\s*)?$")


def expand_words(words: tuple[tree.Word, ...], scope: Scope) -> tuple[Text, ...]:
    fields: list[Text] = []
    left = 4 * MAX_VALUE
    for word in words:
        for field in expand_word(word, scope):
            left -= len(field.value)
            fields.append(field)
        if left < 0:
            scope.give_up(word.span, f"words of more than {4 * MAX_VALUE} characters")
            break
    return tuple(fields)


def expand_word(word: tree.Word, scope: Scope) -> list[Text]:
    parts = word.parts
    if len(parts) == 1 and isinstance(parts[0], tree.Literal):
        return [Text(parts[0].value, word.span)]
    fields: list[Text] = []
    alternatives = braces.runs(parts, _choices, MAX_ALTERNATIVES)
    if alternatives is None:
        scope.give_up(word.span, f"a word of more than {MAX_ALTERNATIVES} alternatives")
        return [Text(UNKNOWN, word.span)]
    for alternative in alternatives:
        fields += _fields(alternative, word.span, scope)
    return fields


def expand_single(word: tree.Word, scope: Scope) -> Text:
    """A word where no splitting happens: an assignment's value, a redirection's target."""
    text = expand_parts(word.parts, scope)
    return Text(text.value, word.span, text.taints, text.stream)


def expand_parts(parts: tuple[tree.Part, ...], scope: Scope) -> Text:
    """Everything as one value, as between double quotes."""
    if len(parts) == 1 and type(parts[0]) is tree.Literal:
        return Text(bounded(parts[0].value), parts[0].span)
    pieces: list[Text] = []
    for part in parts:
        for at, text in enumerate(_part(part, scope)):
            pieces += [text.saying(f" {text.value}") if at else text]
    return _glued(pieces, parts[0].span if parts else NOWHERE)


def _fields(parts: braces.Run, span: tree.Span, scope: Scope) -> list[Text]:
    """The pieces of each field, then the fields; what is not quoted is split and matched."""
    separators = scope.lookup("IFS")
    gaps = dict.fromkeys(map(ord, separators[0].value), "\0") if separators else GAPS
    fields: list[list[Text]] = [[]]
    for part in parts:
        match part:
            case tree.Parameter() | tree.CommandSubstitution() | tree.Arithmetic():
                splitting = not part.quoted
            case _:
                splitting = False
        for at, text in enumerate(_part(part, scope)):
            fields += [[]] if at else []
            # What is not known at all, and most of it isn't, holds no gap.
            if not splitting or (gaps is GAPS and text.value in MARKS):
                fields[-1].append(text)
                continue
            pieces = text.value.translate(GLOBBING).translate(gaps).split("\0")
            for place, piece in enumerate(pieces):
                fields += [[]] if place else []
                fields[-1] += [text.saying(piece)] if piece else []
    return [_glued(pieces, span) for pieces in fields if pieces]


def _glued(pieces: list[Text], span: tree.Span) -> Text:
    value = bounded("".join(piece.value for piece in pieces))
    streams = [piece.stream for piece in pieces if piece.stream is not None]
    return Text(value, span, all_taints(pieces), streams[-1] if streams else None)


def _part(part: tree.Part, scope: Scope) -> tuple[Text, ...]:
    match part:
        case tree.Literal():
            return (Text(part.value, part.span),)
        case tree.Parameter():
            return expand_parameter(part, scope)
        case tree.Glob():
            return (Text(_glob(part.pattern), part.span),)
        case tree.Tilde():
            return (Text(_tilde(part.user, scope), part.span),)
        case tree.CommandSubstitution():
            stream = _substituted(part, scope)
            value = UNKNOWN if stream.text is None else stream.text.rstrip("\n")
            return (Text(value, part.span, stream.taints),)
        case tree.ProcessSubstitution():
            stream = scope.run_script(part.script, scope.child(), EMPTY)
            return (Text("/dev/fd/63", part.span, stream.taints, stream),)
        case tree.ArrayLiteral():
            return expand_words(part.words, scope)
        case _:
            run_substitutions(part, scope)
            return (Text(SOME, part.span),)


def run_substitutions(part: tree.Node, scope: Scope) -> None:
    """Substitutions inside arithmetic run too, though their value is only a number."""
    for node in walk(part):
        if isinstance(node, tree.CommandSubstitution):
            _substituted(node, scope)


def _substituted(part: tree.CommandSubstitution, scope: Scope) -> Stream:
    """What we can't read between backticks another shell might: its pieces are judged alone."""
    if part.broken:
        for piece in PIECES.split(part.broken)[:MAX_PIECES]:
            scope.run_text(piece, scope, part.span, EMPTY)
        return OPAQUE
    return scope.run_script(part.script, scope.child(), EMPTY)


def _glob(pattern: str) -> str:
    if pattern == "?":
        return ANY
    if pattern.startswith("["):
        # `[r]m` is `rm` in disguise; a real class is one unknown character.
        return pattern[1] if len(pattern) == len("[x]") and pattern[1] not in "!^" else ANY
    return STAR


def _tilde(user: str, scope: Scope) -> str:
    special = {"": HOME, "+": scope.cwd or ".", "-": SOME, "root": "/root"}
    return special.get(user, f"/home/{user}")


def _choices(part: tree.Part) -> list[braces.Run]:
    if isinstance(part, tree.BraceRange):
        # The ends are enough: what lies between is as far from harm as they are.
        ends = (part.first, part.last)
        return [(tree.Literal(value, tree.Quoting.NONE, part.span),) for value in ends]
    return [(part,)]


def expand_parameter(part: tree.Parameter, scope: Scope) -> tuple[Text, ...]:
    """The fields of the parameter before splitting; more than one only for `@` and `*`."""
    if not part.name:
        run_substitutions(part, scope)
        return NOTHING_KNOWN
    for inner in part.index:
        run_substitutions(inner, scope)
    values = _elements(part, scope)
    if part.prefix == "#":
        return (Text(SOME, part.span),)
    if part.prefix == "!":
        values = scope.lookup(values[0].value) if values and values[0].known else None
    if part.operator in {":-", "-", ":=", "=", ":+", "+", ":?", "?"}:
        return _defaulted(part, values, scope)
    if values is None:
        return NOTHING_KNOWN
    if not part.operator:
        return values
    argument = expand_parts(part.argument, scope).value
    return tuple(value.saying(_changed(value.value, part.operator, argument)) for value in values)


def _elements(part: tree.Parameter, scope: Scope) -> tuple[Text, ...] | None:
    if part.name in {"@", "*"}:
        return scope.positional
    if part.name.isdigit() and part.name != "0":
        if scope.positional is None:
            return scope.lookup(part.name)
        at = int(part.name) - 1
        return scope.positional[at : at + 1] or (Text("", part.span),)
    elements = scope.lookup(part.name)
    if elements is None or part.subscript in {"@", "*"}:
        return elements
    if part.subscript is not None and part.subscript.lstrip("-").isdigit():
        at = int(part.subscript)
        return (elements[at],) if -len(elements) <= at < len(elements) else (Text("", part.span),)
    return elements[:1] or (Text("", part.span),)


def _defaulted(
    part: tree.Parameter, values: tuple[Text, ...] | None, scope: Scope
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
    bounds = SLICE.match(argument)
    if not bounds or UNKNOWN in value or SOME in value:
        return UNKNOWN
    first = int(bounds[1])
    rest = value[first:]
    return rest if bounds[2] is None else rest[: int(bounds[2])]


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
