"""Small values that are made by the thousand: frozen to the type checker, unguarded at run time."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

C = TypeVar("C")


@dataclass_transform(frozen_default=True)
def small_value(cls: type[C]) -> type[C]:
    """A dataclass whose fields mypy lets nobody assign to.

    `dataclass(frozen=True)` guards them at run time too, and then making one takes three times as
    long: a tenth of all the time in which a shell command is judged.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
