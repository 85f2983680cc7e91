"""Functions and loops that start processes faster than they end."""

from collections.abc import Iterator

from sdkbench.shell.reader import tree
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import names
from sdkbench.shell.syntax import walk

WAITING = names("shell", "waiting")
ENDLESS = names("shell", "endless")


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


def _calls(node: tree.AndOr | tree.Pipeline | tree.Command | tree.Script, name: str) -> bool:
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
