"""Histories and logs wiped, and variables that switch recording off."""

import itertools
import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.options import read_arguments
from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import OPAQUE, Text
from sdkbench.shell.syntax import Span

# The shell or a program runs their value.
COMMAND_VARIABLES = frozenset({
    "PROMPT_COMMAND", "PAGER", "EDITOR", "VISUAL", "MANPAGER", "GIT_PAGER", "GIT_SSH_COMMAND",
    "GIT_EDITOR", "LESSOPEN", "PS4", "GIT_ASKPASS",
})  # fmt: skip
SHORT_AGE = re.compile(r"^\d+(s|sec|seconds?|ms|us)$|^0")
SMALL_SIZE = re.compile(r"^\d+[KB]?$")


def judge_assignment(name: str, values: tuple[Text, ...], scope: Scope, span: Span) -> None:
    value = values[0].value if values else ""
    if (name in {"HISTSIZE", "HISTFILESIZE", "SAVEHIST"} and value == "0") or (
        name == "HISTFILE" and value in {"", "/dev/null"}
    ):
        _unrecorded(scope, span)
    elif name in COMMAND_VARIABLES and values:
        scope.run_text(value, scope.child(), span, OPAQUE)
    elif name == "LD_PRELOAD" and re.match(r"^(/tmp|/dev/shm|\.)", value):
        scope.report("preload", Hazard.CODE_FLOW, Severity.MEDIUM, span,
                     "A library from a temporary folder is loaded into the program.")  # fmt: skip


def _unrecorded(scope: Scope, span: Span) -> None:
    scope.report(
        "history-off", Hazard.TRACES, Severity.HIGH, span, "The shell's history is switched off."
    )


def declare(call: Call) -> None:
    """export, declare, readonly, local: assignments in arguments."""
    for arg in call.args:
        name, equals, value = arg.value.partition("=")
        if equals and name.isidentifier():
            text = arg.saying(value)
            judge_assignment(name, (text,), call.scope, arg.span)
            if len(call.scope.variables.get(name, ())) < 2:  # noqa: PLR2004 - an array is set already
                call.scope.variables[name] = (text,)


def unset(call: Call) -> None:
    for arg in call.args:
        if arg.value in {"HISTFILE", "HISTSIZE", "HISTFILESIZE"}:
            _unrecorded(call.scope, arg.span)
        call.scope.variables.pop(arg.value, None)


def history(call: Call) -> None:
    arguments = read_arguments(call.args, "d")
    if arguments.has("c") or (call.name == "fc" and arguments.has("p", "P")):
        call.report("wipe-history", Hazard.TRACES, Severity.HIGH, "The shell's history is wiped.")


def journal(call: Call) -> None:
    arguments = read_arguments(call.args, "unpbo", ("vacuum-time", "vacuum-size", "vacuum-files"))
    age = arguments.value("vacuum-time")
    size = arguments.value("vacuum-size")
    if (age and SHORT_AGE.match(age.value)) or (size and SMALL_SIZE.match(size.value)):
        call.report("wipe-log", Hazard.TRACES, Severity.HIGH, "The journal is emptied.")


def kernel_ring(call: Call) -> None:
    if read_arguments(call.args).has("C", "clear", "c", "read-clear"):
        call.report(
            "wipe-log", Hazard.TRACES, Severity.MEDIUM, "The kernel's messages are cleared."
        )


def audit(call: Call) -> None:
    words = [arg.value for arg in call.args]
    if "-D" in words or words == ["-e", "0"]:
        call.report("wipe-log", Hazard.TRACES, Severity.HIGH, "The audit is switched off.")


def set_options(call: Call) -> None:
    words = [arg.value for arg in call.args]
    for sign, option in itertools.pairwise(words):
        if sign == "+o" and option == "history":
            _unrecorded(call.scope, call.span)
        if sign == "-o" and option == "nounset":
            call.scope.unset_stops = True
    if call.args and call.args[0].value == "--":
        call.scope.positional = call.args[1:]
    elif call.args and not call.args[0].value.startswith(("-", "+")):
        call.scope.positional = call.args
    elif any(re.match(r"^-[a-z]*u", word) for word in words):
        # An unset variable ends the script before it can expand to nothing.
        call.scope.unset_stops = True
