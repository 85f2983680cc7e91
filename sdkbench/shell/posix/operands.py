"""Utilities whose operands are a little language: find, test, dd, kill."""

import re
from collections.abc import Iterator, Sequence

from sdkbench.shell.posix.report import PosixFinding
from sdkbench.shell.posix.table import Table
from sdkbench.shell.posix.texts import UNKNOWN, Argument

# POSIX counts blocks of 512 bytes, or bytes with `c`; `k`, `M`, `G` are others'.
FIND_SIZE = re.compile(r"^[+-]?\d+c?$")
FIND_TYPE = re.compile(r"^[bcdlpfs]$")
DD_SIZE = re.compile(r"^(\d+[kb]?)(x\d+[kb]?)*$")
SIGNAL = re.compile(r"^-(\d+|(?!SIG)[A-Z][A-Z0-9]*)$")
TEST_OPERATOR = re.compile(r"^(-[A-Za-z]{1,2}|==|=~|<|>)$")


def judge_operands(
    name: str, head: Argument, words: Sequence[Argument], known: Table
) -> Iterator[PosixFinding]:
    match name:
        case "find":
            yield from _find(head, words, known)
        case "dd":
            yield from _dd(words, known)
        case "kill":
            yield from _kill(words)
        case _:
            yield from _test(words, known)


def _find(head: Argument, words: Sequence[Argument], known: Table) -> Iterator[PosixFinding]:
    at = 0
    while at < len(words) and words[at].text in {"-H", "-L"}:
        at += 1
    if at == len(words) or words[at].text.startswith(("-", "(", "!")):
        yield PosixFinding("operand", "find needs a path in POSIX", head.span)
    while at < len(words):
        text = words[at].text
        if text in {"-exec", "-ok"}:
            while at < len(words) and words[at].text not in {";", "+"}:
                at += 1
        elif text in known.find_one:
            at += 1
            if at < len(words):
                yield from _find_argument(text, words[at])
        elif text.startswith("-") and text not in known.find_none:
            yield PosixFinding("option", f"find has no {text} in POSIX", words[at].span)
            at += text in {"-maxdepth", "-mindepth", "-regex", "-iname", "-printf", "-mmin"}
        at += 1


def _find_argument(primary: str, word: Argument) -> Iterator[PosixFinding]:
    shape = {"-size": FIND_SIZE, "-type": FIND_TYPE}.get(primary)
    slash_mode = primary == "-perm" and word.text.startswith("/")
    if slash_mode or (shape and word.fixed and not shape.match(word.text)):
        message = f"find {primary} does not take {word.text} in POSIX"
        yield PosixFinding("operand", message, word.span)


def _dd(words: Sequence[Argument], known: Table) -> Iterator[PosixFinding]:
    for word in words:
        key, equals, value = word.text.partition("=")
        if equals and key not in known.dd_operands:
            yield PosixFinding("operand", f"dd has no {key}= in POSIX", word.span)
        elif key in {"bs", "ibs", "obs", "cbs"} and word.fixed and not DD_SIZE.match(value):
            yield PosixFinding("operand", f"dd does not take {word.text} in POSIX", word.span)


def _kill(words: Sequence[Argument]) -> Iterator[PosixFinding]:
    first = words[0].text if words else ""
    if first.startswith("-") and first not in {"-s", "-l", "--"} and not SIGNAL.match(first):
        if UNKNOWN not in first:
            yield PosixFinding("option", f"kill does not take {first} in POSIX", words[0].span)
    elif first == "-s" and words[1:] and words[1].text.startswith("SIG"):
        message = "kill -s takes a signal's name without SIG in POSIX"
        yield PosixFinding("operand", message, words[1].span)


def _test(words: Sequence[Argument], known: Table) -> Iterator[PosixFinding]:
    for word in words:
        if TEST_OPERATOR.match(word.text) and word.text not in known.test_operators:
            yield PosixFinding("test", f"test has no {word.text} in POSIX", word.span)
