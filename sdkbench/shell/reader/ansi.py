"""The escapes of $'…'."""

import re

from sdkbench.shell.reader.cursor import Cursor

_SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r",
    "t": "\t", "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_BODY = re.compile(r"\$'([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL)
_ESCAPE = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.)|(.))",
    re.DOTALL,
)
_LAST_CODE_POINT = 0x10FFFF


def read(cursor: Cursor) -> str:
    """The value of the `$'…'` at the cursor; bytes that are no UTF-8 become lone surrogates."""
    found = _BODY.match(cursor.text, cursor.position)
    if not found:
        raise cursor.stuck("unfinished $'")
    cursor.position = found.end()
    if "\\" not in found[1]:
        return found[1]
    pieces: list[bytes] = []
    last = 0
    for escape in _ESCAPE.finditer(found[1]):
        pieces += (_encode(found[1][last : escape.start()]), _decode(escape))
        last = escape.end()
    pieces.append(_encode(found[1][last:]))
    # The shell keeps such a string only up to its first NUL.
    return b"".join(pieces).split(b"\0")[0].decode("utf-8", "surrogateescape")


def _encode(text: str) -> bytes:
    # Lone surrogates in the input are kept as three bytes each, so that none is lost or merged.
    return text.encode("utf-8", "surrogatepass")


def _decode(escape: re.Match[str]) -> bytes:
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
    return _encode(_SIMPLE.get(simple, "\\" + simple))
