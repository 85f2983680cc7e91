"""Builtins that harm nothing themselves but change what later commands mean."""

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.scope import HOME
from sdkbench.shell.safety.values import SOME, UNKNOWN, Text


def change_folder(call: Call) -> None:
    operands = [arg for arg in call.args if not arg.value.startswith("-") or arg.value == "-"]
    scope = call.scope
    if not operands:
        scope.cwd = HOME
        return
    value = operands[0].value
    if value == "-":
        scope.cwd = SOME
    elif value.startswith("/"):
        scope.cwd = value
    elif value:
        folder = value.replace(UNKNOWN, SOME)
        scope.cwd = f"{scope.cwd}/{folder}" if scope.cwd else folder


def read(call: Call) -> None:
    names = [arg.value for arg in call.args if arg.value.isidentifier()] or ["REPLY"]
    line = (call.stdin.text or "").splitlines()
    for name in names:
        value = line[0] if line else UNKNOWN
        call.scope.variables[name] = (Text(value, call.span, call.stdin.taints),)
