"""Running a solution on mutant suites, and reading one run of the whole out of all of them."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Outcome, Project
from sdkbench.datasets import with_tests
from sdkbench.judge.expectation import Expectation
from sdkbench.judge.mutants import MutantSuite, apply
from sdkbench.judge.verdict import Verdict, decide
from sdkbench.test_harness import BaseTestRunner, Examination
from sdkbench.test_harness.mutations import exact_text

SIDE_BY_SIDE = 2


class SuiteRun(NamedTuple):
    suite: MutantSuite
    examination: Examination

    def unchanged(self, expectation: Expectation) -> Verdict:
        """The verdict by the tests that this suite holds unchanged."""
        return decide(self.examination, expectation, aside=self.suite.mutated)

    def is_clean(self, expectation: Expectation) -> bool:
        """Whether every unchanged test passed, in a run without fault."""
        return (
            self.examination.evidence is not None
            and self.unchanged(expectation).outcome is Outcome.PASSED
        )


def run_suites(
    runner: BaseTestRunner,
    suites: Sequence[MutantSuite],
    *,
    run_build: bool = False,
) -> Iterator[SuiteRun]:
    """Each suite in a workspace of its own; only the first run builds.

    The suites after the first are run two at a time, once the caller asks for them.
    """
    with contextlib.ExitStack() as stack:
        projects = [stack.enter_context(_laid_out(runner.project, suite)) for suite in suites]
        first, *rest = projects
        yield SuiteRun(suites[0], runner.with_project(first).examine(run_build=run_build))
        # A core that the first one's type check kept busy is free now.
        with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="suite") as pool:
            others = pool.map(
                lambda project: runner.with_project(project).examine(run_build=False), rest
            )
            yield from map(SuiteRun, suites[1:], others)


def merged(runs: Sequence[SuiteRun]) -> Examination:
    """One run of the whole suite: each test as it went where it stands unchanged.

    Every run has evidence.
    """
    evidences = [run.examination.evidence for run in runs]
    unchanged = [
        report
        for run, evidence in zip(runs, evidences, strict=True)
        if evidence is not None
        for report in evidence.without(run.suite.mutated).reports
    ]
    # A test without a mutant stands unchanged in every suite.
    reports = tuple({report.id: report for report in unchanged}.values())
    last = runs[-1].examination
    assert last.evidence is not None  # noqa: S101 - the caller has looked
    seconds = sum(run.examination.process.duration_seconds for run in runs)
    process = last.evidence.process.model_copy(
        update={"stdout": "", "stderr": "", "duration_seconds": seconds}
    )
    evidence = last.evidence.model_copy(
        update={
            "reports": reports,
            "collected": tuple(report.id for report in reports),
            "console": None,
            "process": process,
        }
    )
    return last.model_copy(update={"evidence": evidence, "process": process})


@contextlib.contextmanager
def _laid_out(project: Project, suite: MutantSuite) -> Iterator[Project]:
    with tempfile.TemporaryDirectory(prefix="sdkbench-tests-") as folder:
        texts = {
            path: apply(exact_text(_source(project, path)), edits)
            for path, edits in suite.edits.items()
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
