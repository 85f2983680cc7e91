"""Solutions and what is told of how they came about → what the store keeps of them, and back."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from sdkbench.backends import BackendFailure
from sdkbench.backends.usage import cost, count
from sdkbench.core import Outcome
from sdkbench.engine.origin import Origin, Recorded
from sdkbench.errors import InputError, SdkbenchError
from sdkbench.generation import Generated
from sdkbench.store import Artefact, Attempt, Stored, Suite
from sdkbench.store.artefacts import SOLUTION, solution_artefacts, write_folder

GENERATION = "generation"  # in an attempt's result: how its solution came about
ANSWER = "answer"


class Made(NamedTuple):
    """A solution as it is kept: what is told of it, and its files and answer."""

    generation: Mapping[str, JsonValue]
    artefacts: tuple[Artefact, ...]


NOTHING = Made({}, ())


def made_of(generated: Generated, folder: Path) -> Made:
    """What `generated` left in `folder`. ValidationError where a name in it can't be stored."""
    solution = solution_artefacts(folder)
    told = generated.model_dump(mode="json", exclude={"answer"})
    told["executable"] = [each.name for each in solution if os.access(folder / each.name, os.X_OK)]
    answer = Artefact(kind=ANSWER, name="answer.txt", data=generated.answer.encode())
    return Made(told, (*solution, *([answer] if generated.answer else ())))


def made_again(stored: Stored, folder: Path) -> Made:
    """A stored attempt's solution in the new folder `folder`."""
    attempt, artefacts = stored
    kept = attempt.result.get(GENERATION)
    generation = kept if isinstance(kept, dict) else {}
    files = {each.name: each.data for each in artefacts if each.kind == SOLUTION}
    write_folder(folder, files)
    executable = generation.get("executable")
    for name in executable if isinstance(executable, list) else ():
        if name in files:
            (folder / str(name)).chmod(0o755)
    return Made(generation, tuple(a for a in artefacts if a.kind in {SOLUTION, ANSWER}))


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
    """With the counts and the cost that the backend told, as far as they can be meant."""
    usage = made.generation.get("usage")
    told = {
        "input_tokens": count(usage, "input_tokens"),
        "output_tokens": count(usage, "output_tokens"),
        "cost_usd": cost(usage),
    }
    known = {name: value for name, value in told.items() if value is not None}
    return Origin(**{**origin._asdict(), **known})
