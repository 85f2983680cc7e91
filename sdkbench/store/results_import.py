"""import_results: folders of solutions in the public layout, as a run that can be judged."""

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue, ValidationError

from sdkbench.core import Outcome, tree
from sdkbench.errors import InputError
from sdkbench.store.folders import SOLUTION, read_folder
from sdkbench.store.keys import KeyParts, attempt_key
from sdkbench.store.results_names import GENERATION_METADATA, SOLUTIONS, is_side_file, name_of
from sdkbench.store.values import MAX_COUNT, Artefact, Attempt, Run, RunState, Suite

if TYPE_CHECKING:
    from sdkbench.store.database import Store

NOT_JUDGED = "imported; not judged yet"


class Imported(NamedTuple):
    run: Run
    attempts: int
    left_out: tuple[str, ...]  # a sentence each


class Usage(NamedTuple):
    """None where nobody told."""

    input_tokens: int | None
    output_tokens: int | None
    cost: float | None


def import_results(store: "Store", folder: Path) -> Imported:
    """Every `<sdk>/<model>/solutions/<sample>/` below `folder`, with outcome *not_executed*.

    Scores that stand beside a solution are kept as artefacts and believed by nobody. A solution
    that can't be stored whole is left out, and told. InputError where there is none at all.
    """
    root = tree.folder(folder, what="The results folder")
    solutions = list(_solutions(root))
    if not solutions:
        raise InputError(
            f"{folder} holds no solutions. Name the folder above "
            f"<sdk>/<model>/{SOLUTIONS}/<sample>/."
        )
    run = store.start_run(label=f"import of {tree.shown(folder)}", planned=len(solutions))
    left_out = []
    state = RunState.STOPPED
    try:
        for path in solutions:
            try:
                attempt, artefacts = _read(path, root)
            except (InputError, OSError, ValidationError) as error:
                left_out.append(f"{tree.shown(path.relative_to(root))}: {_why(error)}")
                continue
            store.save_attempt(run.id, attempt, artefacts)
        state = RunState.FINISHED
    finally:
        run = store.end_run(run.id, state)
    return Imported(run, len(solutions) - len(left_out), tuple(left_out))


def _solutions(root: Path) -> Iterator[Path]:
    for place in sorted(root.glob(f"*/*/{SOLUTIONS}/*")):
        if place.is_dir() and place.resolve().is_relative_to(root):
            yield place


def _read(path: Path, root: Path) -> tuple[Attempt, list[Artefact]]:
    sdk, model, _, sample = path.relative_to(root).parts
    contents = read_folder(path)
    generation = _generation(contents.get(GENERATION_METADATA))
    listed = generation.get("files_generated")
    own = {name for name in listed if isinstance(name, str)} if isinstance(listed, list) else set()
    artefacts = [
        Artefact(kind=_kind(name, own), name=name, data=data) for name, data in contents.items()
    ]
    solution = [each for each in artefacts if each.kind == SOLUTION]
    if not solution:
        raise InputError("there is no solution in it")
    usage = _usage(generation)
    attempt = Attempt(
        key=_key(name_of(sdk), name_of(model), name_of(sample), solution),
        suite=Suite.SDK,
        sdk=name_of(sdk),
        sample=name_of(sample),
        model=name_of(model),
        outcome=Outcome.NOT_EXECUTED,
        error=NOT_JUDGED,
        score=0.0,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=usage.cost,
        # In our own words too, which are read when the solution is judged.
        result={"generation": generation | {"usage": usage._asdict()}},
    )
    return attempt, artefacts


def _generation(text: bytes | None) -> dict[str, JsonValue]:
    """What the generating program noted; nothing where that can't be read."""
    try:
        found = json.loads(text or b"{}")
        json.dumps(found, allow_nan=False)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _usage(generation: dict[str, JsonValue]) -> Usage:
    """A sum of both kinds of tokens can't be parted, so it counts for neither."""
    asked, answered = (_count(generation.get(name)) for name in ("input_tokens", "output_tokens"))
    return Usage(asked, answered, _amount(generation.get("cost")))


def _amount(value: JsonValue) -> float | None:
    """Programs that don't know the cost write 0."""
    if isinstance(value, int | float) and 0 < value <= sys.float_info.max:
        return float(value)
    return None


def _count(value: JsonValue) -> int | None:
    return value if isinstance(value, int) and 0 <= value <= MAX_COUNT else None


def _kind(name: str, own: set[str]) -> str:
    if name == GENERATION_METADATA:
        return "generation"
    if name in own or not is_side_file(name):
        return SOLUTION
    return "metrics" if "/" in name else "generation"


def _key(sdk: str, model: str, sample: str, solution: Sequence[Artefact]) -> str:
    digest = hashlib.sha256()
    for each in solution:
        name = each.name.encode()
        digest.update(len(name).to_bytes(8, "big") + name + hashlib.sha256(each.data).digest())
    parts = KeyParts(
        suite=Suite.SDK,
        sample=f"{sdk}/{sample}",
        case="",
        tests="",
        harness="",
        answer=digest.hexdigest(),
        model=model,
    )
    return attempt_key(parts)


def _why(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return "a name or value in it can't be stored"
    if isinstance(error, OSError):
        return f"it can't be read ({error.strerror})"
    return str(error)
