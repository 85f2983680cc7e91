"""What happens while a plan is carried out, as values for whoever draws it."""

from collections.abc import Mapping
from typing import NamedTuple

from sdkbench.environments import CacheEvent
from sdkbench.shell import TestResult as ShellResult
from sdkbench.store import Attempt, Suite
from sdkbench.test_harness import FCorrResult


class Planned(NamedTuple):
    """`done` attempts have a verdict from before; `left` are to be done, by suite."""

    run_id: str  # empty where nothing is kept
    models: tuple[str, ...]
    left: Mapping[Suite, int]
    done: int = 0
    reused: int = 0  # of those, from other runs

    @property
    def total(self) -> int:
        return self.done + sum(self.left.values())


class Started(NamedTuple):
    """`activity` is a word: asking, judging."""

    key: str
    model: str
    sample: str
    activity: str


class Answered(NamedTuple):
    """A model has answered, and its solution is stored."""

    key: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None


class Finished(NamedTuple):
    """The attempt is in the store; or it had been, where `is_new` is false.

    `result` is there if the attempt was judged now.
    """

    attempt: Attempt
    is_new: bool
    result: FCorrResult | ShellResult | None = None


Event = Planned | Started | Answered | Finished | CacheEvent
