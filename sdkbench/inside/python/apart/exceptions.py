"""Exceptions that the tests' side knows, and its own two."""

import builtins

EXCEPTIONS: dict[str, type[BaseException]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
} | {"SystemExit": SystemExit}


class Broken(BaseException):
    """The solution is gone, or does not keep to the protocol. No test can expect this."""

    __module__ = "builtins"  # so that reports show its name alone


class Undecidable(TypeError):
    """What a test asks for would be decided by the solution, or can't be handed to it."""

    __module__ = "builtins"
