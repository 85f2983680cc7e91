"""A command line to the program that runs in the end: aliases, functions, wrappers, rules."""

import re
from fnmatch import fnmatchcase
from functools import cache, lru_cache

from sdkbench.shell.reader.tree import Span
from sdkbench.shell.safety import rules  # noqa: F401 - registers the rules
from sdkbench.shell.safety.call import RULES, Call
from sdkbench.shell.safety.interpret import run_command
from sdkbench.shell.safety.outputs import WRITERS, output
from sdkbench.shell.safety.rules.system import judge_assignment
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import ANY, OPAQUE, STAR, Stream, Taint, Text, joined
from sdkbench.shell.utilities import Arguments, Harm, read_arguments
from sdkbench.shell.utilities.table import Utility, families, find_utility, known_utilities

# `sudo nice nohup timeout …`: nobody needs more.
MAX_WRAPPERS = 20

# A function that calls itself is read once more with its new arguments, then left.
MAX_RECURSION = 2

FOLDERS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/")
# GNU's utilities where others have the plain names.
GNU = re.compile(r"^g(rm|dd|cp|mv|find|xargs|shred|chmod|chown|truncate|base64|tar|sed)$")


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
        scope.run_stream(Stream(None, head.taints), head.span)
    if head.value in scope.functions:
        return _function(head.value, args, scope, stdin)
    if head.value in scope.aliases and head.known:
        return _alias(head.value, args, scope, stdin)
    written = scope.file(head.value) if "/" in head.value else None
    if written is not None:
        return scope.run_stream(written, head.span, stdin)
    span = Span(head.span.start, max([field.span.end for field in fields]))
    call = Call(program(head.value), args, stdin, scope, span)
    utility = call.utility
    if _is_wrapper(utility) and not (utility.looks_up and call.has(*utility.looks_up)):
        return _wrapper(call, head)
    if utility.harms or utility.same_harms or utility.subcommands:
        judge_harms(call)
    for look in RULES.get(call.name, ()):
        look(call)
    return output(call)


@lru_cache(maxsize=1024)
def program(value: str) -> str:
    """The program's family name. A wildcard is resolved to a program that we have rules for."""
    if STAR in value or ANY in value:
        value = _matched(value)
    name = value.rstrip("/").rpartition("/")[2]
    if name in _known():
        return name
    family = next((family for pattern, family in families() if pattern.match(name)), None)
    return family or (name[1:] if GNU.match(name) else name)


@cache
def _known() -> dict[str, None]:
    """The programs that the judge knows something of, short names first."""
    utilities = filter(None, map(find_utility, known_utilities()))
    known = {u.name for u in utilities if u.harms or u.same_harms or _is_wrapper(u)}
    return dict.fromkeys(sorted({*RULES, *WRITERS, *known}, key=len))


def _matched(value: str) -> str:
    pattern = value.replace(STAR, "*").replace(ANY, "?")
    if "/" not in pattern:
        return value
    paths = ((name, folder + name) for name in _known() for folder in FOLDERS)
    return next((name for name, path in paths if fnmatchcase(path, pattern)), value)


def _is_wrapper(utility: Utility) -> bool:
    return utility.wraps is not None and not utility.appends


def _function(name: str, args: tuple[Text, ...], scope: Scope, stdin: Stream) -> Stream:
    active = scope.inspection.active
    if active.count(name) >= MAX_RECURSION:
        return OPAQUE
    scope.called.add(name)
    active.append(name)
    outer, scope.positional = scope.positional, args
    stream = run_command(scope.functions[name], scope, stdin)
    scope.positional = outer
    active.pop()
    return stream


def _alias(name: str, args: tuple[Text, ...], scope: Scope, stdin: Stream) -> Stream:
    text = scope.aliases.pop(name)  # an alias is not expanded inside itself
    span = args[0].span if args else Span(0, 0)
    stream = scope.run_text(f"{text} {joined(args)}", scope, span, stdin)
    scope.aliases[name] = text
    return stream


def _wrapper(call: Call, head: Text) -> Stream:
    inspection = call.scope.inspection
    if inspection.wrapped >= MAX_WRAPPERS:
        call.scope.give_up(head.span, f"programs wrapped more than {MAX_WRAPPERS} times")
        return OPAQUE
    inspection.wrapped += 1
    stream = _opened(call, head)
    inspection.wrapped -= 1
    return stream


def _opened(call: Call, head: Text) -> Stream:
    """Judges what the wrapper runs: shell text in an option, or the words behind its own."""
    utility, scope, stdin = call.utility, call.scope, call.stdin
    code = call.arguments.every(*utility.code)
    before, fields = call.arguments.wrapped()
    for text in before if utility.assignments else ():
        variable, _, value = text.value.partition("=")
        judge_assignment(variable, (text.saying(value),), scope, text.span)
    options = {f"-{name}" for name in utility.code}
    late = [n for n, text in enumerate(call.operands[:-1]) if text.value in options]
    if utility.wraps and late and not code:  # `flock file -c 'code'`: behind the operand
        code, fields = [call.operands[late[0] + 1]], []
    stream = OPAQUE
    for text in code:
        stream = scope.run_text(text.value, scope, text.span, stdin)
    opens_shell = call.name in {"sudo", "doas"} and call.has("s", "i", "shell", "login")
    if not fields:
        if call.name == "env":
            return Stream(None, frozenset({Taint.SECRET}))
        opens_shell = opens_shell or bool(utility.wrapped_default)
        return scope.run_stream(stdin, head.span) if opens_shell and not code else stream
    if utility.joined:
        return _joined(call, fields)
    if opens_shell:
        return scope.run_text(joined(fields), scope, fields[0].span, stdin)
    return run_fields(tuple(fields), scope, stdin)


def _joined(call: Call, fields: list[Text]) -> Stream:
    """`watch`, `parallel`, `tmux`: each word may be a whole command, or all of them one."""
    scope, stdin, span = call.scope, call.stdin, fields[0].span
    if call.name == "tmux":
        fields = fields[-1:]
    if call.name == "parallel":
        values = [field.value for field in fields]
        mark = values.index(":::") if ":::" in values else len(values)
        fields = fields[:mark]
        for line in (stdin.text.split("\n") if stdin.text else []) + values[mark + 1 :]:
            text = joined(fields)
            text = text.replace("{}", line) if "{}" in text else f"{text} {line}"
            scope.run_text(text, scope, span, OPAQUE)
        if not fields:
            scope.run_stream(stdin, span)
    if call.name == "hyperfine":
        for field in fields:
            scope.run_text(field.value, scope, field.span, stdin)
        return OPAQUE
    return scope.run_text(joined(fields), scope, span, stdin)


def judge_harms(call: Call) -> None:
    """The first harm that holds counts."""
    utility, arguments = call.utility, call.arguments
    if utility.subcommands and arguments.operands:
        verb, *rest = arguments.operands
        utility = find_utility(f"{call.name} {verb.value}") or utility
        arguments = read_arguments(utility, rest)
    shared = find_utility(utility.same_harms)
    for harm in shared.harms if shared else utility.harms:
        if _holds(harm, arguments, call):
            words = arguments.operands
            rule = harm.rule.format(program=call.name, verb=words[0].value if words else "")
            call.report(harm.finding, rule=rule)
            return


def _holds(harm: Harm, arguments: Arguments[Text], call: Call) -> bool:
    if not all(arguments.has(*group) for group in harm.options):
        return False
    if arguments.has(*harm.without) or (harm.alone and arguments.operands):
        return False
    if harm.verb or harm.operand:
        operands = [text.value.replace(STAR, "*") for text in arguments.operands]
        verbs = " ".join(re.sub(r"\s", "_", operand) for operand in operands)
        if harm.verb and not re.match(rf"(?:{harm.verb})(?=\s|$)", verbs):
            return False
        if harm.operand and not any(re.fullmatch(harm.operand, operand) for operand in operands):
            return False
    for name, pattern in harm.values.items():
        value = arguments.value(name)
        if value is None or not re.match(pattern, value.value):
            return False
    if not harm.words:
        return True
    text = joined(call.args) + (f" {call.stdin.text or ''}" if harm.piped else "")
    return re.search(harm.words, text) is not None
