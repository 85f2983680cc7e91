"""Solutions in the public results layout: results/<sdk>/<model>/solutions/<sample>/."""

import hashlib
import json
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self
from urllib.parse import quote, unquote

from pydantic import JsonValue, ValidationError

from sdkbench.core import Outcome, tree
from sdkbench.errors import InputError
from sdkbench.store.artefacts import SOLUTION, read_folder, write_folder
from sdkbench.store.values import (
    MAX_COUNT,
    Artefact,
    Attempt,
    KeyParts,
    Run,
    RunState,
    Suite,
    attempt_key,
)

if TYPE_CHECKING:
    from sdkbench.store.database import Store


SOLUTIONS = "solutions"
GENERATION_METADATA = "generation_metadata.json"
ANSWER = "llm_response.md"
PROMPT = "prompt.md"  # stands beside an answer
METRICS = "metrics"
NONE = "%00"  # stands for a name that is empty: no folder can have that one


def folder_name(name: str) -> str:
    """`name` as one component of a path: what may not stand there is escaped like in a URL."""
    if not name:
        return NONE
    if not name.strip("."):
        return name.replace(".", "%2E")
    return "".join(
        each if each.isprintable() and each not in "/\\%" else quote(each, safe="") for each in name
    )


def name_of(folder: str) -> str:
    """What `folder_name` was given; one that it would not have made stands for itself."""
    if folder == NONE:
        return ""
    meant = unquote(folder, errors="replace")
    return meant if folder_name(meant) == folder else folder


def is_side_file(name: str, beside: Collection[str] = ()) -> bool:
    """Whether a file stands beside the solution by rule, rather than being part of it. `beside` are
    the names of all files there: a prompt is one only next to its answer.
    """
    in_metrics = name.startswith(f"{METRICS}/") and name.endswith(".json") and name.count("/") == 1
    is_prompt = name == PROMPT and ANSWER in beside
    return in_metrics or is_prompt or name in {GENERATION_METADATA, ANSWER}


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
    for attempt in store.attempts(run_id):
        if attempt.suite is not Suite.SDK or attempt.trial != trial:
            continue
        target = folder / _place(attempt)
        if target in chosen:
            left_out.append(f"{attempt.sample} by {attempt.model}: {target} has its like already")
        elif target.exists():
            raise InputError(f"{target} exists already. Export to an empty folder.")
        else:
            chosen[target] = attempt
    written = 0
    for target, attempt in chosen.items():
        files, omitted = _files(attempt, store.artefacts(run_id, attempt.key))
        left_out += [f"{attempt.sample} by {attempt.model}: {sentence}" for sentence in omitted]
        if files:
            write_folder(target, files)
            written += 1
    return Exported(written, tuple(left_out))


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
    omitted: tuple[str, ...] = ()
    if solution.pop(GENERATION_METADATA, None) is not None:
        omitted = (f"its own {GENERATION_METADATA} is left out: the layout keeps that name",)
    beside = {each.name: each.data for each in artefacts if each.kind in BESIDE}
    answer = next((each.data for each in artefacts if each.kind == "answer"), None)
    if answer is not None:
        beside[ANSWER] = answer
    if attempt.finished:
        beside[f"{METRICS}/f_corr.json"] = _json(attempt.result)
    beside[GENERATION_METADATA] = _generation(attempt, beside.get(GENERATION_METADATA), solution)
    return beside | solution, omitted


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


NOT_JUDGED = "imported; not judged yet"


class Imported(NamedTuple):
    run: Run
    attempts: int
    left_out: tuple[str, ...]  # a sentence each
    from_answers: int = 0  # of the attempts: those whose files are an answer's


class TakenAnswer(NamedTuple):
    """The files of a recorded answer, and the account of how they came about."""

    solution: tuple[Artefact, ...]
    record: dict[str, JsonValue]


class RecordedAnswerReader(Protocol):
    """Raises InputError where there is no such sample, or no file at all."""

    def __call__(self, sdk: str, sample: str, model: str, answer: str) -> TakenAnswer: ...


def import_results(
    store: "Store",
    folder: Path,
    read_answer: RecordedAnswerReader | None = None,
    *,
    prefer_answers: bool = False,
) -> Imported:
    """Every `<sdk>/<model>/solutions/<sample>/` below `folder`, with outcome *not_executed*.

    Where only a raw answer stands there (or always, with `prefer_answers`), `read_answer` takes it
    apart. Scores that stand beside a solution are kept as artefacts and believed by nobody. A
    solution that can't be stored whole is left out, and the result says why. InputError where there
    is none at all.
    """
    root = tree.folder(folder, what="The results folder")
    places = sorted(root.glob(f"*/*/{SOLUTIONS}/*"))
    solutions = [each for each in places if each.is_dir() and each.resolve().is_relative_to(root)]
    if not solutions:
        raise InputError(
            f"{folder} holds no solutions. Name the folder above "
            f"<sdk>/<model>/{SOLUTIONS}/<sample>/."
        )
    run = store.start_run(label=f"import of {tree.shown(folder)}", planned=len(solutions))
    left_out = []
    from_answers = 0
    state = RunState.STOPPED
    try:
        for path in solutions:
            try:
                place = _Place.at(path, root)
                files, taken = _solution(place, read_answer, prefer_answers=prefer_answers)
                attempt, artefacts = _attempt(place, files, taken)
            except (InputError, OSError, ValidationError) as error:
                left_out.append(f"{tree.shown(path.relative_to(root))}: {_why(error)}")
                continue
            store.save_attempt(run.id, attempt, artefacts)
            from_answers += taken is not None
        state = RunState.FINISHED
    finally:
        run = store.end_run(run.id, state)
    return Imported(run, len(solutions) - len(left_out), tuple(left_out), from_answers)


class _Place(NamedTuple):
    """A solution's folder as it was read."""

    sdk: str
    model: str
    sample: str
    files: tuple[Artefact, ...]
    generation: dict[str, JsonValue]

    @classmethod
    def at(cls, path: Path, root: Path) -> Self:
        sdk, model, _, sample = path.relative_to(root).parts
        contents = read_folder(path)
        generation = _noted_generation(contents.get(GENERATION_METADATA))
        listed = generation.get("files_generated")
        named = listed if isinstance(listed, list) else []
        own = {name for name in named if isinstance(name, str)}
        files = tuple(
            Artefact(kind=_kind(name, own, contents), name=name, data=data)
            for name, data in contents.items()
        )
        return cls(name_of(sdk), name_of(model), name_of(sample), files, generation)


def _solution(
    place: _Place, read_answer: RecordedAnswerReader | None, *, prefer_answers: bool
) -> tuple[list[Artefact], TakenAnswer | None]:
    """The artefacts to be stored, and what was taken from the answer if that was needed."""
    has_files = any(each.kind == SOLUTION for each in place.files)
    answer = next((each for each in place.files if each.name == ANSWER), None)
    is_own = answer is not None and answer.kind == SOLUTION
    if answer is None or is_own or read_answer is None or (has_files and not prefer_answers):
        if not has_files:
            raise InputError("there is no solution in it")
        return list(place.files), None
    text = answer.data.decode("utf-8", "replace")
    taken = read_answer(place.sdk, place.sample, place.model, text)
    beside = [each for each in place.files if each.kind != SOLUTION]
    return [*taken.solution, *beside], taken


def _attempt(
    place: _Place, artefacts: list[Artefact], taken: TakenAnswer | None
) -> tuple[Attempt, list[Artefact]]:
    generation = place.generation
    solution = [each for each in artefacts if each.kind == SOLUTION]
    # A sum of both kinds of tokens can't be parted, so it counts for neither.
    usage: dict[str, JsonValue] = {
        "input_tokens": _count(generation.get("input_tokens")),
        "output_tokens": _count(generation.get("output_tokens")),
        "cost": _amount(generation.get("cost")),
    }
    record = {**generation, **(taken.record if taken else {}), "usage": usage}
    attempt = Attempt(
        key=_key(place.sdk, place.model, place.sample, solution),
        suite=Suite.SDK,
        sdk=place.sdk,
        sample=place.sample,
        model=place.model,
        outcome=Outcome.NOT_EXECUTED,
        error=NOT_JUDGED,
        score=0.0,
        input_tokens=_count(generation.get("input_tokens")),
        output_tokens=_count(generation.get("output_tokens")),
        cost_usd=_amount(generation.get("cost")),
        # In our own words too, which are read when the solution is judged.
        result={"generation": record},
    )
    return attempt, artefacts


def _noted_generation(text: bytes | None) -> dict[str, JsonValue]:
    """What the generating program noted; nothing where that can't be read."""
    try:
        noted = json.loads(text or b"{}")
        json.dumps(noted, allow_nan=False)
    except (ValueError, RecursionError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _amount(value: JsonValue) -> float | None:
    """Programs that don't know the cost write 0."""
    if isinstance(value, int | float) and 0 < value <= sys.float_info.max:
        return float(value)
    return None


def _count(value: JsonValue) -> int | None:
    return value if isinstance(value, int) and 0 <= value <= MAX_COUNT else None


def _kind(name: str, own: set[str], beside: Collection[str]) -> str:
    if name == GENERATION_METADATA:
        return "generation"
    if name in own or not is_side_file(name, beside):
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
