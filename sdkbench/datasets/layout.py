"""lay_out: a solution and a sample's trusted files, as the tests expect to see each other.

expected/   whatever solution is judged, a private copy
tests/      the sample's, read-only
…           files shared by the SDK's samples (conftest.py, support/), read-only
"""

import shutil
from pathlib import Path

from sdkbench.core import Placement, Project
from sdkbench.datasets.sample import Sample
from sdkbench.sandbox.snapshot import snapshot


def lay_out(sample: Sample, solution_dir: Path, into: Path) -> Project:
    """A project for judging `solution_dir` on the sample's tests; the copy goes into `into`."""
    copy = snapshot(solution_dir, into / "expected")
    # Not the solution's to bring, and not its to read.
    metadata = copy / "metadata.json"
    shutil.rmtree(metadata) if metadata.is_dir() else metadata.unlink(missing_ok=True)
    shared = tuple(
        Placement(source=path, target=path.name, read_only=True)
        for path in sample.shared
        if path.name not in {"expected", "tests"}
    )
    tests = Placement(source=sample.tests_dir, target="tests", read_only=True)
    fallbacks = tuple(d for d in (sample.starter_dir, sample.reference_dir) if d.is_dir())
    return Project(
        solution=Placement(source=copy, target="expected"),
        trusted=(tests, *shared),
        tests=("tests",),
        manifest_fallbacks=fallbacks,
        permissions=sample.ground_truth.metadata.sandbox,
    )


def lay_out_folder(folder: Path, into: Path, test_dir: str | None = None) -> Project:
    """A project judged on its own tests."""
    return Project.of_folder(snapshot(folder, into / "project"), test_dir)
