"""echo and printf: text that a command writes out is known."""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.values import EMPTY, Stream

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b",
           "E": "\x1b", "\\": "\\", '"': '"', "'": "'"}  # fmt: skip
ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|0?([0-7]{1,3})|(.))", re.DOTALL)
DIRECTIVE = re.compile(r"%(-?\d*(?:\.\d+)?)([%a-zA-Z])")


def echo(call: Call) -> Stream:
    args = list(call.args)
    escapes, newline = False, True
    while args and re.fullmatch(r"-[neE]+", args[0].value):
        flags = args.pop(0).value
        escapes = escapes or "e" in flags
        newline = newline and "n" not in flags
    text = " ".join(arg.value for arg in args)
    taints = frozenset(taint for arg in args for taint in arg.taints)
    if escapes:
        text = unescape(text)
    return Stream(text + ("\n" if newline else ""), taints)


def printf(call: Call) -> Stream:
    args = list(call.args)
    if args and args[0].value == "-v":
        if len(args) > 2:  # noqa: PLR2004 - name and format
            text = _formatted(args[2].value, [arg.value for arg in args[3:]])
            call.scope.assign(args[1].value, text)
        return EMPTY
    if args and args[0].value == "--":
        args = args[1:]
    if not args:
        return EMPTY
    taints = frozenset(taint for arg in args for taint in arg.taints)
    return Stream(_formatted(args[0].value, [arg.value for arg in args[1:]]), taints)


def _formatted(form: str, values: list[str]) -> str:
    pieces: list[str] = []
    left = list(values)
    for _ in range(max(1, len(values))):

        def fill(found: re.Match[str]) -> str:
            if found[2] == "%":
                return "%"
            value = left.pop(0) if left else ""
            if found[2] == "b":
                return unescape(value)
            if found[2] == "c":
                return value[:1]
            return value

        pieces.append(DIRECTIVE.sub(fill, unescape(form)))
        if not left or not DIRECTIVE.search(form):
            break
    return "".join(pieces)


def unescape(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        if found[1] or found[2]:
            return chr(int(found[1] or found[2], 16))
        if found[3]:
            return chr(int(found[3], 8) % 256)
        return ESCAPES.get(found[4], "\\" + found[4])

    return ESCAPE.sub(one, text) if "\\" in text else text
