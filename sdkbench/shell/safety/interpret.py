"""The tree read in the order the shell would: statements, pipes, loops, functions.

Nothing runs: every branch is taken, a loop's body is read for each value that is known.
"""

from collections.abc import Iterable

from sdkbench.shell.safety.bombs import look_for_bomb, look_for_flood
from sdkbench.shell.safety.expand import expand_single, expand_words
from sdkbench.shell.safety.redirect import Plumbing, finish, plumb
from sdkbench.shell.safety.rules.system import judge_assignment
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import EMPTY, OPAQUE, SOME, Stream, Text, bounded
from sdkbench.shell.syntax import (
    AndOr,
    ArithmeticCommand,
    ArrayLiteral,
    Assignment,
    Case,
    CFor,
    Command,
    CommandSubstitution,
    Condition,
    Coproc,
    For,
    Function,
    Group,
    If,
    Literal,
    Parameter,
    Pipeline,
    Script,
    SimpleCommand,
    Statement,
    Subshell,
    While,
    Word,
    walk,
)

# Each level costs up to a dozen Python frames, and the reader may stand on top of them.
MAX_DEPTH = 32

# Enough to meet each value of a list written by hand.
MAX_ROUNDS = 256


def run_script(script: Script, scope: Scope, stdin: Stream) -> Stream:
    """What the script writes, as far as it is known."""
    return _together(_statement(statement, scope, stdin) for statement in script.statements)


def run_uncalled(scope: Scope) -> None:
    """Functions that nothing called are read once: whoever sources this will call them."""
    for name, body in tuple(scope.functions.items()):
        if name not in scope.called:
            scope.called.add(name)
            _command(body, scope.child(), OPAQUE)


def run_body(body: Command, scope: Scope, stdin: Stream) -> Stream:
    """A function's body, at a call."""
    return _command(body, scope, stdin)


def _together(streams: Iterable[Stream]) -> Stream:
    texts: list[str] = []
    known = True
    taints = EMPTY.taints
    paths: tuple[str, ...] = ()
    for stream in streams:
        known = known and stream.text is not None
        texts.append(stream.text or "")
        taints |= stream.taints
        paths += stream.paths
    return Stream(bounded("".join(texts)) if known else None, taints, paths[:MAX_ROUNDS])


def _statement(statement: Statement, scope: Scope, stdin: Stream) -> Stream:
    if scope.inspection.steps <= 0:
        scope.give_up(statement.span, "more commands than anyone would write")
        return OPAQUE
    scope.inspection.steps -= 1
    return _body(statement.body, scope, stdin)


def _body(body: AndOr | Pipeline | Command, scope: Scope, stdin: Stream) -> Stream:
    if isinstance(body, AndOr):
        return _together([_body(part, scope, stdin) for part in body.parts])
    if isinstance(body, Pipeline):
        stream = stdin
        last = len(body.commands) - 1
        for at, command in enumerate(body.commands):
            stream = _command(command, scope.child() if at < last else scope, stream)
        return stream
    return _command(body, scope, stdin)


def _command(command: Command, scope: Scope, stdin: Stream) -> Stream:
    inspection = scope.inspection
    if inspection.depth >= MAX_DEPTH:
        scope.give_up(command.span, f"commands nested more than {MAX_DEPTH} deep")
        return OPAQUE
    inspection.depth += 1
    stream = _any_command(command, scope, stdin)
    inspection.depth -= 1
    return stream


def _any_command(command: Command, scope: Scope, stdin: Stream) -> Stream:
    match command:
        case SimpleCommand():
            return _simple(command, scope, stdin)
        case Function():
            scope.functions[command.name] = command.body
            scope.called.discard(command.name)
            look_for_bomb(command, scope)
            return EMPTY
        case Coproc():
            return _command(command.body, scope, OPAQUE)
        case _:
            plumbing = plumb(command.redirects, scope, stdin)
            stream = _compound(command, _connected(scope, plumbing), plumbing.stdin)
            return finish(stream, plumbing, scope)


def _connected(scope: Scope, plumbing: Plumbing) -> Scope:
    if not plumbing.connected or scope.talks_to:
        return scope
    inner = scope.child()
    inner.talks_to = True
    return inner


def _compound(command: Command, scope: Scope, stdin: Stream) -> Stream:
    match command:
        case Group():
            return run_script(command.body, scope, stdin)
        case Subshell():
            return run_script(command.body, scope.child(), stdin)
        case If():
            scripts = [script for branch in command.branches for script in branch]
            scripts += [command.otherwise] if command.otherwise else []
            return _together([run_script(script, scope, stdin) for script in scripts])
        case For():
            return _for(command, scope, stdin)
        case While():
            look_for_flood(command, scope)
            return _while(command, scope, stdin)
        case CFor():
            return run_script(command.body, scope, stdin)
        case Case():
            expand_single(command.subject, scope)
            return _together([run_script(arm.body, scope, stdin) for arm in command.arms])
        case _:
            _tested(command, scope)
            return EMPTY


def _note_guards(words: tuple[Word, ...], scope: Scope) -> None:
    """After `[ -n "$x" ]` an empty expansion is no longer feared."""
    parts = (part for word in words for part in word.parts)
    scope.guarded.update(part.name for part in parts if isinstance(part, Parameter))


def _tested(command: Command, scope: Scope) -> None:
    """`[[ … ]]` and `(( … ))`: nothing runs but the substitutions inside."""
    if isinstance(command, Condition):
        words = tuple(item for item in command.items if isinstance(item, Word))
        _note_guards(words, scope)
        expand_words(words, scope)
    elif isinstance(command, ArithmeticCommand):
        for node in walk(command.expression):
            if isinstance(node, CommandSubstitution):
                run_script(node.script, scope.child(), EMPTY)


def _for(command: For, scope: Scope, stdin: Stream) -> Stream:
    if command.words is None:
        values = scope.positional or (Text(SOME, command.span),)
    else:
        values = expand_words(command.words, scope)
    if len(values) > MAX_ROUNDS:
        scope.give_up(command.span, f"a loop over more than {MAX_ROUNDS} words")
    streams = []
    for value in values[:MAX_ROUNDS]:
        # An element of a list that is not known is some name: an empty one would make no round.
        scope.variables[command.variable] = (value.saying(value.value or SOME),)
        streams.append(run_script(command.body, scope, stdin))
    return _together(streams)


def _while(command: While, scope: Scope, stdin: Stream) -> Stream:
    names, stdin = _reader(command.condition, scope, stdin)
    if not names:
        condition = run_script(command.condition, scope, stdin)
        return _together([condition, run_script(command.body, scope, stdin)])
    lines = stdin.text.splitlines()[:MAX_ROUNDS] if stdin.text is not None else list(stdin.paths)
    streams = []
    for line in lines or [SOME]:
        for name in names:
            scope.variables[name] = (Text(line.strip(), command.span, stdin.taints),)
        streams.append(run_script(command.body, scope, OPAQUE))
    return _together(streams).with_taints(stdin.taints)


def _reader(condition: Script, scope: Scope, stdin: Stream) -> tuple[list[str], Stream]:
    """The variables of the `read` that drives a loop, and what it reads."""
    for node in walk(condition):
        if isinstance(node, SimpleCommand) and node.words and node.words[0].constant == "read":
            names = [word.constant for word in node.words[1:]]
            known = [name for name in names if name and name.isidentifier()] or ["REPLY"]
            return known, plumb(node.redirects, scope, stdin).stdin
    return [], stdin


def _simple(command: SimpleCommand, scope: Scope, stdin: Stream) -> Stream:
    if command.words and command.words[0].constant in {"[", "test"}:
        _note_guards(command.words, scope)
    _declare_arrays(command.words, scope)
    fields = expand_words(command.words, scope)
    assigned = [(item, _assignment(item, scope)) for item in command.assignments]
    for item, values in assigned:
        judge_assignment(item.name, values, scope, item.span)
        if not fields:
            _assign(item, values, scope)
    plumbing = plumb(command.redirects, scope, stdin)
    if not fields:
        return finish(EMPTY, plumbing, scope)
    connected = _connected(scope, plumbing)
    stream = connected.run_fields(fields, connected, plumbing.stdin)
    return finish(stream, plumbing, scope)


def _declare_arrays(words: tuple[Word, ...], scope: Scope) -> None:
    """`declare -a name=(…)`: the array is an argument here, but means the same."""
    for word in words:
        if len(word.parts) == len(("name=", "(…)")) and isinstance(word.parts[1], ArrayLiteral):
            name = word.parts[0]
            if isinstance(name, Literal) and name.value.endswith("="):
                values = expand_words(word.parts[1].words, scope)
                scope.variables[name.value.rstrip("+=")] = values


def _assignment(item: Assignment, scope: Scope) -> tuple[Text, ...]:
    parts = item.value.parts
    if len(parts) == 1 and isinstance(parts[0], ArrayLiteral):
        return expand_words(parts[0].words, scope)
    return (expand_single(item.value, scope),)


def _assign(item: Assignment, values: tuple[Text, ...], scope: Scope) -> None:
    if item.subscript is not None:
        old = scope.variables.get(item.name, ())
        scope.variables[item.name] = old + values
        return
    if item.append:
        old = scope.variables.get(item.name, ())
        if len(old) == 1 and len(values) == 1:
            text = bounded(old[0].value + values[0].value)
            joined = Text(text, item.span, old[0].taints | values[0].taints)
            scope.variables[item.name] = (joined,)
            return
        values = old + values
    scope.variables[item.name] = values
