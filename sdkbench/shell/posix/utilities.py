"""The utilities arm: each program and each of its options against the POSIX table."""

import re
from collections.abc import Iterator, Mapping, Sequence

from sdkbench.shell.posix.operands import judge_operands
from sdkbench.shell.posix.report import Edition, PosixFinding
from sdkbench.shell.posix.table import Table, table
from sdkbench.shell.posix.texts import Argument, argument
from sdkbench.shell.syntax import Assignment, Function, SimpleCommand, parse, walk

# Where systems keep the standard utilities: `/bin/ls` is `ls`, `/opt/x/ls` is someone's own.
STANDARD_FOLDER = re.compile(r"^(/usr)?/s?bin/(?=[^/]+$)")
# Built into other shells only; ShellCheck lets these pass.
OTHER_BUILTINS = frozenset({
    "builtin", "caller", "compgen", "complete", "compopt", "disown", "enable", "mapfile",
    "readarray",
})  # fmt: skip
ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
# `chmod -w file`: the minus is the mode's, not an option's.
SYMBOLIC_MODE = re.compile(r"^-[rwxXst]+([,+=-].*)?$")


def judge_utilities(command: str, edition: Edition) -> tuple[PosixFinding, ...]:
    """What POSIX does not define about the programs; empty too where the text can't be parsed."""
    script = parse(command).script
    if script is None:
        return ()
    nodes = tuple(walk(script))
    own = frozenset(node.name for node in nodes if isinstance(node, Function))
    elements = [
        PosixFinding("array", "POSIX has no array elements to assign to", node.span)
        for node in nodes
        if isinstance(node, Assignment) and node.subscript is not None
    ]
    return (
        *elements,
        *(
            finding
            for node in nodes
            if isinstance(node, SimpleCommand)
            for finding in _judge([argument(word) for word in node.words], own, table(edition))
        ),
    )


def _judge(words: Sequence[Argument], own: frozenset[str], known: Table) -> Iterator[PosixFinding]:
    """One command line, and the ones it runs in turn (`env`, `nice`, `xargs` and their like)."""
    while words:
        head, rest = words[0], words[1:]
        name = STANDARD_FOLDER.sub("", head.text)
        if not head.fixed or not name or "/" in name or name in own:
            return
        if name in {"[", "test", "find", "dd", "kill"}:
            yield from judge_operands(name, head, rest, known)
            return
        if name in OTHER_BUILTINS or (name == "printf" and _formats_time(rest)):
            yield PosixFinding("builtin", f"{name} is used as another shell has it", head.span)
            return
        if name not in known.options:
            yield PosixFinding("utility", f"{name} is no POSIX utility", head.span)
            return
        operands, bad = _options(name, rest, known)
        yield from bad
        words = _inner(name, operands) if name in known.runs else ()


def _formats_time(words: Sequence[Argument]) -> bool:
    return bool(words) and "%(" in words[0].text


def _options(
    name: str, words: Sequence[Argument], known: Table
) -> tuple[Sequence[Argument], list[PosixFinding]]:
    """The operands, and a finding for each option that the table does not have."""
    letters = known.options[name]
    bad: list[PosixFinding] = []
    at = 0
    while at < len(words):
        text = words[at].text
        if text == "--":
            return words[at + 1 :], bad
        if not text.startswith("-") or text == "-" or not words[at].option_like:
            break
        if name in {"echo", "expr"} or (name == "chmod" and SYMBOLIC_MODE.match(text)):
            break
        at += 1
        if text.startswith("--"):
            bad.append(_unknown(name, text.partition("=")[0], words[at - 1]))
            continue
        takes_next, strange = _cluster(text, letters)
        if strange:
            bad.append(_unknown(name, f"-{strange}", words[at - 1]))
        at += takes_next
    if name not in known.verbatim:
        bad += _late(name, words[at:])
    return words[at:], bad


def _cluster(text: str, letters: Mapping[str, bool]) -> tuple[bool, str]:
    """Whether the next word is this cluster's argument, and the first letter not in the table."""
    for at, letter in enumerate(text[1:], start=1):
        if letter not in letters:
            return False, letter
        if letters[letter]:
            return at == len(text) - 1, ""
    return False, ""


def _late(name: str, operands: Sequence[Argument]) -> list[PosixFinding]:
    for word in operands:
        if word.text == "--":
            return []
        if word.option_like and re.match(r"--?[A-Za-z]", word.text):
            message = f"{name}: option {word.text} after an operand is an operand in POSIX"
            return [PosixFinding("option", message, word.span)]
    return []


def _inner(name: str, operands: Sequence[Argument]) -> Sequence[Argument]:
    at = 1 if name == "timeout" else 0
    if name == "env":
        while at < len(operands) and ASSIGNMENT.match(operands[at].text):
            at += 1
    return operands[at:]


def _unknown(name: str, option: str, word: Argument) -> PosixFinding:
    return PosixFinding("option", f"{name} has no option {option} in POSIX", word.span)
