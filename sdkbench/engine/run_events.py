"""What happens in a run of models, as values for whoever draws it."""

from collections.abc import Mapping
from typing import NamedTuple

from sdkbench.store import Attempt, Suite


class RunPlanned(NamedTuple):
    """`done` attempts have a verdict from before; `left` are to be done, by suite."""

    run_id: str
    models: tuple[str, ...]
    left: Mapping[Suite, int]
    done: int = 0
    taken_over: int = 0  # of those, from other runs

    @property
    def total(self) -> int:
        return self.done + sum(self.left.values())


class Began(NamedTuple):
    """`doing` is a word: asking, judging."""

    key: str
    model: str
    sample: str
    doing: str


class Answered(NamedTuple):
    """A model has answered, and its solution is stored."""

    key: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None


class Ended(NamedTuple):
    """The attempt is in the store; or it had been, where `is_new` is false."""

    attempt: Attempt
    is_new: bool


RunEvent = RunPlanned | Began | Answered | Ended
