"""What `make test` leaves to `make test-all`: repetitions of what another test shows already."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from sdkbench.datasets import Sample

# Bundled samples that are judged each day: one of each language.
DAILY_SAMPLES = {
    "lancedb_init_001",
    "stripe_webhook_001",
    "jose_tokens_001",
    "bbolt_notes_001",
    "redb_stock_001",
    "jackson_events_001",
}


REPETITIONS = tuple(
    line
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)


def is_repetition(nodeid: str) -> bool:
    return nodeid.removeprefix("tests/").startswith(REPETITIONS)


def of_the_day(root: Path) -> bool:
    return root.name in DAILY_SAMPLES


def samples_of_the_day(samples: Iterable[Sample]) -> list[pytest.ParameterSet]:
    """Of a test that reads each bundled sample: those that are not of the day wait."""
    return mostly_nightly(samples, lambda s: of_the_day(s.root), name=lambda s: str(s.id))


def mostly_nightly(
    values: Iterable[Any], daily: Callable[[Any], bool], *, name: Callable[[Any], str] = str
) -> list[pytest.ParameterSet]:
    """Parameters of a test; those that are not `daily` wait for the night."""
    return [
        pytest.param(value, id=name(value), marks=() if daily(value) else pytest.mark.nightly)
        for value in values
    ]
