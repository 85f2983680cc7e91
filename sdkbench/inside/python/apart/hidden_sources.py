"""Hides the sources of the tests from their own process, once they are loaded.

A file that a solution leaves may be more than data: a view in a database is worked out where it is
looked at, and can read files there. What the tests expect must not be among them.
"""

import linecache
import os
import sys

from ...hidden_proc import allow_only

READ_FILE = 1 << 2
MOST_ENTRIES = 5000


def hide_loaded(workspace: str) -> bool:
    """Whether no program can read the loaded modules below `workspace` any more.

    Reports of failures show lines of them from memory.
    """
    root = os.path.realpath(workspace)
    paths = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    real = {os.path.realpath(path) for path in paths if isinstance(path, str)}
    hidden = {path for path in real if path.startswith(f"{root}{os.sep}")}
    for path in hidden:
        linecache.getlines(path)
    return allow_only(_everything_but(hidden), READ_FILE)


def _everything_but(hidden: set[str]) -> list[str]:
    """Files and folders that together hold all others."""
    parents = {"/"}
    for path in hidden:
        folder = os.path.dirname(path)
        while folder not in parents:
            parents.add(folder)
            folder = os.path.dirname(folder)
    shown = []
    for parent in parents:
        entries = (os.path.join(parent, name) for name in sorted(os.listdir(parent)))
        shown += [path for path in entries if path not in hidden and path not in parents]
    return shown[:MOST_ENTRIES]
