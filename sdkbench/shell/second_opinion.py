"""Where our reader and shfmt disagree on what is a command; for `validate`, never per command.

Both were written from the shell's manual by different people: a command that only one of them can
read is a slip in the dataset, or in one of the readers, and someone should look.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.shell.posix.tools import Run, shfmt
from sdkbench.shell.syntax import parse


class Disagreement(NamedTuple):
    """`ours` and `theirs` tell why each can't read it; the one that can has nothing to say."""

    command: str
    ours: str
    theirs: str


def disagreements(commands: Sequence[str], run: Run) -> tuple[Disagreement, ...]:
    """Commands that one side reads and the other doesn't; where shfmt gave no answer, none."""
    found: list[Disagreement] = []
    for command, remarks in zip(commands, shfmt(commands, "bash", run), strict=True):
        problem = parse(command).problem
        if remarks is None or (problem is not None) == bool(remarks):
            continue
        theirs = remarks[0].message if remarks else ""
        found.append(Disagreement(command, problem.message if problem else "", theirs))
    return tuple(found)
