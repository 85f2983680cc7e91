"""The small languages of grep, sed and awk: texts that mean the same, brought to one spelling."""

import re
from typing import NamedTuple

_BRACKET = re.compile(r"\[\^?\]?(?:\[:[a-z]+:\]|[^\]\[])*\]")
_PLAIN = re.compile(r"[A-Za-z0-9_ /:,=@%<>!\"#&'~;-]+\Z")
_LETTERS = re.compile(r"[A-Za-z0-9_ ]+\Z")
# One meaning as a basic and as an extended expression: anchors at the ends, no star in front.
_COMMON = re.compile(r"\^?(?:[^\\^$*+?{}()|\n]\*?)*\$?\Z")


def same_patterns(pattern: str, kind: str) -> list[str] | None:
    """Patterns that mean the same however grep is told to read them (E, F, P, or "").

    A pattern with alternatives becomes one for each. None where the way of reading counts.
    """
    if "\n" in pattern or not pattern:
        return None
    if kind == "F":
        return [pattern] if _PLAIN.match(pattern) else None
    if kind == "P":
        return [pattern] if _LETTERS.match(pattern) else None
    hidden = _BRACKET.sub(lambda bracket: "\0" * len(bracket[0]), pattern)
    separator = "|" if kind == "E" else "\\|"
    if "(" in hidden and separator in hidden:
        return None  # the bars may belong to a group
    parts: list[str] = []
    place = 0
    for piece in hidden.split(separator):
        if not piece or not _COMMON.match(piece):
            return None
        parts.append(pattern[place : place + len(piece)])
        place += len(piece) + len(separator)
    return parts


# sed

_ADDRESS = r"(?:\d+|\$|/[^/\\\n]+/)"
_SIMPLE = re.compile(rf"\s*((?:{_ADDRESS}(?:,{_ADDRESS})?)?)\s*(!?)\s*([dpqnNDPGHhxgl=]|s)")
_FLAGS = re.compile(r"[gpIiMm0-9]*")
_END = re.compile(r"\s*(?:[;\n]|\Z)\s*")


class LineRange(NamedTuple):
    """The lines that a script lets through, of one input: `last` None is the end."""

    first: int
    last: int | None


def sed_commands(script: str) -> str:
    """One simple command a line, `s` with slashes. A script with more in it stays as it is."""
    commands: list[str] = []
    place = 0
    while place < len(script):
        head = _SIMPLE.match(script, place)
        if not head:
            return script
        place = head.end()
        text = f"{head[1]}{head[2]}{head[3]}"
        if head[3] == "s":
            read = _substitution(script, place)
            if read is None:
                return script
            body, place = read
            text += body
        commands.append(text)
        end = _END.match(script, place)
        if not end:
            return script
        place = end.end()
    return "\n".join(commands)


def _substitution(script: str, place: int) -> tuple[str, int] | None:
    """`|old|new|g` with slashes, and where it ends; None where the separator is escaped."""
    mark = script[place : place + 1]
    if not mark or mark in "\\\n" or mark.isalnum():
        return None
    texts: list[str] = []
    place += 1
    for _ in range(2):
        text = re.compile(rf"(?:[^\\\n{re.escape(mark)}]|\\[^\n])*").match(script, place)
        if text is None or script[text.end() : text.end() + 1] != mark:
            return None
        if mark != "/" and (f"\\{mark}" in text[0] or "\\/" in text[0]):
            return None
        plain = text[0].replace("\\/", "/") if mark == "/" else text[0]
        texts.append(plain.replace("/", "\\/"))
        place = text.end() + 1
    flags = _FLAGS.match(script, place)
    written = flags[0] if flags else ""
    given = written.replace("i", "I")
    if given.isalpha():
        given = "".join(sorted(set(given)))
    return f"/{texts[0]}/{texts[1]}/{given}", place + len(written)


def lines_kept(script: str, *, quiet: bool) -> LineRange | None:
    """What `sed` prints of one input, where that is a range of its lines."""
    for pattern, when_quiet, make in _RANGES:
        numbers = pattern.fullmatch(script)
        if numbers and quiet == when_quiet:
            kept = make(*map(int, numbers.groups()))
            ordered = kept.last is None or kept.first <= kept.last
            return kept if kept.first >= 1 and ordered else None
    return None


_RANGES = tuple(
    (re.compile(pattern), quiet, make)
    for pattern, quiet, make in (
        (r"(\d+)p", True, lambda n: LineRange(n, n)),
        (r"(\d+)!d", False, lambda n: LineRange(n, n)),
        (r"(\d+)\{p;?q;?\}", True, lambda n: LineRange(n, n)),
        (r"(\d+),(\d+)p", True, LineRange),
        (r"(\d+),(\d+)!d", False, LineRange),
        (r"(\d+)q", False, lambda n: LineRange(1, n)),
        (r"(\d+),\$d", False, lambda n: LineRange(1, n - 1)),
        (r"(\d+),\$p", True, lambda n: LineRange(n, None)),
        (r"(\d+),\$!d", False, lambda n: LineRange(n, None)),
        (r"1d", False, lambda: LineRange(2, None)),
        (r"1,([1-9]\d*)d", False, lambda n: LineRange(n + 1, None)),
    )
)

# awk

_AWK_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[ \t]+|[{};,]|[^ \t"{};,]+')
_PRINTS_ALL = re.compile(r"(.*?)\{print(?: \$0)?\}\Z")
_SEPARATOR = re.compile(r'BEGIN\{FS ?= ?"([^"\\]+)"\}(?=.)')
# A semicolon after one of these is a statement that does nothing.
_NEEDS_STATEMENT = re.compile(r"(?:\)|\belse|\bdo)\Z")


def awk_program(text: str) -> str:
    """Blanks beside braces, semicolons and commas say nothing, outside strings and expressions."""
    if "\n" in text or "\\" in text or "/" in text:
        return _shortened(text.strip(" ")) if "\n" not in text else text
    tokens = _AWK_TOKEN.findall(text.strip(" \t"))
    if "".join(tokens) != text.strip(" \t"):
        return text  # a string without its end
    kept: list[str] = []
    for token in tokens:
        if token.isspace():
            if not kept or kept[-1] not in "{};,":
                kept.append(" ")
            continue
        if token in "{};," and kept and kept[-1] == " ":
            kept.pop()
        if (
            token == "}"
            and kept[-1:] == [";"]
            and not _NEEDS_STATEMENT.search("".join(kept[-2:-1]))
        ):
            kept.pop()  # nothing comes after it
        kept.append(token)
    tidy = "".join(kept)
    return text if "{}" in tidy else _shortened(tidy)  # find and xargs replace that


def _needs_statement(before: list[str]) -> bool:
    return bool(_NEEDS_STATEMENT.search("".join(before)))


def _shortened(program: str) -> str:
    """`NR==1{print $0}` is `NR==1`, and `1` is `{print}`: of programs with one rule."""
    tidy = re.sub(r"\s*\{\s*print(\s+\$0)?\s*;?\s*\}\Z", "{print}", program)
    rule = _PRINTS_ALL.match(tidy)
    if not rule or re.search(r"[{};]", rule[1]) or rule[1].startswith(("BEGIN", "END", "func")):
        return "{print}" if program == "1" else program
    return rule[1] or "{print}"


def field_separator(program: str) -> tuple[str, str] | None:
    """The separator that a program sets before it reads anything, and the rest of it."""
    match = _SEPARATOR.match(program)
    return (match[1], program[match.end() :]) if match else None
