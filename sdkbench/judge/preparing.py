"""prepared: a private copy of a solution, laid out with its tests, and the runner for it."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sdkbench.core import Project
from sdkbench.datasets import lay_out, lay_out_folder
from sdkbench.errors import InputError, NoRunner
from sdkbench.judge.black_box import black_box_runner, declared
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import BaseTestRunner, Harness, TestRunnerRegistry


@contextlib.contextmanager
def prepared(subject: Subject, options: Options, harness: Harness) -> Iterator[BaseTestRunner]:
    """Gone when the block is left. Raises NoRunner where none fits."""
    with tempfile.TemporaryDirectory(prefix="sdkbench-") as folder:
        box = declared(subject.sample)
        if subject.sample is not None and box is not None:
            yield black_box_runner(
                subject.sample,
                box,
                subject.solution_dir,
                Path(folder),
                timeout=options.timeout,
                harness=harness,
                language=options.language,
            )
            return
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
