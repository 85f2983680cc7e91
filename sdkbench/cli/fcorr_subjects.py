"""What `sdkbench fcorr` is asked to judge, as options name it and as subjects."""

from dataclasses import dataclass
from pathlib import Path

from sdkbench.core import Solution
from sdkbench.datasets import Sample, find_sample, load_sample, load_sdk
from sdkbench.errors import InputError
from sdkbench.judge.subject import Subject


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Options of one call. Raises InputError where they don't go together."""

    sample: Path | None
    sdk: str | None
    solution: Path | None
    directory: Path | None
    for_sample: Path | None
    starters: bool

    def __post_init__(self) -> None:
        chosen = {
            "--sample": self.sample,
            "--sdk": self.sdk,
            "--solution": self.solution,
            "--directory": self.directory,
        }
        given = [flag for flag, value in chosen.items() if value is not None]
        if len(given) != 1:
            had = f"got {' and '.join(given)}" if given else "got none"
            raise InputError(f"Pass exactly one of {', '.join(chosen)}; {had}.")
        if self.for_sample is not None and self.solution is None:
            raise InputError("--for-sample goes with --solution.")
        if self.starters and self.sdk is None:
            raise InputError("--starters goes with --sdk.")

    def subjects(self, samples_dir: Path) -> list[Subject]:
        """Folders that the user named must be there; InputError says what is wrong."""
        if self.sample is not None:
            loaded = load_sample(self.sample)
            return [Subject(loaded.reference_dir, loaded)]
        if self.sdk is not None:
            return _of_sdk(load_sdk(samples_dir, self.sdk), starters=self.starters)
        if self.solution is not None:
            folder = Solution(self.solution).solution_dir
            named = self.for_sample
            found = load_sample(named) if named else find_sample(folder, samples_dir)
            return [Subject(folder, found)]
        assert self.directory is not None  # noqa: S101 - exactly one was given
        return [Subject(Solution(self.directory).solution_dir)]


def _of_sdk(samples: list[Sample], *, starters: bool) -> list[Subject]:
    subjects = []
    for sample in samples:
        subjects.append(Subject(sample.reference_dir, sample))
        if starters and sample.starter_dir.is_dir():
            subjects.append(Subject(sample.starter_dir, sample))
    return subjects
