"""Functions and loops that start processes faster than they end."""

from collections.abc import Iterator

from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.syntax import (
    AndOr,
    Command,
    Function,
    Node,
    Pipeline,
    Script,
    SimpleCommand,
    Statement,
    While,
    walk,
)

WAITING = frozenset(
    {"sleep", "wait", "read", "inotifywait", "nc", "socat", "usleep", "select", "jobs"}
)
ENDLESS = frozenset({"true", ":", "/bin/true", "1"})


def look_for_bomb(function: Function, scope: Scope) -> None:
    """A function that calls itself in a pipe or in the background, whatever its name."""
    if any(_multiplies(node, function.name) for node in walk(function.body)):
        scope.report("fork-bomb.function", function.span, name=function.name)


def look_for_flood(loop: While, scope: Scope) -> None:
    """An endless loop that puts work into the background and waits for nothing."""
    if not _endless(loop):
        return
    behind = [node for node in walk(loop.body) if isinstance(node, Statement) and node.background]
    hidden = {id(inner) for statement in behind for inner in walk(statement.body)}
    names = {name for node in walk(loop.body) if id(node) not in hidden for name in _name(node)}
    if behind and not names & WAITING:
        scope.report("process-flood", loop.span)


def _multiplies(node: Node, name: str) -> bool:
    if isinstance(node, Pipeline):
        return (
            sum(_calls(command, name) for command in node.commands) > 0 and len(node.commands) > 1
        )
    if isinstance(node, Statement) and node.background:
        return _calls(node.body, name)
    return False


def _calls(node: AndOr | Pipeline | Command | Script, name: str) -> bool:
    return any(name in _name(inner) for inner in walk(node))


def _name(node: Node) -> Iterator[str]:
    if isinstance(node, SimpleCommand) and node.words:
        yield node.words[0].constant or ""


def _endless(loop: While) -> bool:
    statements = loop.condition.statements
    if len(statements) != 1:
        return False
    name = next(_name(statements[0].body), "")
    wanted = {"false", "0"} if loop.until else ENDLESS
    return name in wanted
