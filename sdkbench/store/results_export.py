"""export_results: a run's solutions as folders in the public layout."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sdkbench.errors import InputError
from sdkbench.store.folders import SOLUTION, write_folder
from sdkbench.store.results_names import (
    ANSWER,
    GENERATION_METADATA,
    METRICS,
    SOLUTIONS,
    folder_name,
)
from sdkbench.store.values import Artefact, Attempt, Suite

if TYPE_CHECKING:
    from sdkbench.store.database import Store

BESIDE = frozenset({"generation", "metrics"})


class Exported(NamedTuple):
    solutions: int
    left_out: tuple[str, ...]  # a sentence each


def export_results(store: "Store", run_id: str, folder: Path, *, trial: int = 0) -> Exported:
    """One folder a solution of this trial: the layout has room for one for each model.

    InputError, and nothing written, where one of them exists already. Each folder appears whole
    or not at all.
    """
    chosen: dict[Path, Attempt] = {}
    left_out = []
    for attempt in _of_trial(store, run_id, trial):
        target = folder / _place(attempt)
        if target in chosen:
            left_out.append(f"{attempt.sample} by {attempt.model}: {target} has its like already")
        elif target.exists():
            raise InputError(f"{target} exists already. Export to an empty folder.")
        else:
            chosen[target] = attempt
    written = 0
    for target, attempt in chosen.items():
        files, told = _files(attempt, store.artefacts(run_id, attempt.key))
        left_out += [f"{attempt.sample} by {attempt.model}: {sentence}" for sentence in told]
        if files:
            write_folder(target, files)
            written += 1
    return Exported(written, tuple(left_out))


def _of_trial(store: "Store", run_id: str, trial: int) -> Iterator[Attempt]:
    for attempt in store.attempts(run_id):
        if attempt.suite is Suite.SDK and attempt.trial == trial:
            yield attempt


def _place(attempt: Attempt) -> Path:
    sdk, model, sample = map(folder_name, (attempt.sdk, attempt.model, attempt.sample))
    return Path(sdk, model, SOLUTIONS, sample)


def _files(
    attempt: Attempt, artefacts: Sequence[Artefact]
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """By name, and what could not be among them; no files where there is no solution."""
    solution = {each.name: each.data for each in artefacts if each.kind == SOLUTION}
    if not solution:
        return {}, ("no solution was stored",)
    told: tuple[str, ...] = ()
    if solution.pop(GENERATION_METADATA, None) is not None:
        told = (f"its own {GENERATION_METADATA} is left out: the layout keeps that name",)
    beside = {each.name: each.data for each in artefacts if each.kind in BESIDE}
    answer = next((each.data for each in artefacts if each.kind == "answer"), None)
    if answer is not None:
        beside[ANSWER] = answer
    if attempt.finished:
        beside[f"{METRICS}/f_corr.json"] = _json(attempt.result)
    beside[GENERATION_METADATA] = _generation(attempt, beside.get(GENERATION_METADATA), solution)
    return beside | solution, told


def _generation(attempt: Attempt, kept: bytes | None, solution: dict[str, bytes]) -> bytes:
    """What was imported, as it was; else what the store knows, with the solution's own files
    listed, so that none is taken for one of those beside it.
    """
    if kept is not None:
        return kept
    tokens = (attempt.input_tokens or 0) + (attempt.output_tokens or 0)
    return _json(
        {
            "sample_id": attempt.sample,
            "model": attempt.model,
            "generated_at": attempt.ended_at.isoformat(),
            "tokens_used": tokens or None,
            "input_tokens": attempt.input_tokens,
            "output_tokens": attempt.output_tokens,
            "cost": attempt.cost_usd,
            "files_generated": sorted(solution),
        }
    )


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()
