"""Words: quoting, escapes, patterns and tildes become parts."""

import re

from sdkbench.shell.reader import ansi, braces, expansions
from sdkbench.shell.reader.cursor import Cursor
from sdkbench.shell.reader.tree import (
    Glob,
    Literal,
    Part,
    ProcessSubstitution,
    Quoting,
    Tilde,
    Word,
)

ENDS_WORD = frozenset(" \t\n;&|<>()")
_PLAIN = re.compile(r"(?:[^ \t\n;&|<>()$`\"'\\*?\[~+@!]|[+@!](?!\())+")
_BARE_WORD = re.compile(r"[A-Za-z0-9_./=:%^-]+(?=[ \t\n;&|()]|\Z)")  # most words are such
_IN_BRACES = re.compile(r"[^$`\"'\\}]+")  # ${name:-here}
_IN_QUOTED_BRACES = re.compile(r"[^$`\"\\}]+")  # "${name:-here}": a single quote is itself
_IN_DOUBLE = re.compile(r"[^\"$`\\]+")
_IN_HEREDOC = re.compile(r"[^$`\\]+")
_IN_REGEX = re.compile(r"[^ \t\n$`\"'\\()]+")  # [[ $name =~ here ]]
_BRACKET = re.compile(r"\[[!^]?\]?(?:\[[:.=][a-z]+[:.=]\]|[^\]\[ \t\n'\"$`\\;&|<>()/])*\]")
# The window keeps thousands of open brackets from being searched to the end each.
_CLOSES_LATER = re.compile(r"[^ \t\n;&|<>()\]]{0,200}(?:\]|(?<=[^ \t\n]{200}))")
_TILDE = re.compile(r"~([A-Za-z0-9_.+-]*)(?=[/:; \t\n&|<>()]|\Z)")
_ASSIGNS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]\s]*\])?\+?=")


def read_word(cursor: Cursor, *, value: bool = False) -> Word:
    """The word at the cursor; empty parts if none stands there. `value`: what follows `name=`."""
    start = cursor.position
    bare = _BARE_WORD.match(cursor.text, start)
    if bare:
        cursor.position = bare.end()
        span = cursor.span(start)
        return Word((Literal(bare[0], Quoting.NONE, span),), span)
    if value:
        tilde_from = start
    else:
        assigns = _ASSIGNS.match(cursor.text, start)
        tilde_from = assigns.end() if assigns else -1
    parts: list[Part] = []
    while cursor.position < len(cursor.text):
        found = _PLAIN.match(cursor.text, cursor.position)
        if found:
            begin, cursor.position = cursor.position, found.end()
            parts.append(Literal(found[0], Quoting.NONE, cursor.span(begin)))
            continue
        char = cursor.text[cursor.position]
        if char in ENDS_WORD:
            if char not in "<>" or cursor.peek(1) != "(":
                break
            parts.append(_process_substitution(cursor))
        elif char == "~":
            parts.append(_tilde(cursor, start, tilde_from))
        else:
            _read_special(cursor, char, parts)
    if any(isinstance(p, Literal) and p.quoting == Quoting.NONE and "{" in p.value for p in parts):
        parts = braces.find(parts, cursor)
    return Word(tuple(parts), cursor.span(start))


def read_braced(cursor: Cursor, *, quoted: bool) -> tuple[Part, ...]:
    """What stands between a `${name` operator and its `}`, which is left unread."""
    run = _IN_QUOTED_BRACES if quoted else _IN_BRACES
    parts: list[Part] = []
    while cursor.position < len(cursor.text):
        found = run.match(cursor.text, cursor.position)
        if found:
            begin, cursor.position = cursor.position, found.end()
            parts.append(Literal(found[0], Quoting.NONE, cursor.span(begin)))
            continue
        if cursor.peek() == "}":
            return tuple(parts)
        if quoted and cursor.peek() == "\\":
            parts.append(_escape_in_double(cursor, '$`"\\\n}'))
        else:
            _read_special(cursor, cursor.peek(), parts)
    raise cursor.stuck("unfinished ${")


def read_regex(cursor: Cursor) -> Word:
    """The right side of `=~`: parentheses and `|` belong to it."""
    start, depth = cursor.position, 0
    parts: list[Part] = []
    while cursor.position < len(cursor.text):
        char = cursor.peek()
        found = _IN_REGEX.match(cursor.text, cursor.position)
        begin = cursor.position
        if found:
            cursor.position = found.end()
        elif char in "()" or (char in " \t" and depth):
            if char == ")" and not depth:
                break
            depth += {"(": 1, ")": -1}.get(char, 0)
            cursor.position += 1
        elif char in " \t\n":
            break
        else:
            _read_special(cursor, char, parts)
            continue
        parts.append(
            Literal(cursor.text[begin : cursor.position], Quoting.NONE, cursor.span(begin))
        )
    return Word(tuple(parts), cursor.span(start))


def read_double_quoted(cursor: Cursor, kind: Quoting, parts: list[Part]) -> None:
    """From the opening `"` (at the cursor) through the closing one."""
    start = cursor.position
    cursor.position += 1
    before = len(parts)
    while cursor.position < len(cursor.text):
        found = _IN_DOUBLE.match(cursor.text, cursor.position)
        if found:
            begin, cursor.position = cursor.position, found.end()
            parts.append(Literal(found[0], kind, cursor.span(begin)))
            continue
        char = cursor.peek()
        if char == '"':
            cursor.position += 1
            if len(parts) == before:
                parts.append(Literal("", kind, cursor.span(start)))
            return
        if char == "\\":
            parts.append(_escape_in_double(cursor, '$`"\\\n'))
        else:
            parts.append(expansions.read_expansion(cursor, quoted=True))
    raise cursor.stuck('unfinished "', start)


def read_heredoc_text(cursor: Cursor) -> tuple[Part, ...]:
    """The whole text of an unquoted here-document: like double quotes, but `"` is itself."""
    parts: list[Part] = []
    while cursor.position < len(cursor.text):
        begin = cursor.position
        found = _IN_HEREDOC.match(cursor.text, begin)
        if found:
            cursor.position = found.end()
            parts.append(Literal(found[0], Quoting.DOUBLE, cursor.span(begin)))
        elif cursor.peek() == "\\":
            parts.append(_escape_in_double(cursor, "$`\\\n"))
        else:
            parts.append(expansions.read_expansion(cursor, quoted=True))
    return tuple(parts)


def _escape_in_double(cursor: Cursor, escapable: str) -> Literal:
    """A backslash between double quotes escapes only a few characters, else it stays."""
    begin, following = cursor.position, cursor.peek(1)
    cursor.position = min(begin + 2, len(cursor.text))
    if following and following in escapable:
        value = "" if following == "\n" else following
    else:
        value = "\\" + following
    return Literal(value, Quoting.DOUBLE, cursor.span(begin))


def _read_special(cursor: Cursor, char: str, parts: list[Part]) -> None:
    """One quote, escape, expansion or pattern outside double quotes."""
    begin = cursor.position
    if char == "'":
        end = cursor.text.find("'", begin + 1)
        if end < 0:
            raise cursor.stuck("unfinished '", begin)
        cursor.position = end + 1
        parts.append(Literal(cursor.text[begin + 1 : end], Quoting.SINGLE, cursor.span(begin)))
    elif char == '"':
        read_double_quoted(cursor, Quoting.DOUBLE, parts)
    elif char == "\\":
        _read_escape(cursor, parts)
    elif char == "`" or (char == "$" and cursor.peek(1) not in ("'", '"')):
        parts.append(expansions.read_expansion(cursor, quoted=False))
    elif char == "$" and cursor.peek(1) == "'":
        value = ansi.read(cursor)
        parts.append(Literal(value, Quoting.ANSI, cursor.span(begin)))
    elif char == "$":
        cursor.position += 1
        read_double_quoted(cursor, Quoting.LOCALE, parts)
    else:
        parts.append(_pattern(cursor, char))


def _read_escape(cursor: Cursor, parts: list[Part]) -> None:
    begin, following = cursor.position, cursor.peek(1)
    cursor.position = min(begin + 2, len(cursor.text))
    if following != "\n":  # a backslash before a line end joins the lines
        # A backslash at the very end of the text is kept as itself.
        parts.append(Literal(following or "\\", Quoting.ESCAPED, cursor.span(begin)))


def _tilde(cursor: Cursor, start: int, tilde_from: int) -> Part:
    begin = cursor.position
    opens = begin in (start, tilde_from) or (
        0 <= tilde_from < begin and cursor.text[begin - 1] == ":"
    )
    found = _TILDE.match(cursor.text, begin) if opens else None
    if found:
        cursor.position = found.end()
        return Tilde(found[1], cursor.span(begin))
    cursor.position += 1
    return Literal("~", Quoting.NONE, cursor.span(begin))


def _pattern(cursor: Cursor, char: str) -> Part:
    begin = cursor.position
    if char in "*?+@!" and cursor.peek(1) == "(":
        return _extended_pattern(cursor)
    if char in "*?":
        cursor.position += 1
        return Glob(char, cursor.span(begin))
    found = _BRACKET.match(cursor.text, begin)
    if found:
        cursor.position = found.end()
        return Glob(found[0], cursor.span(begin))
    cursor.position += 1
    # A bracket that closes further on, past quotes or expansions, is still a pattern to the shell.
    if _CLOSES_LATER.match(cursor.text, cursor.position):
        return Glob("[", cursor.span(begin))
    return Literal("[", Quoting.NONE, cursor.span(begin))


def _extended_pattern(cursor: Cursor) -> Glob:
    """`@(a|b)` and its kin, kept as written."""
    begin, depth = cursor.position, 0
    cursor.position += 1
    while cursor.position < len(cursor.text):
        char = cursor.peek()
        if char in "'\"":
            _read_special(cursor, char, [])
            continue
        if char == "`" or cursor.at("$("):
            raise cursor.stuck("a substitution inside an extended pattern is not supported")
        if char == "\n":
            break
        cursor.position += 2 if char == "\\" else 1
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0:
            return Glob(cursor.text[begin : cursor.position], cursor.span(begin))
    raise cursor.stuck("unfinished extended pattern", begin)


def _process_substitution(cursor: Cursor) -> ProcessSubstitution:
    begin, direction = cursor.position, cursor.peek()
    cursor.position += 2
    script = expansions.read_enclosed(cursor)
    return ProcessSubstitution(direction, script, cursor.span(begin))
