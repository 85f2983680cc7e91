"""The shell's own state and the machine as a whole: variables, processes, accounts, jobs."""

import itertools
import re

from sdkbench.shell.reader.tree import Span
from sdkbench.shell.safety.call import Call, rule
from sdkbench.shell.safety.places import file_stream
from sdkbench.shell.safety.rules.files import CRON_LINE
from sdkbench.shell.safety.scope import HOME, Scope
from sdkbench.shell.safety.values import OPAQUE, SOME, STAR, UNKNOWN, Text, names

COMMAND_VARIABLES = names("shell", "command_variables")
HISTORY_SIZES = names("shell", "history_sizes")


def judge_assignment(name: str, values: tuple[Text, ...], scope: Scope, span: Span) -> None:
    value = values[0].value if values else ""
    if (name in HISTORY_SIZES and value == "0") or (
        name == "HISTFILE" and value in {"", "/dev/null"}
    ):
        scope.report("history-off", span)
    elif name in COMMAND_VARIABLES and values:
        scope.run_text(value, scope.child(), span, OPAQUE)
    elif name == "LD_PRELOAD" and re.match(r"^(/tmp|/dev/shm|\.)", value):
        scope.report("preload", span)


@rule("export declare typeset readonly local")
def declare(call: Call) -> None:
    """Assignments in arguments."""
    for arg in call.args:
        name, equals, value = arg.value.partition("=")
        if equals and name.isidentifier():
            text = arg.saying(value)
            judge_assignment(name, (text,), call.scope, arg.span)
            array = len(call.scope.variables.get(name, ())) > 1  # it is set already
            if not array:
                call.scope.variables[name] = (text,)


@rule("unset")
def unset(call: Call) -> None:
    for arg in call.args:
        if arg.value in {"HISTFILE", "HISTSIZE", "HISTFILESIZE"}:
            call.report("history-off", arg)
        call.scope.variables.pop(arg.value, None)


@rule("set")
def set_options(call: Call) -> None:
    words = [arg.value for arg in call.args]
    for sign, option in itertools.pairwise(words):
        if sign == "+o" and option == "history":
            call.report("history-off")
        if sign == "-o" and option == "nounset":
            call.scope.unset_stops = True
    if words[:1] == ["--"]:
        call.scope.positional = call.args[1:]
    elif words and not words[0].startswith(("-", "+")):
        call.scope.positional = call.args
    elif any(re.match(r"^-[a-z]*u", word) for word in words):
        # An unset variable ends the script before it can expand to nothing.
        call.scope.unset_stops = True


@rule("cd pushd chdir")
def change_folder(call: Call) -> None:
    operands = [arg for arg in call.args if not arg.value.startswith("-") or arg.value == "-"]
    value = operands[0].value if operands else HOME
    scope = call.scope
    if value == "-":
        scope.cwd = SOME
    elif value.startswith("/"):
        scope.cwd = value
    elif value:
        folder = value.replace(UNKNOWN, SOME)
        scope.cwd = f"{scope.cwd}/{folder}" if scope.cwd else folder


@rule("read mapfile readarray")
def read(call: Call) -> None:
    variables = [arg.value for arg in call.args if arg.value.isidentifier()] or ["REPLY"]
    line = (call.stdin.text or "").splitlines()
    value = line[0] if line else UNKNOWN
    for name in variables:
        call.scope.variables[name] = (Text(value, call.span, call.stdin.taints),)


@rule("kill")
def kill(call: Call) -> None:
    """With -1 as the process: everything that can be signalled."""
    words = [arg.value for arg in call.args]
    operands = words
    if words and re.match(r"^-\w", words[0]) and words[0] not in {"-l", "-L"}:
        operands = words[2:] if words[0] in {"-s", "-n", "--signal"} else words[1:]
    operands = [word for word in operands if word != "--"]
    mild = bool(words) and re.search(r"HUP|USR|-1$|-0|CONT", words[0])
    if "-1" in operands:
        call.report("kill-everything.all")
    elif ("1" in operands and not mild) or STAR in operands:
        call.report("kill-everything.first")


@rule("crontab")
def jobs(call: Call) -> None:
    """-r removes every job; a table read from elsewhere is code."""
    if call.has("r"):
        call.report("crontab-removed.all")
    if call.has("l", "e"):
        return
    for file in call.operands:
        if file.value == "/dev/null":
            call.report("crontab-removed.nothing")
        stream = call.stdin if file.value == "-" else file_stream(file, call.scope)
        call.scope.run_stream(stream, file.span, shell=False)
        for line in (stream.text or "").splitlines():
            job = CRON_LINE.match(line)
            if job:
                call.run_code(file.saying(job["job"]))
