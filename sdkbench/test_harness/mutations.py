"""Mutation: one expectation of a sample's test, changed so that the test must fail."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict


class Mutation(BaseModel):
    """An edit of one place in a trusted test file.

    It must be *complementary*: wherever the original expectation holds, the mutated one does not,
    whatever honest code is judged. And the place must be on every path to a pass: not inside a
    condition, a loop, a handler or a nested function, nor after a conditional return.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str  # the file, below the workspace: tests/test_app.py
    tests: str  # a regular expression that the ids of this test match in full, and no other's
    start: int  # offsets into the file's exact text, in characters
    end: int
    replacement: str  # holds no line break, so that lines keep their numbers
    line: int  # of `start`, from 1
    kind: Literal["value", "sense"] = "sense"  # another value is expected, or the opposite


def mutations_in(
    files: Iterable[tuple[Path, str]], mutations_of: Callable[[str, str], list[Mutation]]
) -> tuple[Mutation, ...]:
    """What `mutations_of` finds in each file's text, told where the file will stand."""
    return tuple(
        mutation
        for source, target in files
        for mutation in mutations_of(exact_text(source), target)
    )


def exact_text(path: Path) -> str:
    """What offsets count in: without a byte order mark, with line ends as they are.

    Nothing where it isn't UTF-8: no test of it is mutated then.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
