"""Lists, pipelines, simple commands, their redirections and here-documents."""

import re

from sdkbench.shell.reader import compounds, tree, words
from sdkbench.shell.reader.cursor import Cursor

# A comment begins only where a word could: every user of this stands between words.
_GAP = re.compile(r"(?:[ \t]|\\\n|#[^\n]*)+")
_KEYWORD = re.compile(
    r"(?:if|then|elif|else|fi|do|done|case|esac|while|until|for|select|function|time|coproc"
    r"|in|\[\[|\]\]|\{|\}|!)(?=[ \t\n;&|<>()]|\Z)"
)
_BEGINS_GAP = frozenset(" \t\\#")
_BEGINS_KEYWORD = frozenset("itefdcwus[]{}!")
_CLOSERS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}", "in", "]]"})
_TIME_OPTION = re.compile(r"-p(?=[ \t\n;]|\Z)")
_EMPTY_PARENTHESES = re.compile(r"\([ \t]*\)")
# What begins a compound command, and so tells a coprocess's name from its command.
_COMPOUNDS = frozenset({"{", "[[", "if", "for", "while", "until", "case", "select"})
_REDIRECT = re.compile(
    r"(\d+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-|<<|<&|<>|>>|>&|>\||[<>](?!\()|(?<!\d)&>>|(?<!\d)&>)"
)
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[([^\]\s$`]*)\])?(\+?)=")
_REDIRECT_SIGNS = frozenset("<>&{")  # a redirection begins with one of these or a digit
_ENDS_SCRIPT = frozenset({"", ")"})
_ENDS_SIMPLE = frozenset({"", "\n", ";", "|", ")", "#"})
_DECLARES = frozenset({
    "declare", "typeset", "local", "export", "readonly", "alias", "eval", "let",
})  # fmt: skip
_DECLARED_ARRAY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=(?=\()")


def read_script(cursor: Cursor, until: frozenset[str]) -> tree.Script:
    """Statements up to the end, a `)`, a `;;`, or a closing word of `until`, which stays unread."""
    start = cursor.position
    statements: list[tree.Statement] = []
    while True:
        skip_lines(cursor)
        sign = cursor.peek()
        if sign in _ENDS_SCRIPT or (sign == ";" and (cursor.at(";;") or cursor.at(";&"))):
            break
        word = peek_keyword(cursor)
        if word in until:
            break
        if word in _CLOSERS:
            raise cursor.stuck(f"unexpected {word}")
        begin = cursor.position
        body = _and_or(cursor)
        _skip_gap(cursor)
        background = None if _is_closed(cursor, body) else _separator(cursor)
        statements.append(tree.Statement(body, background is True, cursor.span(begin)))
        if background is None:
            break
    if cursor.awaited and cursor.at_end:
        read_awaited(cursor)
    return tree.Script(tuple(statements), cursor.span(start))


def _is_closed(cursor: Cursor, body: tree.Body) -> bool:
    """`{ while a; do b; done }`: a closing word needs no separator after a compound command."""
    if peek_keyword(cursor) not in _CLOSERS:
        return False
    last: tree.Body = body
    while not isinstance(last, tree.SimpleCommand):
        match last:
            case tree.AndOr():
                last = last.parts[-1]
            case tree.Pipeline():
                last = last.commands[-1]
            case tree.Function() | tree.Coproc():
                last = last.body
            case _:
                return not last.redirects
    return False


def skip_lines(cursor: Cursor) -> None:
    """Past blanks, comments and line ends; here-documents begin after a line end."""
    while True:
        _skip_gap(cursor)
        if cursor.peek() != "\n":
            return
        _end_line(cursor)


def _skip_gap(cursor: Cursor) -> None:
    if cursor.peek() in _BEGINS_GAP:
        cursor.take(_GAP)


def peek_keyword(cursor: Cursor) -> str | None:
    # A look at the first character costs a fraction of a match, and mostly there is none.
    if cursor.peek() not in _BEGINS_KEYWORD:
        return None
    keyword = cursor.looking_at(_KEYWORD)
    return keyword[0] if keyword else None


def read_redirects(cursor: Cursor) -> tuple[tree.Redirect, ...]:
    """The redirections that follow a compound command."""
    redirects: list[tree.Redirect] = []
    while True:
        cursor.skip_blanks()
        redirect = _redirect(cursor)
        if redirect is None:
            return tuple(redirects)
        redirects.append(redirect)


def read_command(cursor: Cursor) -> tree.Command:
    keyword = peek_keyword(cursor)
    if keyword in _CLOSERS or keyword == "!":
        raise cursor.stuck(f"unexpected {keyword}")
    if keyword == "coproc":
        return _coproc(cursor)
    if keyword is not None and keyword != "time":
        return compounds.read_compound(cursor, keyword)
    if cursor.peek() == "(":
        return compounds.read_parenthesis(cursor)
    return _simple(cursor)


def _end_line(cursor: Cursor) -> None:
    cursor.position += 1
    if cursor.awaited:
        read_awaited(cursor)


def _separator(cursor: Cursor) -> bool | None:
    """True after `&`, False after `;` or a line end, None where no statement can follow."""
    char = cursor.peek()
    if char in _ENDS_SCRIPT:
        return None
    if char == "\n":
        _end_line(cursor)
        return False
    if cursor.at(";;") or cursor.at(";&"):
        return None
    if char in (";", "&") and not cursor.at("&&"):
        cursor.position += 1
        _skip_gap(cursor)
        if cursor.peek() in (";", "&", "|") and not cursor.at(";;") and not cursor.at("&>"):
            raise cursor.stuck(f"unexpected {cursor.peek()}")
        return char == "&"
    raise cursor.stuck("unexpected token")


def _and_or(cursor: Cursor) -> tree.Body:
    start = cursor.position
    parts = [_pipeline(cursor)]
    operators: list[str] = []
    while True:
        _skip_gap(cursor)
        operator = cursor.text[cursor.position : cursor.position + 2]
        if operator not in ("&&", "||"):
            break
        cursor.position += 2
        skip_lines(cursor)
        operators.append(operator)
        parts.append(_pipeline(cursor))
    if not operators:
        return parts[0]
    return tree.AndOr(tuple(parts), tuple(operators), cursor.span(start))


def _pipeline(cursor: Cursor) -> tree.Pipeline | tree.Command:
    start = cursor.position
    negated, timed = False, ""
    while (keyword := peek_keyword(cursor)) in ("!", "time"):
        cursor.position += len(keyword or "")
        cursor.skip_blanks()
        negated ^= keyword == "!"
        if keyword == "time":
            timed = "time"
            if cursor.take(_TIME_OPTION):
                timed = "time -p"
                cursor.skip_blanks()
    bare = (negated or timed != "") and cursor.peek() in ("", "\n", ";")
    commands = [_nothing(cursor) if bare else read_command(cursor)]
    while True:
        _skip_gap(cursor)
        if cursor.peek() != "|" or cursor.at("||"):
            break
        both = cursor.at("|&")
        cursor.position += 2 if both else 1
        if both:
            commands[-1] = _with_stderr(commands[-1], cursor)
        skip_lines(cursor)
        commands.append(read_command(cursor))
    if len(commands) == 1 and not negated and not timed:
        return commands[0]
    return tree.Pipeline(tuple(commands), negated, timed, cursor.span(start))


def _nothing(cursor: Cursor) -> tree.Command:
    return tree.SimpleCommand((), (), (), cursor.span(cursor.position))


def _with_stderr(command: tree.Command, cursor: Cursor) -> tree.Command:
    """`a |& b` means `a 2>&1 | b`, after a's own redirections."""
    span = cursor.span(cursor.position - 2)
    one = tree.Word((tree.Literal("1", tree.Quoting.NONE, span),), span)
    added = tree.Redirect("2", ">&", one, None, span)
    return compounds.with_redirect(command, added)


def _simple(cursor: Cursor) -> tree.Command:
    start = cursor.position
    assignments: list[tree.Assignment] = []
    arguments: list[tree.Word] = []
    redirects: list[tree.Redirect] = []
    declares = False
    end = start
    while True:
        # Most arguments are such words; the first one may be an assignment or a declaration.
        if (
            arguments
            and not declares
            and (bare := words.NEXT_BARE.match(cursor.text, cursor.position))
        ):
            cursor.position = bare.end()
            literal = cursor.literal(bare.start(1), tree.Quoting.NONE)
            arguments.append(tree.Word((literal,), literal.span))
            end = cursor.position
            continue
        cursor.skip_blanks()
        sign = cursor.peek()
        if sign in _ENDS_SIMPLE:
            break
        redirect = _redirect(cursor) if sign in _REDIRECT_SIGNS or sign.isdecimal() else None
        if redirect:
            redirects.append(redirect)
        elif sign == "&":
            break
        elif sign == "(":
            return _function(cursor, arguments, start)
        elif not arguments and (target := cursor.take(_ASSIGNMENT)):
            assignments.append(_assignment(cursor, target))
        else:
            arguments.append(_argument(cursor, declares=declares))
            declares = declares or (len(arguments) == 1 and arguments[0].constant in _DECLARES)
        end = cursor.position
    if not (assignments or arguments or redirects):
        raise cursor.stuck(f"unexpected {cursor.peek() or 'end'}".replace("\n", "line end"))
    span = tree.Span(cursor.original(start), cursor.original(end))
    return tree.SimpleCommand(tuple(assignments), tuple(arguments), tuple(redirects), span)


def _argument(cursor: Cursor, *, declares: bool) -> tree.Word:
    begin = cursor.position
    if declares and cursor.take(_DECLARED_ARRAY):
        name = cursor.literal(begin, tree.Quoting.NONE)
        return tree.Word((name, *_array(cursor).parts), cursor.span(begin))
    word = words.read_word(cursor)
    if cursor.position == begin:
        raise cursor.stuck(f"unexpected {cursor.peek()}")
    return word


def _assignment(cursor: Cursor, target: re.Match[str]) -> tree.Assignment:
    value = _array(cursor) if cursor.peek() == "(" else words.read_word(cursor, value=True)
    return tree.Assignment(
        target[1], target[2], target[3] == "+", value, cursor.span(target.start())
    )


def _array(cursor: Cursor) -> tree.Word:
    begin = cursor.position
    cursor.position += 1
    items: list[tree.Word] = []
    while True:
        skip_lines(cursor)
        if cursor.peek() == ")":
            cursor.position += 1
            span = cursor.span(begin)
            return tree.Word((tree.ArrayLiteral(tuple(items), span),), span)
        before = cursor.position
        items.append(words.read_word(cursor))
        if cursor.position == before:
            raise cursor.stuck("unfinished array", begin)


def _function(cursor: Cursor, arguments: list[tree.Word], start: int) -> tree.Function:
    """`name () compound`: any other parenthesis after a word is an error.

    The name is the word as written: only running it shows that it is no name.
    """
    name = cursor.text[start : cursor.position].rstrip() if len(arguments) == 1 else ""
    if not name or not cursor.take(_EMPTY_PARENTHESES):
        raise cursor.stuck("unexpected (")
    return read_function_body(cursor, name, start, keyword=False)


def read_function_body(cursor: Cursor, name: str, start: int, *, keyword: bool) -> tree.Function:
    skip_lines(cursor)
    if cursor.peek() != "(" and (peek_keyword(cursor) in (None, "!", "time", "coproc", "function")):
        raise cursor.stuck("a function needs a compound command as its body")
    cursor.enter()
    body = read_command(cursor)
    cursor.leave()
    return tree.Function(name, body, keyword, cursor.span(start))


def _coproc(cursor: Cursor) -> tree.Coproc:
    start = cursor.position
    cursor.position += len("coproc")
    cursor.skip_blanks()
    name = _coproc_name(cursor)
    cursor.enter()
    body = read_command(cursor)
    cursor.leave()
    return tree.Coproc(name or "COPROC", body, cursor.span(start))


def _coproc_name(cursor: Cursor) -> str:
    """Any word before a compound command, as written; only running it shows that it is no name."""
    begin = cursor.position
    if peek_keyword(cursor) is None and words.read_word(cursor).parts:
        name = cursor.text[begin : cursor.position]
        cursor.skip_blanks()
        if cursor.peek() == "(" or peek_keyword(cursor) in _COMPOUNDS:
            return name
    cursor.position = begin
    return ""


def _redirect(cursor: Cursor) -> tree.Redirect | None:
    begin = cursor.position
    redirect = cursor.looking_at(_REDIRECT)
    if not redirect or (redirect[1] and redirect[2].startswith("&")):
        return None
    cursor.position = redirect.end()
    cursor.skip_blanks()
    descriptor, operator = redirect[1] or "", redirect[2]
    if operator in ("<<", "<<-"):
        target, heredoc = announce(cursor, strip_tabs=operator == "<<-")
        return tree.Redirect(descriptor, operator, target, heredoc, cursor.span(begin))
    target = words.read_word(cursor)
    if not target.parts or cursor.text[redirect.end()] == "#":
        raise cursor.stuck(f"nothing follows {operator}")
    return tree.Redirect(descriptor, operator, target, None, cursor.span(begin))


def announce(cursor: Cursor, *, strip_tabs: bool) -> tuple[tree.Word, tree.Heredoc]:
    """The delimiter after `<<`; the body is filled in by `read_awaited`."""
    target = words.read_word(cursor)
    if not target.parts:
        raise cursor.stuck("nothing follows <<")
    delimiter = target.constant
    if delimiter is None:
        delimiter = cursor.text[
            cursor.position - (target.span.end - target.span.start) : cursor.position
        ]
    heredoc = tree.Heredoc(delimiter, target.quoted, strip_tabs, (), target.span)
    cursor.awaited.append(heredoc)
    return target, heredoc


def read_awaited(cursor: Cursor) -> None:
    """The bodies of every announced document, from the start of a line."""
    awaited, cursor.awaited = cursor.awaited, []
    for heredoc in awaited:
        start = cursor.position
        body = _body(cursor, heredoc)
        heredoc.parts = _parts(cursor, heredoc, body, start)
        heredoc.span = cursor.span(start)


def _body(cursor: Cursor, heredoc: tree.Heredoc) -> str:
    lines: list[str] = []
    while not cursor.at_end:
        end = cursor.text.find("\n", cursor.position)
        end = len(cursor.text) if end < 0 else end
        line = cursor.text[cursor.position : end]
        cursor.position = min(end + 1, len(cursor.text))
        if heredoc.strip_tabs:
            line = line.lstrip("\t")
        if line == heredoc.delimiter:
            break
        lines.append(line + "\n")
    return "".join(lines)


def _parts(cursor: Cursor, heredoc: tree.Heredoc, body: str, start: int) -> tuple[tree.Part, ...]:
    if heredoc.quoted or not body:
        return (
            (tree.Literal(body, tree.Quoting.SINGLE, tree.Span(start, start + len(body))),)
            if body
            else ()
        )
    # Tabs taken off move later text to the left, so positions inside are those of the start.
    offsets = [cursor.original(min(start + i, len(cursor.text))) for i in range(len(body) + 1)]
    inner = Cursor(body, cursor.read_script, depth=cursor.depth, offsets=offsets)
    inner.enter()
    return words.read_heredoc_text(inner)
