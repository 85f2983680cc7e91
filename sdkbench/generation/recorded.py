"""Answers that others recorded, taken apart as those of today's models are."""

import tempfile
from pathlib import Path

from sdkbench.backends import Answer
from sdkbench.datasets import Sample, load_sample
from sdkbench.errors import InputError
from sdkbench.generation.solution import GeneratedSolution
from sdkbench.generation.text import take_answer
from sdkbench.store.artefacts import SOLUTION
from sdkbench.store.results_layout import TakenAnswer


class RecordedAnswers:
    """Reads answers on the samples of a folder; the starter lies underneath the answer's files."""

    def __init__(self, samples_dir: Path) -> None:
        self._samples_dir = samples_dir
        self._samples: dict[tuple[str, str], Sample] = {}

    def __call__(self, sdk: str, sample: str, model: str, answer: str) -> TakenAnswer:
        """An answer without files is the starter as it was, with a note: it is to be judged, too.

        InputError where there is no such sample, or no file at all.
        """
        asked = self._sample(sdk, sample)
        with tempfile.TemporaryDirectory(prefix="sdkbench-answer-") as scratch:
            begun = GeneratedSolution(folder=Path(scratch, "s"), sample_id=sample, model=model)
            taken = take_answer(asked, Answer(text=answer), begun).packed()
        files = tuple(each for each in taken.artefacts if each.kind == SOLUTION)
        if not files:
            raise InputError("no file was found in its answer")
        return TakenAnswer(files, taken.record)

    def _sample(self, sdk: str, sample: str) -> Sample:
        wanted = sdk, sample
        if wanted not in self._samples:
            path = self._samples_dir / sdk / sample
            # Names come from a folder of others: only plain ones lead to a sample.
            plain = all(part not in {"", ".", ".."} and "/" not in part for part in wanted)
            if not plain or not path.is_dir():
                raise InputError(
                    f"there is only an answer, and no sample of that name in {self._samples_dir}"
                )
            self._samples[wanted] = load_sample(path)
        return self._samples[wanted]
