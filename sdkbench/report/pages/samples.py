"""What the samples on disk say of an attempt: how hard its task is, and what it began with."""

import functools
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import tree
from sdkbench.datasets import default_samples_dir
from sdkbench.datasets.sample import Sample, load_sample
from sdkbench.errors import InputError
from sdkbench.store import Run
from sdkbench.store.artefacts import read_folder

STARTERS_KEPT = 64  # each a few files: attempts on one sample often follow each other


class SampleFacts(NamedTuple):
    difficulty: str = ""
    task_name: str = ""
    description: str = ""


class SampleLibrary:
    """Samples of a folder, as they are today. Whatever can't be read is as if it were not there:
    a report of old results needs no samples.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = (folder or default_samples_dir()).absolute()
        self.facts = functools.cache(self._facts)
        self.starter = functools.lru_cache(STARTERS_KEPT)(self._starter)

    @classmethod
    def of_run(cls, run: Run, folder: Path | None = None) -> "SampleLibrary":
        """`folder`, or the one that the run took its samples from, or the usual one."""
        named = run.settings.get("samples_dir")
        if folder is None and isinstance(named, str) and Path(named).is_dir():
            folder = Path(named)
        return cls(folder)

    def _facts(self, sdk: str, sample_id: str) -> SampleFacts:
        sample = self._sample(sdk, sample_id)
        if sample is None:
            return SampleFacts()
        metadata = sample.ground_truth.metadata
        return SampleFacts(metadata.difficulty, metadata.task_name, metadata.description)

    def _starter(self, sdk: str, sample_id: str) -> dict[str, bytes] | None:
        """By path; None where there is no such sample here."""
        sample = self._sample(sdk, sample_id)
        if sample is None:
            return None
        try:
            return read_folder(sample.starter_dir) if sample.starter_dir.is_dir() else {}
        except (InputError, OSError):
            return None

    def _sample(self, sdk: str, sample_id: str) -> Sample | None:
        path = self._folder / sdk / sample_id
        # Names come from the store: they lead nowhere else.
        if not tree.is_folder(path) or path.resolve().parent.parent != self._folder.resolve():
            return None
        try:
            return load_sample(path)
        except InputError:
            return None
