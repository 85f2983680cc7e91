"""GeneratedSolution: a solution in a folder, how it came about, and what the store keeps of it."""

import os
import shutil
from pathlib import Path
from typing import Self

from pydantic import Field, JsonValue

from sdkbench.backends.protocol import Cost, TokenCount
from sdkbench.core import Value
from sdkbench.store import Artefact, Stored
from sdkbench.store.artefacts import SOLUTION, solution_artefacts, write_folder

GENERATION = "generation"  # in an attempt's result: how its solution came about
ANSWER = "answer"
_NOT_RECORDED = {"folder", "answer", "is_shared", "is_stored", "record", "artefacts"}
_COUNTED = ("input_tokens", "output_tokens", "cost")


class Refusal(Value):
    """A file that the model gave and that was not written, or not as it gave it."""

    path: str
    reason: str


class ModelUsage(Value):
    input_tokens: TokenCount = None
    output_tokens: TokenCount = None
    cost: Cost = None
    tries: int = 1
    seconds: float = 0.0


class GeneratedSolution(Value):
    """A solution in its folder, which nobody writes to any more.

    `record` and `artefacts` are what the store keeps of it: empty until `packed`.
    """

    folder: Path
    sample_id: str
    model: str
    template: str | None = None  # the prompt's version; None where nothing was asked
    written: tuple[str, ...] = ()  # new files, and those unlike the starter's
    removed: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()
    truncated: bool = False  # the answer stopped at a limit, or in the middle of a file
    refused: bool = False  # the model declined
    usage: ModelUsage = ModelUsage()
    answer: str = ""  # the raw text, or an agent's output
    is_shared: bool = False  # the folder serves other attempts too
    is_stored: bool = False  # the run that is under way has stored it already
    record: dict[str, JsonValue] = Field(default_factory=dict)
    artefacts: tuple[Artefact, ...] = ()

    def packed(self) -> Self:
        """With its files, its answer and the account of how it came about, for the store.

        ValidationError where a file's name can't be stored.
        """
        record = self.model_dump(mode="json", exclude=_NOT_RECORDED)
        files = solution_artefacts(self.folder)
        record["executable"] = [
            file.name for file in files if os.access(self.folder / file.name, os.X_OK)
        ]
        answer = Artefact(kind=ANSWER, name="answer.txt", data=self.answer.encode())
        artefacts = (*files, *([answer] if self.answer else ()))
        return self.model_copy(update={"record": record, "artefacts": artefacts})

    @classmethod
    def restored(cls, stored: Stored, folder: Path) -> Self:
        """A stored attempt's solution, written into the new folder `folder`.

        Its record stays as it was stored: other programs' accounts are imported as they are.
        """
        attempt, artefacts = stored
        kept = attempt.result.get(GENERATION)
        record = kept if isinstance(kept, dict) else {}
        files = {each.name: each.data for each in artefacts if each.kind == SOLUTION}
        write_folder(folder, files)
        for name in _listed(record, "executable"):
            if name in files:
                (folder / str(name)).chmod(0o755)
        usage = record.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        return cls(
            folder=folder,
            sample_id=attempt.sample,
            model=attempt.model,
            refusals=tuple(_refusal(each) for each in _listed(record, "refusals")),
            notes=tuple(str(note) for note in _listed(record, "notes")),
            truncated=bool(record.get("truncated")),
            refused=bool(record.get("refused")),
            usage=ModelUsage.model_validate({k: v for k, v in counts.items() if k in _COUNTED}),
            record=record,
            artefacts=tuple(each for each in artefacts if each.kind in {SOLUTION, ANSWER}),
        )

    def remarks(self) -> list[str]:
        """What a reader of the verdict must know of how the solution came about."""
        remarks = list(self.notes)
        if self.refused:
            remarks.append("the model declined")
        if self.truncated:
            remarks.append("the answer was cut off")
        if self.refusals:
            remarks.append(f"{len(self.refusals)} files of the answer were not taken")
        return remarks

    def remove(self) -> None:
        """The folder, unless other attempts share it."""
        if not self.is_shared:
            shutil.rmtree(self.folder, ignore_errors=True)


def _listed(record: dict[str, JsonValue], name: str) -> list[JsonValue]:
    value = record.get(name)
    return value if isinstance(value, list) else []


def _refusal(value: JsonValue) -> Refusal:
    known = value if isinstance(value, dict) else {}
    return Refusal(path=str(known.get("path", "")), reason=str(known.get("reason", value)))
