"""What happens in a run, as values for whoever draws it."""

from typing import NamedTuple

from sdkbench.judge.subject import Subject
from sdkbench.test_harness import FCorrResult


class Planned(NamedTuple):
    total: int


class Started(NamedTuple):
    number: int
    subject: Subject


class Finished(NamedTuple):
    number: int
    subject: Subject
    result: FCorrResult


Event = Planned | Started | Finished
