"""Origin: what is known of an attempt before it has a result. Recorded: what the store gets."""

from typing import NamedTuple

from sdkbench.store import Artefact, Attempt


class Origin(NamedTuple):
    """Where an attempt comes from: what a result itself doesn't tell."""

    key: str
    sdk: str
    sample: str
    task_type: str
    model: str
    trial: int = 0
    generation_key: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


class Recorded(NamedTuple):
    attempt: Attempt
    artefacts: tuple[Artefact, ...]
