"""Exceptions that the tests' side knows, and its own two."""

import builtins

BUILTINS = vars(builtins)  # a class may say that it is one of these
OUTCOMES = "_pytest.outcomes"
EXCEPTIONS: dict[str, type[BaseException]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
} | {"SystemExit": SystemExit}


def fails_a_test(error: BaseException) -> bool:
    """An assertion that failed, or what `pytest.fail` raises. Judged code cannot undo it."""
    kinds = {kind.__name__ for kind in type(error).__mro__ if kind.__module__ == OUTCOMES}
    return isinstance(error, AssertionError | Broken | Undecidable) or bool(kinds)


def name_of_builtin(kind: type) -> str:
    """The nearest builtin class, by what it is: any class may say that it is from there."""
    named = (each.__name__ for each in kind.__mro__ if BUILTINS.get(each.__name__) is each)
    return str(next(named))


class Broken(BaseException):
    """The solution is gone, or does not keep to the protocol. No test can expect this."""

    __module__ = "builtins"  # so that reports show its name alone


class Undecidable(TypeError):
    """What a test asks for would be decided by the solution, or can't be handed to it."""

    __module__ = "builtins"
