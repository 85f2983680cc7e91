"""Shells and other interpreters: which text is their code."""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.code import run_stream
from sdkbench.shell.safety.inline import judge_inline
from sdkbench.shell.safety.options import read_arguments
from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.sources import file_stream
from sdkbench.shell.safety.values import Stream, Text

SHELLS = frozenset({
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "yash",
    "posh", "pwsh", "xonsh", "nu", "elvish", "bash5", "ksh93",
})  # fmt: skip
INTERPRETERS = {
    "python": "c",
    "perl": "eE",
    "ruby": "e",
    "node": "ep",
    "php": "rR",
    "lua": "e",
    "osascript": "e",
    "Rscript": "e",
    "tclsh": "",
    "gdb": "",
    "irb": "e",
    "julia": "eE",
    "expect": "c",
}
LONG_CODE = frozenset({"--eval", "--print", "--command", "--execute"})
STDIN = frozenset({"-", "/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"})


def shell(call: Call) -> None:
    """`sh -c text`, `sh file`, `sh < file`, `… | sh`."""
    if call.scope.talks_to:
        call.report(
            "reverse-shell", Hazard.REMOTE_SHELL, Severity.CRITICAL,
            "A shell's input and output are tied to a network connection.",
        )  # fmt: skip
    arguments = read_arguments(call.args, "oO", ("rcfile", "init-file"), permute=False)
    for startup in arguments.every("rcfile", "init-file"):
        run_stream(file_stream(startup, call.scope), call.scope, startup.span)
    operands = arguments.operands
    if "c" in arguments.flags or arguments.has("command"):
        if operands:
            _code(call, operands[0], operands[1:2], operands[2:])
        return
    if operands and "s" not in arguments.flags and operands[0].value not in STDIN:
        script = file_stream(operands[0], call.scope)
        _with_positional(call, script, operands[1:], operands[0])
        return
    run_stream(call.stdin, call.scope, call.span)


def _code(call: Call, code: Text, name: tuple[Text, ...], positional: tuple[Text, ...]) -> None:
    """`sh -c code name arguments`."""
    stream = Stream(code.value, code.taints)
    inner = call.scope.child()
    inner.positional = positional or inner.positional
    if name:
        inner.variables["0"] = name
    run_stream(stream, inner, code.span, call.stdin)


def _with_positional(call: Call, script: Stream, positional: tuple[Text, ...], where: Text) -> None:
    inner = call.scope.child()
    inner.positional = positional
    run_stream(script, inner, where.span, call.stdin)


def evaluate(call: Call) -> None:
    """`eval`: the words joined are code."""
    words = [arg for arg in call.args if arg.value != "--"]
    taints = frozenset(taint for word in words for taint in word.taints)
    text = " ".join(word.value for word in words)
    if words:
        run_stream(Stream(text, taints), call.scope, words[0].span, call.stdin)


def source(call: Call) -> None:
    """`. file`: standard input, a substitution or a file written earlier may be the code."""
    if not call.args:
        return
    file = call.args[0]
    stream = call.stdin if file.value in STDIN else file_stream(file, call.scope)
    run_stream(stream, call.scope, file.span)


def deferred(call: Call) -> None:
    """`trap`, `alias`: code that runs later."""
    if call.name == "alias":
        for arg in call.args:
            name, equals, text = arg.value.partition("=")
            if equals:
                call.run_code(arg.saying(text))
                call.scope.aliases[name] = text
    elif call.args:
        words = [arg for arg in call.args if not arg.value.startswith("-")]
        if words:
            call.run_code(words[0])


def scheduled(call: Call) -> None:
    """`at` and `batch` read their job from standard input."""
    run_stream(call.stdin, call.scope, call.span)


def interpreter(call: Call) -> None:
    """`python -c`, `perl -e`, and code on standard input."""
    letters = INTERPRETERS[call.name]
    code = _inline_code(call.args, letters)
    for text in code:
        run_stream(Stream(None, text.taints), call.scope, text.span, shell=False)
        judge_inline(text, call)
    if code:
        return
    operands = [arg for arg in call.args if not arg.value.startswith("-")]
    if any(arg.value.startswith("-m") for arg in call.args):
        return
    if not operands or operands[0].value in STDIN:
        if call.scope.talks_to:
            call.report(
                "reverse-shell", Hazard.REMOTE_SHELL, Severity.CRITICAL,
                "An interpreter's input and output are tied to a network connection.",
            )  # fmt: skip
        stream = call.stdin
    else:
        stream = file_stream(operands[0], call.scope)
    run_stream(stream, call.scope, call.span, shell=False)
    if stream.text:
        judge_inline(Text(stream.text, call.span), call)


def awk(call: Call) -> None:
    """The program is the first operand; it may call a shell."""
    arguments = read_arguments(
        call.args, "Fvfie", ("assign", "field-separator", "file", "source"), permute=False
    )
    files = arguments.every("f", "file")
    for text in arguments.every("e", "source") or ([] if files else list(arguments.operands[:1])):
        judge_inline(text, call)


def _inline_code(args: tuple[Text, ...], letters: str) -> list[Text]:
    """The arguments of the options that carry code; `perl -ne`, `-le` and their like too."""
    cluster = re.compile(rf"-[A-Za-z0-9]*?[{letters}](?P<code>.*)", re.DOTALL) if letters else None
    found = []
    for at, arg in enumerate(args):
        name, equals, value = arg.value.partition("=")
        match = cluster.fullmatch(arg.value) if cluster else None
        if match and match["code"]:
            found.append(arg.saying(match["code"]))
        elif name in LONG_CODE and equals:
            found.append(arg.saying(value))
        elif (match or name in LONG_CODE) and at + 1 < len(args):
            found.append(args[at + 1])
    return found
