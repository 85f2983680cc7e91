"""Running a solution on decks of its sample's tests."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sdkbench.core import Outcome, Project
from sdkbench.datasets import with_tests
from sdkbench.judge.decks import DeckRun, as_they_are
from sdkbench.judge.expectation import Expectation
from sdkbench.judge.twins import Deck, apply
from sdkbench.test_harness import BaseTestRunner, Examination
from sdkbench.test_harness.alteration import exact_text

SIDE_BY_SIDE = 2


def examine_decks(
    runner: BaseTestRunner, decks: Sequence[Deck], *, together: bool, run_build: bool = False
) -> Iterator[Examination]:
    """What each deck shows, each in a workspace of its own; only the first one builds.

    `together` shares what can be shared; without it the others are run, two at a time, when more
    than the first is asked for.
    """
    with contextlib.ExitStack() as stack:
        projects = [stack.enter_context(_laid_out(runner.project, deck)) for deck in decks]
        found = runner.examine_together(projects, run_build=run_build) if together else None
        if found is not None:
            yield from found
            return
        first, *rest = projects
        yield runner.with_project(first).examine(run_build=run_build)
        # A core that the first one's type check kept busy is free now.
        with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="deck") as pool:
            yield from pool.map(
                lambda project: runner.with_project(project).examine(run_build=False), rest
            )


def is_clean(deck: Deck, examined: Examination, expectation: Expectation) -> bool:
    """Whether all passed that stands in the deck as it is, in a run without fault."""
    if examined.evidence is None:
        return False
    verdict = as_they_are(DeckRun(deck, examined.evidence), expectation)
    return verdict.outcome is Outcome.PASSED


@contextlib.contextmanager
def _laid_out(project: Project, deck: Deck) -> Iterator[Project]:
    with tempfile.TemporaryDirectory(prefix="sdkbench-tests-") as folder:
        texts = {
            path: apply(exact_text(_source(project, path)), edits)
            for path, edits in deck.edits.items()
        }
        yield with_tests(project, texts, Path(folder))


def _source(project: Project, path: str) -> Path:
    """The trusted file on the host that stands at `path` below the workspace."""
    for placement in project.trusted:
        if path == placement.target:
            return placement.source
        if path.startswith(f"{placement.target}/"):
            return placement.source / path.removeprefix(f"{placement.target}/")
    raise ValueError(f"{path} is no trusted file of this project")
