"""judge(): one solution from left to right. Every stage has its name here."""

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sdkbench.core import Integrity, Project, Solution
from sdkbench.datasets import lay_out, lay_out_folder
from sdkbench.errors import InputError, NoRunner
from sdkbench.integrity import decide
from sdkbench.metrics.f_corr.reference import Reference
from sdkbench.metrics.f_corr.results import ResultOf
from sdkbench.metrics.f_corr.subject import Options, Subject
from sdkbench.metrics.f_corr.twinned import judge_twinned
from sdkbench.test_harness import (
    BaseTestRunner,
    FCorrResult,
    Harness,
    TestRunnerRegistry,
)


def judge(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
    """The verdict on `subject`. Raises InputError for a folder that can't be judged at all, and a
    HarnessFault for what is ours; everything the solution does is an outcome.
    """
    began = time.monotonic()
    solution = Solution(subject.solution_dir)
    with prepared(subject, options, harness) as runner:
        reference = _reference(subject, options, harness)
        expectation = reference.expectation if reference else None
        result = ResultOf(subject, options, runner, began, reference, solution.left_out)
        installed = runner.install_dependencies()
        if not installed.success:
            return result.not_installed(installed)
        if reference and reference.has_twins:
            return result.judged(installed, judge_twinned(runner, reference, options))
        examined = runner.examine(
            run_build=options.run_build, run_tests=options.run_tests, test_dir=options.test_dir
        )
        if examined.evidence is None:
            return result.without_tests(installed, examined)
        return result.tested(installed, examined, decide(examined.evidence, expectation))


@contextlib.contextmanager
def prepared(subject: Subject, options: Options, harness: Harness) -> Iterator[BaseTestRunner]:
    """The runner for a private copy of the solution, laid out with its tests."""
    with tempfile.TemporaryDirectory(prefix="sdkbench-") as folder:
        project = _project(subject, options, Path(folder))
        yield _runner(subject, project, options, harness)


def _project(subject: Subject, options: Options, folder: Path) -> Project:
    if subject.sample is None:
        project = lay_out_folder(subject.solution_dir, folder, options.test_dir)
        if options.test_dir is not None:
            copied = project.solution.source
            wanted = (copied / options.test_dir).resolve()
            if not wanted.is_relative_to(copied.resolve()) or not wanted.exists():
                raise InputError(f"No tests at {options.test_dir} in {subject.solution_dir}.")
        return project
    return lay_out(subject.sample, subject.solution_dir, folder)


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


def _reference(subject: Subject, options: Options, harness: Harness) -> Reference | None:
    if subject.sample is None or not options.run_tests or options.integrity is Integrity.OFF:
        return None
    return Reference(subject.sample, harness, options)
