"""Solutions and what is told of how they came about → what the store keeps of them, and back."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from sdkbench.backends import BackendFailure
from sdkbench.core import Outcome
from sdkbench.engine.origin import Origin, Recorded
from sdkbench.errors import InputError, SdkbenchError
from sdkbench.generation import GeneratedSolution, Usage
from sdkbench.generation.solution import GENERATION
from sdkbench.store import Artefact, Attempt, Stored, Suite


class Made(NamedTuple):
    """A solution as it is kept: what is told of it, and its files and answer."""

    generation: Mapping[str, JsonValue]
    artefacts: tuple[Artefact, ...]
    usage: Usage = Usage()


NOTHING = Made({}, ())


def made_of(generated: GeneratedSolution) -> Made:
    """ValidationError where a name in its folder can't be stored."""
    packed = generated.packed()
    return Made(packed.record, packed.artefacts, packed.usage)


def made_again(stored: Stored, folder: Path) -> Made:
    """A stored attempt's solution in the new folder `folder`."""
    restored = GeneratedSolution.restored(stored, folder)
    return Made(restored.record, restored.artefacts, restored.usage)


def record_unmade(failure: SdkbenchError, origin: Origin, suite: Suite) -> Recorded:
    """No solution came: an error, to be tried again."""
    if isinstance(failure, BackendFailure):
        kind = str(failure.kind)
    else:
        kind = "input" if isinstance(failure, InputError) else "harness"
    attempt = Attempt(
        **origin._asdict(),
        suite=suite,
        outcome=Outcome.ERROR,
        fault=f"generation_{kind}",
        error=str(failure).encode("utf-8", "replace").decode(),
        score=0.0,
    )
    return Recorded(attempt, ())


def record_made(made: Made, origin: Origin) -> Recorded:
    """A solution that nobody has judged yet."""
    attempt = Attempt(
        **told_of(made, origin)._asdict(),
        suite=Suite.SDK,
        outcome=Outcome.NOT_EXECUTED,
        error="generated; not judged yet",
        score=0.0,
        result={GENERATION: dict(made.generation)},
    )
    return Recorded(attempt, made.artefacts)


def told_of(made: Made, origin: Origin) -> Origin:
    """With the counts and the cost that the backend reported."""
    told = {
        "input_tokens": made.usage.input_tokens,
        "output_tokens": made.usage.output_tokens,
        "cost_usd": made.usage.cost,
    }
    known = {name: value for name, value in told.items() if value is not None}
    return Origin(**{**origin._asdict(), **known})
