"""Here-documents: announced by `<<`, read after the line's end."""

from sdkbench.shell.reader import words
from sdkbench.shell.reader.cursor import Cursor
from sdkbench.shell.reader.tree import Heredoc, Literal, Part, Quoting, Span, Word


def announce(cursor: Cursor, *, strip_tabs: bool) -> tuple[Word, Heredoc]:
    """The delimiter after `<<`; the body is filled in by `read_awaited`."""
    target = words.read_word(cursor)
    if not target.parts:
        raise cursor.stuck("nothing follows <<")
    delimiter = target.constant
    if delimiter is None:
        delimiter = cursor.text[
            cursor.position - (target.span.end - target.span.start) : cursor.position
        ]
    heredoc = Heredoc(delimiter, target.quoted, strip_tabs, (), target.span)
    cursor.awaited.append(heredoc)
    return target, heredoc


def read_awaited(cursor: Cursor) -> None:
    """The bodies of every announced document, from the start of a line."""
    awaited, cursor.awaited = cursor.awaited, []
    for heredoc in awaited:
        start = cursor.position
        body = _body(cursor, heredoc)
        # The tree is frozen for its readers; a here-document is the one thing whose text comes
        # after the node that holds it, so the reader completes it here, once.
        object.__setattr__(heredoc, "parts", _parts(cursor, heredoc, body, start))
        object.__setattr__(heredoc, "span", cursor.span(start))


def _body(cursor: Cursor, heredoc: Heredoc) -> str:
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


def _parts(cursor: Cursor, heredoc: Heredoc, body: str, start: int) -> tuple[Part, ...]:
    if heredoc.quoted or not body:
        return (Literal(body, Quoting.SINGLE, Span(start, start + len(body))),) if body else ()
    # Tabs taken off move later text to the left, so positions inside are those of the start.
    offsets = [cursor.original(min(start + i, len(cursor.text))) for i in range(len(body) + 1)]
    inner = Cursor(body, cursor.read_script, depth=cursor.depth, offsets=offsets)
    inner.enter()
    return words.read_heredoc_text(inner)
