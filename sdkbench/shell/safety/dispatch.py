"""A command line to the program that runs in the end: aliases, functions, wrappers, rules."""

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.code import run_stream
from sdkbench.shell.safety.interpret import run_body
from sdkbench.shell.safety.names import program
from sdkbench.shell.safety.outputs import output
from sdkbench.shell.safety.registry import KNOWN, RULES
from sdkbench.shell.safety.rules.traces import judge_assignment
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import OPAQUE, Stream, Taint, Text
from sdkbench.shell.safety.wrappers import WRAPPERS, Unwrapped, unwrap
from sdkbench.shell.syntax import Span

# `sudo nice nohup timeout …`: nobody needs more.
MAX_WRAPPERS = 20

# A function that calls itself is read once more with its new arguments, then left.
MAX_RECURSION = 2


def run_fields(fields: tuple[Text, ...], scope: Scope, stdin: Stream) -> Stream:
    """Judge one command line after expansion; what it writes, as far as it is known."""
    if not fields:
        return OPAQUE
    if scope.inspection.steps <= 0:
        scope.give_up(fields[0].span, "more commands than anyone would write")
        return OPAQUE
    scope.inspection.steps -= 1
    head, args = fields[0], fields[1:]
    if head.taints:
        run_stream(Stream(None, head.taints), scope, head.span)
    if head.value in scope.functions:
        return _function(head.value, args, scope, stdin)
    if head.value in scope.aliases and fields[0].known:
        return _alias(head.value, args, scope, stdin)
    written = scope.file(head.value) if "/" in head.value else None
    if written is not None:
        return run_stream(written, scope, head.span, stdin)
    name = program(head.value, KNOWN)
    if name in WRAPPERS and not _asks_where(name, args):
        return _opened(name, args, head, scope, stdin)
    call = Call(name, args, stdin, scope, _span(fields))
    for rule in RULES.get(name, ()):
        rule(call)
    return output(call)


def _span(fields: tuple[Text, ...]) -> Span:
    return Span(fields[0].span.start, max(field.span.end for field in fields))


def _function(name: str, args: tuple[Text, ...], scope: Scope, stdin: Stream) -> Stream:
    active = scope.inspection.active
    if active.count(name) >= MAX_RECURSION:
        return OPAQUE
    scope.called.add(name)
    active.append(name)
    outer, scope.positional = scope.positional, args
    stream = run_body(scope.functions[name], scope, stdin)
    scope.positional = outer
    active.pop()
    return stream


def _alias(name: str, args: tuple[Text, ...], scope: Scope, stdin: Stream) -> Stream:
    text = scope.aliases.pop(name)  # an alias is not expanded inside itself
    rest = " ".join(arg.value for arg in args)
    span = args[0].span if args else Span(0, 0)
    stream = scope.run_text(f"{text} {rest}", scope, span, stdin)
    scope.aliases[name] = text
    return stream


def _asks_where(name: str, args: tuple[Text, ...]) -> bool:
    """`command -v rm` looks a program up, it does not run it."""
    return name == "command" and bool(args) and args[0].value in {"-v", "-V"}


def _opened(name: str, args: tuple[Text, ...], head: Text, scope: Scope, stdin: Stream) -> Stream:
    inspection = scope.inspection
    if inspection.wrapped >= MAX_WRAPPERS:
        scope.give_up(head.span, f"programs wrapped more than {MAX_WRAPPERS} times")
        return OPAQUE
    inspection.wrapped += 1
    stream = _wrapped(name, args, head, scope, stdin)
    inspection.wrapped -= 1
    return stream


def _wrapped(name: str, args: tuple[Text, ...], head: Text, scope: Scope, stdin: Stream) -> Stream:
    inner = unwrap(WRAPPERS[name], args)
    for text in inner.assignments:
        variable, _, value = text.value.partition("=")
        judge_assignment(variable, (text.saying(value),), scope, text.span)
    stream = OPAQUE
    for text in inner.code:
        stream = scope.run_text(text.value, scope, text.span, stdin)
    if not inner.fields and name == "env":
        return Stream(None, frozenset({Taint.SECRET}))
    if not inner.fields:
        return _shell_on_stdin(name, inner, head, scope, stdin) or stream
    if WRAPPERS[name].joined:
        return _joined(name, inner, scope, stdin)
    if name in {"sudo", "doas"} and inner.flags & {"s", "i", "shell", "login"}:
        joined = " ".join(field.value for field in inner.fields)
        return scope.run_text(joined, scope, inner.fields[0].span, stdin)
    return run_fields(inner.fields, scope, stdin)


def _joined(name: str, inner: Unwrapped, scope: Scope, stdin: Stream) -> Stream:
    """`watch`, `parallel`, `tmux`: each word may be a whole command, or all of them one."""
    fields = inner.fields
    if name == "tmux":
        fields = fields[-1:]
    if name == "parallel":
        fields, given = _split_parallel(fields)
        lines = (stdin.text.split("\n") if stdin.text else []) + given
        for line in lines:
            text = " ".join(field.value for field in fields)
            text = text.replace("{}", line) if "{}" in text else f"{text} {line}"
            scope.run_text(text, scope, inner.fields[0].span, OPAQUE)
        if not fields:
            run_stream(stdin, scope, inner.fields[0].span)
    if name == "hyperfine":
        for field in fields:
            scope.run_text(field.value, scope, field.span, stdin)
        return OPAQUE
    text = " ".join(field.value for field in fields)
    return scope.run_text(text, scope, inner.fields[0].span, stdin)


def _split_parallel(fields: tuple[Text, ...]) -> tuple[tuple[Text, ...], list[str]]:
    values = [field.value for field in fields]
    if ":::" not in values:
        return fields, []
    at = values.index(":::")
    return fields[:at], values[at + 1 :]


def _shell_on_stdin(
    name: str, inner: Unwrapped, head: Text, scope: Scope, stdin: Stream
) -> Stream | None:
    """`… | sudo -s`, `… | su`, `… | parallel`: standard input is code."""
    opens = name in {"su", "parallel"} or bool(inner.flags & {"s", "i", "shell", "login"})
    if opens and not inner.code:
        return run_stream(stdin, scope, head.span)
    return None
