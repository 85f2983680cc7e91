"""What happens in a run of models, as values for whoever draws it."""

from typing import NamedTuple

from sdkbench.store import Attempt


class RunPlanned(NamedTuple):
    """`done` attempts have a verdict from before."""

    run_id: str
    models: tuple[str, ...]
    total: int
    done: int
    taken_over: int  # of those, from other runs


class Began(NamedTuple):
    """`doing` is a word: asking, judging."""

    key: str
    model: str
    sample: str
    doing: str


class Generated(NamedTuple):
    """A solution is there, and stored where it cost something."""

    key: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None


class Ended(NamedTuple):
    """The attempt is in the store; or it had been, where `is_new` is false."""

    attempt: Attempt
    is_new: bool


RunEvent = RunPlanned | Began | Generated | Ended
