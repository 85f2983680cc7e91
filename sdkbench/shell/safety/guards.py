"""Tests that a variable is set: after `[ -n "$x" ]` an empty expansion is no longer feared."""

from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.syntax import Parameter, Word


def note_guards(words: tuple[Word, ...], scope: Scope) -> None:
    for word in words:
        for part in word.parts:
            if isinstance(part, Parameter):
                scope.guarded.add(part.name)
