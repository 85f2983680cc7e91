"""The runner for a sample whose tests only talk to the solution over a process boundary."""

from pathlib import Path

from sdkbench.core import BlackBox
from sdkbench.datasets import Sample, lay_out_apart
from sdkbench.test_harness import Harness
from sdkbench.test_harness.black_box import BlackBoxRunner, Sides


def declared(sample: Sample | None) -> BlackBox | None:
    return sample.ground_truth.metadata.black_box if sample else None


def black_box_runner(
    sample: Sample,
    box: BlackBox,
    solution_dir: Path,
    into: Path,
    *,
    timeout: float,
    harness: Harness,
    language: str | None = None,
) -> BlackBoxRunner:
    """Copies of both sides go into `into`."""
    apart = lay_out_apart(sample, solution_dir, into)
    sides = Sides(apart.solution, apart.tests, sample.reference_dir)
    return BlackBoxRunner(sides, box, timeout, harness=harness, language=language)
