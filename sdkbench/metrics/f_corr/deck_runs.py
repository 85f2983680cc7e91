"""Running a solution on one deck of its sample's tests."""

import tempfile
from pathlib import Path

from sdkbench.core import Project
from sdkbench.datasets import with_tests
from sdkbench.integrity import Deck, apply
from sdkbench.test_harness import BaseTestRunner, Examination
from sdkbench.test_harness.alteration import exact_text


def examine_deck(runner: BaseTestRunner, deck: Deck, *, run_build: bool) -> Examination:
    """Like `runner.examine`, with the deck's tests, in a workspace of its own."""
    project = runner.project
    with tempfile.TemporaryDirectory(prefix="sdkbench-tests-") as folder:
        texts = {
            path: apply(exact_text(_source(project, path)), edits)
            for path, edits in deck.edits.items()
        }
        altered = runner.with_project(with_tests(project, texts, Path(folder)))
        return altered.examine(run_build=run_build)


def _source(project: Project, path: str) -> Path:
    """The trusted file on the host that stands at `path` below the workspace."""
    for placement in project.trusted:
        if path == placement.target:
            return placement.source
        if path.startswith(f"{placement.target}/"):
            return placement.source / path.removeprefix(f"{placement.target}/")
    raise ValueError(f"{path} is no trusted file of this project")
