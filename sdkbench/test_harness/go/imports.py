"""What a stranger's Go source imports, read from its head alone.

Go wants imports before anything else, so nothing after them need be looked at. A parser of the
whole language takes the square of time for sources that are made for that.
"""

import codecs
import json
import re
from collections.abc import Iterator

# A tool beside the code that is never compiled with it. Nothing more than this word, and
# before the package: with others a file may be compiled after all.
GENERATED = re.compile(rb"^//go:build[ \t]+ignore[ \t\r]*$", re.MULTILINE)
PACKAGE = re.compile(rb"^package\b", re.MULTILINE)
TOKEN = re.compile(
    rb'[ \t\r\n]+|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|`[^`]*`|[\w\x80-\xff]+|[.;()]', re.DOTALL
)
BLANK = (b" ", b"\t", b"\r", b"\n", b"//", b"/*")
QUOTES = (b'"', b"`")
# Which systems and settings a file is for; go reads both ways of saying so.
CONSTRAINT = re.compile(rb"^//(?:go:build|[ \t]*\+build)[ \t].*$", re.MULTILINE)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def imports_in(source: bytes) -> dict[str, str]:
    """Import path → the name it is given here, empty where it keeps its own.

    Of a source that is no Go, what stands before it stops being so.
    """
    if is_left_out(source):
        return {}
    words = _words(source.removeprefix(BYTE_ORDER_MARK))
    imports: dict[str, str] = {}
    if next(words, b"") != b"package" or not next(words, b""):
        return imports
    word = next(words, b"")
    while word in {b";", b"import"}:
        if word == b"import":
            grouped = (first := next(words, b"")) == b"("
            while _take(next(words, b"") if grouped else first, words, imports) and grouped:
                pass
        word = next(words, b"")
    return imports


def head_of(source: bytes) -> str:
    """A source with the same constraints, package and imports, and no code."""
    words = _words(source.removeprefix(BYTE_ORDER_MARK))
    name = next(words, b"") == b"package" and next(words, b"")
    if not name:
        return ""
    package = PACKAGE.search(source)
    constraints = CONSTRAINT.findall(source, 0, package.start() if package else 0)
    lines = [line.decode("utf-8", "replace").rstrip() for line in constraints]
    lines += ["", f"package {name.decode('utf-8', 'replace')}", ""]
    imported = {} if is_left_out(source) else imports_in(source)
    lines += [f"import {'_ ' if path != 'C' else ''}{_quoted(path)}" for path in sorted(imported)]
    return "\n".join(lines) + "\n"


def is_left_out(source: bytes) -> bool:
    package = PACKAGE.search(source)
    return GENERATED.search(source, 0, package.start() if package else 0) is not None


def _take(word: bytes, words: Iterator[bytes], imports: dict[str, str]) -> bool:
    """One import, from its first word on; False at the end of a group, or of the source."""
    if word == b";":
        return True
    name = b"" if word.startswith(QUOTES) else word
    path = next(words, b"") if name and name != b")" else word
    if not path.startswith(QUOTES):
        return False
    imports[_unquoted(path)] = name.decode("utf-8", "replace")
    return True


def _quoted(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)  # Go reads what JSON escapes


def _unquoted(text: bytes) -> str:
    """A path may be written with escapes: it is the same path."""
    inner = text[1:-1]
    if text.startswith(b'"') and b"\\" in inner:
        try:
            return codecs.decode(inner, "unicode_escape")
        except UnicodeDecodeError:
            pass
    return inner.decode("utf-8", "replace")


def _words(source: bytes) -> Iterator[bytes]:
    """Up to the first that does not belong into a head."""
    place = 0
    while match := TOKEN.match(source, place):
        place = match.end()
        if not match[0].startswith(BLANK):
            yield match[0]
