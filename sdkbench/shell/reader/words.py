"""Words: quoting, escapes, patterns and tildes become parts."""

import re

from sdkbench.shell.reader import braces, expansions
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
NEXT_BARE = re.compile(r"[ \t]*([A-Za-z0-9_./=:%^-]+)(?=[ \t\n;&|()]|\Z)")  # and blanks before it
_IN_BRACES = re.compile(r"[^$`\"'\\}]+")  # ${name:-here}
_IN_QUOTED_BRACES = re.compile(r"[^$`\"\\}]+")  # "${name:-here}": a single quote is itself
_IN_DOUBLE = re.compile(r"[^\"$`\\]+")
_IN_HEREDOC = re.compile(r"[^$`\\]+")
_IN_REGEX = re.compile(r"[^ \t\n$`\"'\\()]+")  # [[ $name =~ here ]]
_BRACKET = re.compile(r"\[[!^]?\]?(?:\[[:.=][a-z]+[:.=]\]|[^\]\[ \t\n'\"$`\\;&|<>()/])*\]")
# The window bounds the search, as a text may hold thousands of open brackets.
_CLOSES_LATER = re.compile(r"[^ \t\n;&|<>()\]]{0,200}(?:\]|(?<=[^ \t\n]{200}))")
_TILDE = re.compile(r"~([A-Za-z0-9_.+-]*)(?=[/:; \t\n&|<>()]|\Z)")
_ASSIGNS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]\s]*\])?\+?=")
# The escapes of $'…'.
_ANSI_SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r",
    "t": "\t", "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ANSI_BODY = re.compile(r"\$'([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL)
_ANSI_ESCAPE = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.)|(.))",
    re.DOTALL,
)
_LAST_CODE_POINT = 0x10FFFF


def read_word(cursor: Cursor, *, value: bool = False) -> Word:
    """The word at the cursor; empty parts if none stands there. `value`: what follows `name=`."""
    start = cursor.position
    if cursor.take(_BARE_WORD):
        bare = cursor.literal(start, Quoting.NONE)
        return Word((bare,), bare.span)
    if value:
        tilde_from = start
    else:
        assigns = cursor.looking_at(_ASSIGNS)
        tilde_from = assigns.end() if assigns else -1
    parts: list[Part] = []
    while not cursor.at_end:
        begin, char = cursor.position, cursor.text[cursor.position]
        if cursor.take(_PLAIN):
            parts.append(cursor.literal(begin, Quoting.NONE))
        elif char in ENDS_WORD:
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
    while not cursor.at_end:
        begin = cursor.position
        if cursor.take(run):
            parts.append(cursor.literal(begin, Quoting.NONE))
        elif cursor.peek() == "}":
            return tuple(parts)
        elif quoted and cursor.peek() == "\\":
            parts.append(_escape_in_double(cursor, '$`"\\\n}'))
        else:
            _read_special(cursor, cursor.peek(), parts)
    raise cursor.stuck("unfinished ${")


def read_regex(cursor: Cursor) -> Word:
    """The right side of `=~`: parentheses and `|` belong to it."""
    start, depth = cursor.position, 0
    parts: list[Part] = []
    while not cursor.at_end:
        begin, char = cursor.position, cursor.peek()
        if cursor.take(_IN_REGEX):
            pass
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
        parts.append(cursor.literal(begin, Quoting.NONE))
    return Word(tuple(parts), cursor.span(start))


def read_double_quoted(cursor: Cursor, kind: Quoting, parts: list[Part]) -> None:
    """From the opening `"` (at the cursor) through the closing one."""
    start = cursor.position
    cursor.position += 1
    before = len(parts)
    while not cursor.at_end:
        if cursor.peek() == '"':
            cursor.position += 1
            if len(parts) == before:
                parts.append(cursor.literal(start, kind, ""))
            return
        parts.append(_in_double(cursor, _IN_DOUBLE, kind, '$`"\\\n'))
    raise cursor.stuck('unfinished "', start)


def read_heredoc_text(cursor: Cursor) -> tuple[Part, ...]:
    """The whole text of an unquoted here-document: like double quotes, but `"` is itself."""
    parts: list[Part] = []
    while not cursor.at_end:
        parts.append(_in_double(cursor, _IN_HEREDOC, Quoting.DOUBLE, "$`\\\n"))
    return tuple(parts)


def _in_double(cursor: Cursor, run: re.Pattern[str], kind: Quoting, escapable: str) -> Part:
    """What comes next between double quotes: plain text, an escape or an expansion."""
    begin = cursor.position
    if cursor.take(run):
        return cursor.literal(begin, kind)
    if cursor.peek() == "\\":
        return _escape_in_double(cursor, escapable)
    return expansions.read_expansion(cursor, quoted=True)


def _escape_in_double(cursor: Cursor, escapable: str) -> Literal:
    """A backslash between double quotes escapes only a few characters, else it stays."""
    begin, following = cursor.position, cursor.peek(1)
    cursor.position = min(begin + 2, len(cursor.text))
    if not following or following not in escapable:
        return cursor.literal(begin, Quoting.DOUBLE)
    return cursor.literal(begin, Quoting.DOUBLE, "" if following == "\n" else following)


def _read_special(cursor: Cursor, char: str, parts: list[Part]) -> None:
    """One quote, escape, expansion or pattern outside double quotes."""
    begin = cursor.position
    if char == "'":
        end = cursor.text.find("'", begin + 1)
        if end < 0:
            raise cursor.stuck("unfinished '", begin)
        cursor.position = end + 1
        parts.append(cursor.literal(begin, Quoting.SINGLE, cursor.text[begin + 1 : end]))
    elif char == '"':
        read_double_quoted(cursor, Quoting.DOUBLE, parts)
    elif char == "\\":
        _read_escape(cursor, parts)
    elif char == "`" or (char == "$" and cursor.peek(1) not in ("'", '"')):
        parts.append(expansions.read_expansion(cursor, quoted=False))
    elif char == "$" and cursor.peek(1) == "'":
        parts.append(_ansi(cursor))
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
        parts.append(cursor.literal(begin, Quoting.ESCAPED, following or "\\"))


def _tilde(cursor: Cursor, start: int, tilde_from: int) -> Part:
    begin = cursor.position
    opens = begin in (start, tilde_from) or (
        0 <= tilde_from < begin and cursor.text[begin - 1] == ":"
    )
    user = cursor.take(_TILDE) if opens else None
    if user:
        return Tilde(user[1], cursor.span(begin))
    cursor.position += 1
    return cursor.literal(begin, Quoting.NONE)


def _pattern(cursor: Cursor, char: str) -> Part:
    begin = cursor.position
    if char in "*?+@!" and cursor.peek(1) == "(":
        return _extended_pattern(cursor)
    if char in "*?":
        cursor.position += 1
        return Glob(char, cursor.span(begin))
    bracket = cursor.take(_BRACKET)
    if bracket:
        return Glob(bracket[0], cursor.span(begin))
    cursor.position += 1
    # A bracket that closes further on, past quotes or expansions, is still a pattern to the shell.
    if cursor.looking_at(_CLOSES_LATER):
        return Glob("[", cursor.span(begin))
    return cursor.literal(begin, Quoting.NONE)


def _extended_pattern(cursor: Cursor) -> Glob:
    """`@(a|b)` and its kin, kept as written."""
    begin, depth = cursor.position, 0
    cursor.position += 1
    while not cursor.at_end:
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


def _ansi(cursor: Cursor) -> Literal:
    """The `$'…'` at the cursor; bytes that are no UTF-8 become lone surrogates."""
    begin = cursor.position
    quoted = cursor.take(_ANSI_BODY)
    if not quoted:
        raise cursor.stuck("unfinished $'")
    pieces: list[bytes] = []
    last = 0
    for escape in _ANSI_ESCAPE.finditer(quoted[1]):
        pieces += (_encode(quoted[1][last : escape.start()]), _ansi_escape(escape))
        last = escape.end()
    if not pieces:
        return cursor.literal(begin, Quoting.ANSI, quoted[1])
    pieces.append(_encode(quoted[1][last:]))
    # The shell keeps such a string only up to its first NUL.
    value = b"".join(pieces).split(b"\0")[0].decode("utf-8", "surrogateescape")
    return cursor.literal(begin, Quoting.ANSI, value)


def _encode(text: str) -> bytes:
    # Lone surrogates in the input are kept as three bytes each, so that none is lost or merged.
    return text.encode("utf-8", "surrogatepass")


def _ansi_escape(escape: re.Match[str]) -> bytes:
    hexadecimal, octal, short, long, control, simple = escape.groups()
    if hexadecimal:
        return bytes([int(hexadecimal, 16)])
    if octal:
        return bytes([int(octal, 8) & 0xFF])
    if short or long:
        point = int(short or long, 16)
        return _encode(chr(point)) if point <= _LAST_CODE_POINT else b""
    if control:
        return bytes([ord(control) & 0x1F])
    return _encode(_ANSI_SIMPLE.get(simple, "\\" + simple))
