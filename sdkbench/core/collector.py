"""How often a program of ours looks for garbage in cycles."""

import gc

# Containers made and not yet freed; Python's own is 700, which suits programs that keep little.
NEW_OBJECTS = 20_000


def collect_seldom() -> None:
    """For a program that keeps what it makes, as results, and makes next to no cycles.

    What is loaded by now is never looked at again. Judging shell commands takes a seventh less.
    """
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
