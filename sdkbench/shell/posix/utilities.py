"""The utilities arm: each program with its options and operands against the table of utilities."""

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from sdkbench.shell.posix.report import Edition, PosixFinding
from sdkbench.shell.reader import tree
from sdkbench.shell.syntax import parse, walk_commands
from sdkbench.shell.utilities import Arguments, Utility, posix_utility, read_arguments
from sdkbench.shell.utilities.table import find_words

# Stands for whatever an expansion gives; no utility's option has this letter.
UNKNOWN = "\N{OBJECT REPLACEMENT CHARACTER}"
# Where systems keep the standard utilities: `/bin/ls` is `ls`, `/opt/x/ls` is someone's own.
STANDARD_FOLDER = re.compile(r"^(/usr)?/s?bin/(?=[^/]+$)")
# Built into other shells only; ShellCheck lets these pass.
OTHER_BUILTINS = frozenset({
    "builtin", "caller", "compgen", "complete", "compopt", "disown", "enable", "mapfile",
    "readarray",
})  # fmt: skip
OPTION = re.compile(r"--?[A-Za-z]")
# `chmod -w file`: the minus is the mode's, not an option's.
SYMBOLIC_MODE = re.compile(r"^-[rwxXst]+([,+=-].*)?$")
# POSIX counts blocks of 512 bytes, or bytes with `c`; `k`, `M`, `G` are others'.
FIND_ARGUMENTS = {
    "size": re.compile(r"^[+-]?\d+c?$"), "type": re.compile(r"^[bcdlpfs]$"),
    "perm": re.compile(r"^[^/]"),
}  # fmt: skip
DD_SIZE = re.compile(r"^(\d+[kb]?)(x\d+[kb]?)*$")
SIGNAL = re.compile(r"^-(\d+|(?!SIG)[A-Z][A-Z0-9]*)$")
TEST_OPERATOR = re.compile(r"^(-[A-Za-z]{1,2}|==|=~|<|>)$")


class PosixWord(NamedTuple):
    """A word as the table sees it: its text as far as it is fixed."""

    text: str
    whole: bool
    span: tree.Span

    @property
    def lead(self) -> str | None:
        return self.text.partition(UNKNOWN)[0] if not self.text.startswith(UNKNOWN) else None

    @property
    def splits(self) -> bool:
        return False

    def after(self, length: int) -> "PosixWord":
        return self._replace(text=self.text[length:])


Words = Sequence[PosixWord]
Findings = Iterator[PosixFinding]


def judge_utilities(command: str, edition: Edition) -> tuple[PosixFinding, ...]:
    """What POSIX does not define about the programs; empty too where the text can't be parsed."""
    script = parse(command).script
    if script is None:
        return ()
    own: set[str] = set()
    lines: list[tuple[tree.Word, ...]] = []
    findings: list[PosixFinding] = []
    for node in walk_commands(script):
        if type(node) is tree.SimpleCommand:
            lines.append(node.words)
        elif type(node) is tree.Function:
            own.add(node.name)
        elif type(node) is tree.Assignment and node.subscript is not None:
            message = "POSIX has no array elements to assign to"
            findings.append(PosixFinding("array", message, node.span))
    newer = edition is Edition.POSIX_2024
    for words in lines:
        findings += _judge([_word(word) for word in words], own, newer=newer)
    return tuple(findings)


def _word(word: tree.Word) -> PosixWord:
    if len(word.parts) == 1 and isinstance(word.parts[0], tree.Literal):
        return PosixWord(word.parts[0].value, whole=True, span=word.span)
    text = ""
    whole = True
    for part in word.parts:
        match part:
            case tree.Literal():
                text += part.value
            case tree.Glob():
                text += part.pattern
            case tree.Tilde():
                text += f"~{part.user}"
            case _:
                text += UNKNOWN
                whole = False
    return PosixWord(text, whole, word.span)


def _judge(words: Words, own: AbstractSet[str], *, newer: bool) -> Findings:
    """One command line, and the ones it runs in turn (`env`, `nice`, `xargs` and their like)."""
    while words:
        head, rest = words[0], words[1:]
        name = STANDARD_FOLDER.sub("", head.text) if "/" in head.text else head.text
        if not head.whole or not name or "/" in name or name in own:
            return
        if name in OPERANDS:
            yield from OPERANDS[name](head, rest, newer)
            return
        if name in OTHER_BUILTINS or (name == "printf" and rest and "%(" in rest[0].text):
            yield PosixFinding("builtin", f"{name} is used as another shell has it", head.span)
            return
        utility = posix_utility(name, newer=newer)
        if utility is None:
            yield PosixFinding("utility", f"{name} is no POSIX utility", head.span)
            return
        if name in {"echo", "expr"}:  # whatever follows is an operand
            return
        read = read_arguments(utility, rest)
        yield from _options(utility, read)
        runs = utility.wraps is not None and not read.has(*utility.looks_up)
        words = read.wrapped()[1] if runs else ()


def _options(utility: Utility, read: Arguments[PosixWord]) -> Findings:
    """The first option of each word that POSIX does not have, and options after operands."""
    seen: set[tree.Span] = set()
    for option, word in read.unknown:
        mode = utility.name == "chmod" and SYMBOLIC_MODE.match(word.text)
        if option and not mode and word.span not in seen:
            seen.add(word.span)
            shown = f"--{option}" if word.text.startswith("--") else f"-{option}"
            yield PosixFinding(
                "option", f"{utility.name} has no option {shown} in POSIX", word.span
            )
    if utility.minus_operands or read.dashes is not None:
        return
    for word in read.operands:
        if word.text == "--":
            return
        if OPTION.match(word.text):
            message = f"{utility.name}: option {word.text} after an operand is an operand in POSIX"
            yield PosixFinding("option", message, word.span)
            return


def _find(head: PosixWord, words: Words, newer: bool) -> Findings:
    known = find_words()
    posix = known.posix | (known.posix_2024 if newer else frozenset())
    at = 0
    while at < len(words) and words[at].text in {"-H", "-L"}:
        at += 1
    if at == len(words) or words[at].text.startswith(("-", "(", "!")):
        yield PosixFinding("operand", "find needs a path in POSIX", head.span)
    while at < len(words):
        word = words[at]
        name = word.text[1:]
        at += 1
        if not word.text.startswith("-"):
            continue
        if name in known.runs:
            while at < len(words) and words[at].text not in {";", "+"}:
                at += 1
        if name not in posix:
            yield PosixFinding("option", f"find has no {word.text} in POSIX", word.span)
        elif at < len(words) and known.arity(name):
            shape = FIND_ARGUMENTS.get(name)
            if shape and words[at].whole and not shape.match(words[at].text):
                message = f"find {word.text} does not take {words[at].text} in POSIX"
                yield PosixFinding("operand", message, words[at].span)
        at += known.arity(name) or 0


def _dd(_: PosixWord, words: Words, newer: bool) -> Findings:
    known = _known_words("dd", newer=newer)
    for word in words:
        key, equals, value = word.text.partition("=")
        if equals and key not in known:
            yield PosixFinding("operand", f"dd has no {key}= in POSIX", word.span)
        elif key in {"bs", "ibs", "obs", "cbs"} and word.whole and not DD_SIZE.match(value):
            yield PosixFinding("operand", f"dd does not take {word.text} in POSIX", word.span)


def _kill(_: PosixWord, words: Words, newer: bool) -> Findings:  # noqa: ARG001 - see OPERANDS
    first = words[0].text if words else ""
    if first.startswith("-") and first not in {"-s", "-l", "--"} and not SIGNAL.match(first):
        if UNKNOWN not in first:
            yield PosixFinding("option", f"kill does not take {first} in POSIX", words[0].span)
    elif first == "-s" and words[1:] and words[1].text.startswith("SIG"):
        message = "kill -s takes a signal's name without SIG in POSIX"
        yield PosixFinding("operand", message, words[1].span)


def _test(_: PosixWord, words: Words, newer: bool) -> Findings:
    known = _known_words("test", newer=newer)
    for word in words:
        if TEST_OPERATOR.match(word.text) and word.text not in known:
            yield PosixFinding("test", f"test has no {word.text} in POSIX", word.span)


def _known_words(name: str, *, newer: bool) -> frozenset[str]:
    utility = posix_utility(name, newer=newer)
    if utility is None:
        return frozenset()
    return utility.posix_words | (utility.posix_words_2024 if newer else frozenset())


# Utilities whose operands are a little language: the name's word, the others, the newer edition.
OPERANDS: dict[str, Callable[[PosixWord, Words, bool], Findings]] = {
    "find": _find, "dd": _dd, "kill": _kill, "test": _test, "[": _test,
}  # fmt: skip
