"""The tree read in the order the shell would: statements, pipes, loops, functions.

Nothing runs: every branch is taken, a loop's body is read for each value that is known.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sdkbench.shell.reader import tree
from sdkbench.shell.safety.expand import (
    expand_parts,
    expand_single,
    expand_words,
    run_substitutions,
)
from sdkbench.shell.safety.places import file_stream
from sdkbench.shell.safety.rules.files import judge_write
from sdkbench.shell.safety.rules.system import judge_assignment
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import (
    EMPTY,
    MAX_VALUE,
    OPAQUE,
    SOME,
    Stream,
    Taint,
    Text,
    bounded,
    names,
)
from sdkbench.shell.syntax import walk

# Each level costs up to a dozen Python frames, and the reader may stand on top of them.
MAX_DEPTH = 32

# Enough to meet each value of a list written by hand.
MAX_ROUNDS = 256
SOCKET = re.compile(r"^/dev/(tcp|udp)/")
NETWORK = frozenset({Taint.NETWORK})
WAITING = names("shell", "waiting")
ENDLESS = names("shell", "endless")


class _Plumbing(NamedTuple):
    stdin: Stream
    outputs: tuple[tuple[Text, bool], ...]  # target, appending
    connected: bool = False  # a socket is among the descriptors


def run_script(script: tree.Script, scope: Scope, stdin: Stream) -> Stream:
    """What the script writes, as far as it is known."""
    return _together([_statement(statement, scope, stdin) for statement in script.statements])


def run_uncalled(scope: Scope) -> None:
    """Functions that nothing called are read once: whoever sources this will call them."""
    for name, body in tuple(scope.functions.items()):
        if name not in scope.called:
            scope.called.add(name)
            run_command(body, scope.child(), OPAQUE)


def _together(streams: Sequence[Stream]) -> Stream:
    if len(streams) == 1:  # most scripts are one command
        only = streams[0]
        if len(only.paths) <= MAX_ROUNDS and len(only.text or "") <= MAX_VALUE:
            return only
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


def _statement(statement: tree.Statement, scope: Scope, stdin: Stream) -> Stream:
    if scope.inspection.steps <= 0:
        scope.give_up(statement.span, "more commands than anyone would write")
        return OPAQUE
    scope.inspection.steps -= 1
    return _body(statement.body, scope, stdin)


def _body(body: tree.Body, scope: Scope, stdin: Stream) -> Stream:
    if isinstance(body, tree.AndOr):
        return _together([_body(part, scope, stdin) for part in body.parts])
    if isinstance(body, tree.Pipeline):
        stream = stdin
        last = len(body.commands) - 1
        for at, command in enumerate(body.commands):
            stream = run_command(command, scope.child() if at < last else scope, stream)
        return stream
    return run_command(body, scope, stdin)


def run_command(command: tree.Command, scope: Scope, stdin: Stream) -> Stream:
    """What the command writes; a function's body too, at a call."""
    inspection = scope.inspection
    if inspection.depth >= MAX_DEPTH:
        scope.give_up(command.span, f"commands nested more than {MAX_DEPTH} deep")
        return OPAQUE
    inspection.depth += 1
    stream = _any_command(command, scope, stdin)
    inspection.depth -= 1
    return stream


def _any_command(command: tree.Command, scope: Scope, stdin: Stream) -> Stream:
    match command:
        case tree.SimpleCommand():
            return _simple(command, scope, stdin)
        case tree.Function():
            scope.functions[command.name] = command.body
            scope.called.discard(command.name)
            look_for_bomb(command, scope)
            return EMPTY
        case tree.Coproc():
            return run_command(command.body, scope, OPAQUE)
        case _:
            plumbing = _plumb(command.redirects, scope, stdin)
            stream = _compound(command, _connected(scope, plumbing), plumbing.stdin)
            return _finish(stream, plumbing, scope)


def _connected(scope: Scope, plumbing: _Plumbing) -> Scope:
    if not plumbing.connected or scope.talks_to:
        return scope
    inner = scope.child()
    inner.talks_to = True
    return inner


def _compound(command: tree.Command, scope: Scope, stdin: Stream) -> Stream:
    match command:
        case tree.Group():
            return run_script(command.body, scope, stdin)
        case tree.Subshell():
            return run_script(command.body, scope.child(), stdin)
        case tree.If():
            scripts = [script for branch in command.branches for script in branch]
            scripts += [command.otherwise] if command.otherwise else []
            return _together([run_script(script, scope, stdin) for script in scripts])
        case tree.For():
            return _for(command, scope, stdin)
        case tree.While():
            look_for_flood(command, scope)
            return _while(command, scope, stdin)
        case tree.CFor():
            return run_script(command.body, scope, stdin)
        case tree.Case():
            expand_single(command.subject, scope)
            return _together([run_script(arm.body, scope, stdin) for arm in command.arms])
        case _:
            _tested(command, scope)
            return EMPTY


def _note_guards(words: tuple[tree.Word, ...], scope: Scope) -> None:
    """After `[ -n "$x" ]` an empty expansion is no longer feared."""
    parts = (part for word in words for part in word.parts)
    scope.guarded.update(part.name for part in parts if isinstance(part, tree.Parameter))


def _tested(command: tree.Command, scope: Scope) -> None:
    """`[[ … ]]` and `(( … ))`: nothing runs but the substitutions inside."""
    if isinstance(command, tree.Condition):
        words = tuple(item for item in command.items if isinstance(item, tree.Word))
        _note_guards(words, scope)
        expand_words(words, scope)
    elif isinstance(command, tree.ArithmeticCommand):
        run_substitutions(command.expression, scope)


def _for(command: tree.For, scope: Scope, stdin: Stream) -> Stream:
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


def _while(command: tree.While, scope: Scope, stdin: Stream) -> Stream:
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


def _reader(condition: tree.Script, scope: Scope, stdin: Stream) -> tuple[list[str], Stream]:
    """The variables of the `read` that drives a loop, and what it reads."""
    for node in walk(condition):
        if isinstance(node, tree.SimpleCommand) and node.words and node.words[0].constant == "read":
            names = [word.constant for word in node.words[1:]]
            known = [name for name in names if name and name.isidentifier()] or ["REPLY"]
            return known, _plumb(node.redirects, scope, stdin).stdin
    return [], stdin


def _simple(command: tree.SimpleCommand, scope: Scope, stdin: Stream) -> Stream:
    if command.words and command.words[0].constant in {"[", "test"}:
        _note_guards(command.words, scope)
    _declare_arrays(command.words, scope)
    fields = expand_words(command.words, scope)
    assigned = [(item, _assignment(item, scope)) for item in command.assignments]
    for item, values in assigned:
        judge_assignment(item.name, values, scope, item.span)
        if not fields:
            _assign(item, values, scope)
    if command.redirects:
        plumbing = _plumb(command.redirects, scope, stdin)
    else:  # as most
        plumbing = _Plumbing(stdin, (), scope.talks_to)
    if not fields:
        return _finish(EMPTY, plumbing, scope)
    connected = _connected(scope, plumbing)
    stream = connected.run_fields(fields, connected, plumbing.stdin)
    return _finish(stream, plumbing, scope)


def _declare_arrays(words: tuple[tree.Word, ...], scope: Scope) -> None:
    """`declare -a name=(…)`: the array is an argument here, but means the same."""
    for word in words:
        if len(word.parts) != 2:  # noqa: PLR2004 - a name and what it holds
            continue
        match word.parts:
            case (tree.Literal(value=name), tree.ArrayLiteral(words=items)) if name.endswith("="):
                scope.variables[name.rstrip("+=")] = expand_words(items, scope)


def _assignment(item: tree.Assignment, scope: Scope) -> tuple[Text, ...]:
    parts = item.value.parts
    if len(parts) == 1 and isinstance(parts[0], tree.ArrayLiteral):
        return expand_words(parts[0].words, scope)
    return (expand_single(item.value, scope),)


def _assign(item: tree.Assignment, values: tuple[Text, ...], scope: Scope) -> None:
    old = scope.variables.get(item.name, ())
    if item.append and item.subscript is None and len(old) == len(values) == 1:
        text = bounded(old[0].value + values[0].value)
        values = (Text(text, item.span, old[0].taints | values[0].taints),)
    elif item.append or item.subscript is not None:
        values = old + values
    scope.variables[item.name] = values


def _plumb(redirects: tuple[tree.Redirect, ...], scope: Scope, stdin: Stream) -> _Plumbing:
    outputs: list[tuple[Text, bool]] = []
    connected = scope.talks_to
    for redirect in redirects:
        if redirect.heredoc is not None:
            body = expand_parts(redirect.heredoc.parts, scope)
            stdin = Stream(body.value, body.taints)
            continue
        target = expand_single(redirect.target, scope)
        socket = bool(SOCKET.match(target.value))
        connected = connected or socket
        if socket:
            scope.sockets.add(redirect.descriptor or "0")
        match redirect.operator:
            case "<<<":
                stdin = Stream(target.value + "\n", target.taints)
            case "<" | "<>":
                stdin = Stream(taints=NETWORK) if socket else file_stream(target, scope)
            case "<&" | ">&" if target.value.rstrip("-").isdigit() or target.value == "-":
                if target.value.rstrip("-") in scope.sockets:
                    connected = True
                    if redirect.operator == "<&":
                        stdin = Stream(taints=NETWORK)
            case "<&":
                continue
            case _:
                # Errors alone hold nothing of ours, but they overwrite a file all the same.
                outputs.append((target, redirect.operator in {">>", "&>>"}))
    return _Plumbing(stdin, tuple(outputs), connected)


def _finish(stream: Stream, plumbing: _Plumbing, scope: Scope) -> Stream:
    """What is left for the next in the pipe once the files have taken theirs."""
    for target, appending in plumbing.outputs:
        if SOCKET.match(target.value):
            if Taint.SECRET in stream.taints:
                scope.report("secret-to-network.written", target.span)
            continue
        judge_write(target, scope, appending=appending, content=stream)
        if target.stream is None:
            scope.wrote(target.value, stream)
    return EMPTY if plumbing.outputs else stream


def look_for_bomb(function: tree.Function, scope: Scope) -> None:
    """A function that calls itself in a pipe or in the background, whatever its name."""
    if any(_multiplies(node, function.name) for node in walk(function.body)):
        scope.report("fork-bomb.function", function.span, name=function.name)


def look_for_flood(loop: tree.While, scope: Scope) -> None:
    """An endless loop that puts work into the background and waits for nothing."""
    if not _endless(loop):
        return
    behind = [
        node for node in walk(loop.body) if isinstance(node, tree.Statement) and node.background
    ]
    hidden = {id(inner) for statement in behind for inner in walk(statement.body)}
    called = {name for node in walk(loop.body) if id(node) not in hidden for name in _name(node)}
    if behind and not called & WAITING:
        scope.report("process-flood", loop.span)


def _multiplies(node: tree.Node, name: str) -> bool:
    if isinstance(node, tree.Pipeline):
        return len(node.commands) > 1 and any(_calls(command, name) for command in node.commands)
    if isinstance(node, tree.Statement) and node.background:
        return _calls(node.body, name)
    return False


def _calls(node: tree.Body | tree.Script, name: str) -> bool:
    return any(name in _name(inner) for inner in walk(node))


def _name(node: tree.Node) -> Iterator[str]:
    if isinstance(node, tree.SimpleCommand) and node.words:
        yield node.words[0].constant or ""


def _endless(loop: tree.While) -> bool:
    statements = loop.condition.statements
    if len(statements) != 1:
        return False
    name = next(_name(statements[0].body), "")
    wanted = {"false", "0"} if loop.until else ENDLESS
    return name in wanted
