"""Subject and Options: what is judged, and how. `prepared`: its files laid out, and its runner."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Integrity, Project, ScoreMode, tree
from sdkbench.core.ground_truth import Permissions
from sdkbench.core.tree import shown
from sdkbench.datasets import Sample, lay_out, lay_out_apart, lay_out_folder
from sdkbench.errors import InputError, NoRunner
from sdkbench.judge.inner_project import inner_project
from sdkbench.test_harness import BaseTestRunner, Harness, TestRunnerRegistry
from sdkbench.test_harness.black_box import BlackBoxRunner, Sides


class Subject(NamedTuple):
    """What is judged: a solution of a sample, or a folder on its own tests."""

    solution_dir: Path
    sample: Sample | None = None

    @property
    def name(self) -> str:
        return self.sample.id if self.sample else shown(self.solution_dir.resolve().name)

    @property
    def is_reference(self) -> bool:
        return self.sample is not None and self.solution_dir == self.sample.reference_dir


class Options(NamedTuple):
    mode: ScoreMode = ScoreMode.STRICT
    integrity: Integrity = Integrity.CHECKED
    timeout: float = 300.0
    run_build: bool = True
    run_tests: bool = True
    language: str | None = None
    test_dir: str | None = None
    allow_build: bool = False  # of a plain folder: packages may run code when they are installed
    reference_runs: int = 1  # how often the reference must pass before a test counts as stable


def located_tests(subject: Subject, test_dir: Path) -> str | None:
    """`test_dir` as the options want it: below the solution, None for all of its tests.

    A solution of a sample is judged on all of the sample's tests, so those are all that may be
    named. InputError for anything else.
    """
    if subject.sample is None:
        inner = tree.below(subject.solution_dir.resolve(), test_dir, what="The folder of tests")
        return None if inner == "." else inner
    sample = subject.sample
    tests = sample.tests_dir.resolve()
    if tests not in {(sample.root / test_dir).resolve(), test_dir.resolve()}:
        raise InputError(
            f"A solution of {sample.id} is judged on the sample's tests, all of them: {test_dir} "
            f"is not {tests}. Leave test_dir away, or judge without the sample's metadata."
        )
    return None


def inner_folder(subject: Subject, options: Options) -> Path | None:
    """The folder of a plain project below the one that was named, where it is not that itself."""
    if subject.sample is not None or options.test_dir is not None:
        return None
    return inner_project(subject.solution_dir)


@contextlib.contextmanager
def prepared(subject: Subject, options: Options, harness: Harness) -> Iterator[BaseTestRunner]:
    """The runner for a private copy of the subject; the copy is gone when the block is left.

    Raises NoRunner where no runner fits.
    """
    with tempfile.TemporaryDirectory(prefix="sdkbench-") as name:
        folder = Path(name)
        box = subject.sample.ground_truth.metadata.black_box if subject.sample else None
        if subject.sample and box:  # its tests only reach the solution over a process boundary
            apart = lay_out_apart(subject.sample, subject.solution_dir, folder)
            sides = Sides(apart.solution, apart.tests, subject.sample.reference_dir)
            runner: BaseTestRunner = BlackBoxRunner(
                sides, box, options.timeout, harness=harness, language=options.language
            )
        else:
            runner = _runner(subject, _project(subject, options, folder), options, harness)
        runner.skips_build = not options.run_build
        yield runner


def _project(subject: Subject, options: Options, folder: Path) -> Project:
    if subject.sample is not None:
        return lay_out(subject.sample, subject.solution_dir, folder)
    whole = subject.solution_dir / (inner_folder(subject, options) or "")
    project = lay_out_folder(whole, folder, options.test_dir)
    if options.allow_build:
        allowed = Permissions(build_from_source=True, install_scripts=True)
        project = project.model_copy(update={"permissions": allowed})
    if options.test_dir is not None:
        copy = project.solution.source.resolve()
        tests = (copy / options.test_dir).resolve()
        if not tests.is_relative_to(copy) or not tests.exists():
            raise InputError(f"No tests at {options.test_dir} in {subject.solution_dir}.")
    return project


def _runner(
    subject: Subject, project: Project, options: Options, harness: Harness
) -> BaseTestRunner:
    runner = TestRunnerRegistry.get_runner(
        project.solution.source,
        options.timeout,
        language=options.language,
        project=project,
        harness=harness,
    )
    if runner is None:
        raise NoRunner(
            f"No runner recognised {subject.solution_dir}. Looked for the manifests and test files "
            f"of: {', '.join(sorted(r.name for r in TestRunnerRegistry.get_all_runners()))}. "
            "Pass --language, or install a runner plugin."
        )
    return runner
