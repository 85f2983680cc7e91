"""Subject and Options: what is judged, and how; the same from the command line to the store."""

from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Integrity, ScoreMode
from sdkbench.core.tree import shown
from sdkbench.datasets import Sample


class Subject(NamedTuple):
    """What is judged: a solution of a sample, or a folder on its own tests."""

    solution_dir: Path
    sample: Sample | None = None

    @property
    def name(self) -> str:
        return self.sample.id if self.sample else shown(self.solution_dir.resolve().name)


class Options(NamedTuple):
    mode: ScoreMode = ScoreMode.STRICT
    integrity: Integrity = Integrity.CHECKED
    timeout: float = 300.0
    run_build: bool = True
    run_tests: bool = True
    language: str | None = None
    test_dir: str | None = None
    weakened: bool = False  # believe the exit code; only for showing that the corpus can fail
    reference_runs: int = 1  # how often the reference must pass before a test counts as stable
