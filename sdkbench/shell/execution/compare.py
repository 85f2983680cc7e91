"""Two commands on one set of trees: equal, different, or nothing that this could show."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.sandbox import Sandbox
from sdkbench.shell.equivalence import Verdict
from sdkbench.shell.execution.observe import Observation, observe

# On so many trees must the right command succeed and leave a trace before "equal" is said.
MIN_TELLING = 2
# Ages of files count only where they are what a command is about.
ABOUT_AGES = re.compile(r"\btouch\b|\butime|-p\b|--preserve|-a\b")


class Ruling(NamedTuple):
    verdict: Verdict
    message: str
    command: str | None = None  # the right command that it is equal to


def compare_effects(
    right: str,
    answer: str,
    shell: str,
    trees: Sequence[Path],
    sandbox: Sandbox,
    *,
    min_telling: int = MIN_TELLING,
) -> Ruling:
    """Each command runs twice on every tree, in turns.

    In turns, because then a change of the world (a second that passes) which makes the two differ
    also makes one of them differ from itself.
    """
    ages = bool(ABOUT_AGES.search(right) or ABOUT_AGES.search(answer))
    telling = 0
    for number, tree in enumerate(trees, start=1):
        runs: list[Observation] = []
        for command in (right, answer, right, answer):
            seen = observe(command, shell, tree, sandbox)
            if seen.problem:
                return Ruling(Verdict.UNKNOWN, f"execution decides nothing: {seen.problem}")
            runs.append(seen if ages else seen.without_ages())
        if runs[0] != runs[2] or runs[1] != runs[3]:
            return Ruling(Verdict.UNKNOWN, "execution decides nothing: two runs differ")
        if runs[0] != runs[1]:
            told = difference(runs[0], runs[1])
            return Ruling(Verdict.DIFFERENT, f"run on tree {number}: {told}")
        telling += runs[0].telling
    if telling < min_telling:
        return Ruling(Verdict.UNKNOWN, "execution decides nothing: too little happened")
    return Ruling(Verdict.EQUAL, f"the same effect on {len(trees)} trees", right)


def difference(right: Observation, answer: Observation) -> str:
    """The first thing in which two observations differ."""
    if right.status != answer.status:
        return f"exit status {right.status} against {answer.status}"
    if right.stdout != answer.stdout:
        return f"output {_shown(right)} against {_shown(answer)}"
    wanted = {entry[0]: entry[1:] for entry in right.entries}
    made = {entry[0]: entry[1:] for entry in answer.entries}
    for path in sorted(set(wanted) | set(made), key=str):
        if path not in made:
            return f"{path} is missing"
        if path not in wanted:
            return f"{path} is there and should not be"
        if wanted[path] != made[path]:
            return f"{path} is another in {_aspect(wanted[path], made[path])}"
    return "something"


def _aspect(wanted: tuple[str | int, ...], made: tuple[str | int, ...]) -> str:
    names = ("kind", "mode", "content", "age")
    return next(name for name, a, b in zip(names, wanted, made, strict=False) if a != b)


def _shown(observation: Observation) -> str:
    limit = 60
    head = observation.head
    return repr(head if len(head) <= limit else head[:limit] + "…")
