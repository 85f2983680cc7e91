"""Python source of strangers, parsed without a word on our own terminal."""

import ast
import threading
import warnings

_quiet = threading.Lock()  # the filters of `warnings` belong to the whole process


def parse(source: str | bytes) -> ast.Module:
    """ast.parse; an odd escape in the source is its author's business, not a warning of ours.

    Raises SyntaxError, ValueError, RecursionError or MemoryError for what is no Python.
    """
    with _quiet, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)
