"""What `$` and the backtick begin: parameters, substitutions, arithmetic."""

import re

from sdkbench.shell.reader import words
from sdkbench.shell.reader.cursor import Cursor, Stuck
from sdkbench.shell.reader.tree import (
    Arithmetic,
    CommandSubstitution,
    Parameter,
    Part,
    Quoting,
    Script,
)

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_BRACED = re.compile(
    r"\$\{(?P<prefix>[!#](?=[A-Za-z0-9_@*#?$!-]))?"
    r"(?P<name>[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])"
)
_OPERATOR = re.compile(r":[-=?+]|[-=?+]|##?|%%?|//|/[#%]|/|\^\^?|,,?|@[A-Za-z]|:|[*@](?=\})")
_PATTERN_OPERATORS = frozenset({"#", "##", "%", "%%", "/", "//", "/#", "/%"})
_BACKTICK_BODY = re.compile(r"`([^`\\]*(?:\\.[^`\\]*)*)`", re.DOTALL)
_ARITHMETIC_TEXT = re.compile(r"[^$`\"'\\()\[\]]+")
_NOTHING: frozenset[str] = frozenset()


def read_expansion(cursor: Cursor, *, quoted: bool) -> Part:
    """The expansion at the cursor; a `$` that begins none is a literal."""
    if cursor.peek() == "`":
        return _backticks(cursor, quoted=quoted)
    begin = cursor.position
    following = cursor.peek(1)
    if following == "(":
        if cursor.peek(2) == "(":
            arithmetic = try_arithmetic(cursor, 3, quoted=quoted)
            if arithmetic:
                return arithmetic
        cursor.position += 2
        script = read_enclosed(cursor)
        return CommandSubstitution(script, quoted, backticks=False, span=cursor.span(begin))
    if following == "{":
        return _braced(cursor, quoted=quoted)
    if following == "[":
        return _old_arithmetic(cursor, quoted=quoted)
    cursor.position += 1
    name = cursor.take(_NAME)
    if not name:
        return cursor.literal(begin, Quoting.DOUBLE if quoted else Quoting.NONE)
    return Parameter(name[0], "", None, "", (), quoted, cursor.span(begin))


def read_enclosed(cursor: Cursor) -> Script:
    """A script and the `)` that ends it."""
    begin = cursor.position
    cursor.enter()
    script = cursor.read_script(cursor, _NOTHING)
    cursor.leave()
    if cursor.peek() != ")":
        raise cursor.stuck("unfinished (" if not cursor.peek() else "unexpected token", begin)
    cursor.position += 1
    return script


def try_arithmetic(cursor: Cursor, opening: int, *, quoted: bool) -> Arithmetic | None:
    """`((…))` after `opening` characters, or None where it's a subshell inside parentheses.

    A place once found to be no arithmetic is remembered: trying it again inside every enclosing
    attempt would take time exponential in the nesting. After twice the text's length has been
    read in vain, no further attempt is made.
    """
    begin = cursor.position
    if begin in cursor.not_arithmetic or cursor.retraced > 2 * len(cursor.text):
        return None
    awaited = len(cursor.awaited)
    depth = cursor.depth
    cursor.position += opening
    try:
        cursor.enter()
        parts = _arithmetic_parts(cursor, "))")
        cursor.leave()
    except Stuck:
        cursor.retraced += cursor.position - begin
        if cursor.retraced > 2 * len(cursor.text):
            raise
        cursor.position = begin
        cursor.depth = depth
        del cursor.awaited[awaited:]
        cursor.not_arithmetic.add(begin)
        return None
    return Arithmetic(parts, quoted, cursor.span(begin))


def _arithmetic_parts(cursor: Cursor, close: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    depth = 0
    while not cursor.at_end:
        begin, char = cursor.position, cursor.peek()
        if depth == 0 and cursor.at(close):
            cursor.position += len(close)
            return tuple(parts)
        if char == ")" and depth == 0:
            break
        if cursor.take(_ARITHMETIC_TEXT):
            pass
        elif char in "()[]":
            depth += {"(": 1, ")": -1, "[": close == "]", "]": -(close == "]")}[char]
            cursor.position += 1
        elif char == '"':
            words.read_double_quoted(cursor, Quoting.DOUBLE, parts)
            continue
        elif char in "$`":
            parts.append(read_expansion(cursor, quoted=True))
            continue
        else:
            cursor.position += 2 if char == "\\" else 1
        parts.append(cursor.literal(begin, Quoting.NONE))
    raise cursor.stuck("unfinished arithmetic")


def _old_arithmetic(cursor: Cursor, *, quoted: bool) -> Arithmetic:
    begin = cursor.position
    cursor.position += 2
    cursor.enter()
    parts = _arithmetic_parts(cursor, "]")
    cursor.leave()
    return Arithmetic(parts, quoted, cursor.span(begin))


def _braced(cursor: Cursor, *, quoted: bool) -> Parameter:
    begin = cursor.position
    opening = cursor.take(_BRACED)
    cursor.enter()
    if not opening:
        return _bad_substitution(cursor, begin, quoted=quoted)
    index: list[Part] = []
    subscript = _subscript(cursor, index) if cursor.peek() == "[" else None
    operator = cursor.take(_OPERATOR)
    argument: tuple[Part, ...] = ()
    if operator:
        literal_quotes = quoted and operator[0] not in _PATTERN_OPERATORS
        argument = words.read_braced(cursor, quoted=literal_quotes)
    if cursor.peek() != "}":
        return _bad_substitution(cursor, begin, quoted=quoted)
    cursor.position += 1
    cursor.leave()
    return Parameter(
        opening["name"],
        opening["prefix"] or "",
        subscript,
        operator[0] if operator else "",
        argument,
        quoted,
        cursor.span(begin),
        tuple(index),
    )


def _bad_substitution(cursor: Cursor, begin: int, *, quoted: bool) -> Parameter:
    """`${a b}`: all that stands between the braces."""
    cursor.position = begin + len("${")
    argument = words.read_braced(cursor, quoted=quoted)
    text = cursor.text[begin + len("${") : cursor.position]
    cursor.position += 1
    cursor.leave()
    return Parameter("", "", None, text, argument, quoted, cursor.span(begin))


def _subscript(cursor: Cursor, index: list[Part]) -> str:
    """The text between `[` and its `]` as written; its substitutions are added to `index`."""
    begin = cursor.position
    depth = 0
    while not cursor.at_end:
        if cursor.at("$(") or cursor.peek() == "`":
            index.append(read_expansion(cursor, quoted=True))
            continue
        depth += {"[": 1, "]": -1}.get(cursor.peek(), 0)
        cursor.position += 1
        if depth == 0:
            return cursor.text[begin + 1 : cursor.position - 1]
    raise cursor.stuck("unfinished [", begin)


def _backticks(cursor: Cursor, *, quoted: bool) -> CommandSubstitution:
    """Backslashes inside are taken off once before the text is read as a script."""
    begin = cursor.position
    quoted_text = cursor.looking_at(_BACKTICK_BODY)
    if not quoted_text:
        raise cursor.stuck("unfinished `")
    escapable = '`\\$"' if quoted else "`\\$"
    characters: list[str] = []
    offsets: list[int] = []
    place = quoted_text.start(1)
    while place < quoted_text.end(1):
        offsets.append(cursor.original(place))
        if cursor.text[place] == "\\" and cursor.text[place + 1] in escapable:
            place += 1
        characters.append(cursor.text[place])
        place += 1
    offsets.append(cursor.original(quoted_text.end(1)))
    inner = Cursor("".join(characters), cursor.read_script, depth=cursor.depth, offsets=offsets)
    inner.enter()
    broken = ""
    try:
        script = inner.read_script(inner, _NOTHING)
        if not inner.at_end:
            raise inner.stuck("unexpected token")
    except Stuck as stuck:
        # Of several lines, bash runs those before the error.
        if "deep" in stuck.message or "\n" in inner.text:
            raise
        broken = inner.text
        script = Script((), inner.span(0))
    cursor.position = quoted_text.end()
    span = cursor.span(begin)
    return CommandSubstitution(script, quoted, backticks=True, span=span, broken=broken)
