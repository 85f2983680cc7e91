"""judge(): one solution from left to right. Every stage has its name here."""

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Assurance, Fault, Outcome, Project, ScoreMode, Solution
from sdkbench.core.tree import shown
from sdkbench.datasets import Sample, lay_out, lay_out_folder
from sdkbench.errors import InputError
from sdkbench.integrity import Expectation, Verdict, decide
from sdkbench.metrics.f_corr.reference import expected_ids
from sdkbench.metrics.f_corr.scoring import score
from sdkbench.sandbox import Completed
from sdkbench.test_harness import (
    BaseTestRunner,
    BuildResult,
    DependencyInstallResult,
    Examination,
    FCorrResult,
    Harness,
    SandboxReport,
    TestResult,
    TestRunnerRegistry,
)


class Subject(NamedTuple):
    """What is judged: a solution of a sample, or a folder on its own tests."""

    solution_dir: Path
    sample: Sample | None = None

    @property
    def name(self) -> str:
        return self.sample.id if self.sample else shown(self.solution_dir.resolve().name)


class Options(NamedTuple):
    mode: ScoreMode = ScoreMode.STRICT
    timeout: float = 300.0
    run_build: bool = True
    run_tests: bool = True
    use_reference: bool = True
    language: str | None = None
    test_dir: str | None = None


def judge(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
    """The verdict on `subject`. Raises InputError for a folder that can't be judged at all, and a
    HarnessFault for what is ours; everything the solution does is an outcome.
    """
    began = time.monotonic()
    solution = Solution(subject.solution_dir)
    with prepared(subject, options, harness) as runner:
        expectation = _expectation(subject, options, harness)
        report = _Report(subject, options, runner, began, solution.left_out, expectation)
        installed = runner.install_dependencies()
        if not installed.success:
            return report.not_installed(installed)
        examined = runner.examine(
            run_build=options.run_build, run_tests=options.run_tests, test_dir=options.test_dir
        )
        if examined.evidence is None:
            return report.without_tests(installed, examined)
        verdict = decide(examined.evidence, expectation)
        return report.tested(installed, examined, verdict)


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
        raise InputError(
            f"No runner recognised {subject.solution_dir}. Looked for the manifests and test files "
            f"of: {', '.join(sorted(r.name for r in TestRunnerRegistry.get_all_runners()))}. "
            "Pass --language, or install a runner plugin."
        )
    return runner


def _expectation(subject: Subject, options: Options, harness: Harness) -> Expectation | None:
    if subject.sample is None or not options.use_reference or not options.run_tests:
        return None
    return expected_ids(subject.sample, harness, timeout=options.timeout)


class _Report:
    """Puts the stages' results together into one FCorrResult."""

    def __init__(
        self,
        subject: Subject,
        options: Options,
        runner: BaseTestRunner,
        began: float,
        notes: list[str],
        expectation: Expectation | None,
    ) -> None:
        self._subject = subject
        self._options = options
        self._runner = runner
        self._began = began
        self._notes = notes
        self._expectation = expectation
        self._assurance = Assurance.PLAIN if expectation is None else Assurance.CHECKED

    def not_installed(self, installed: DependencyInstallResult) -> FCorrResult:
        verdict = Verdict(
            outcome=Outcome.FAILED,
            assurance=self._assurance,
            fault=Fault.INSTALL,
            reason=f"The dependencies cannot be installed: {installed.error}",
        )
        return self._result(verdict, installed, build=None, tests=None, process=None)

    def without_tests(
        self, installed: DependencyInstallResult, examined: Examination
    ) -> FCorrResult:
        """A build that failed, or one that was all that was asked for."""
        build, process = examined.build, examined.process
        if build.success:
            outcome, fault, reason = Outcome.NOT_EXECUTED, None, "The tests were not run."
        else:
            more = f" (and {len(build.errors) - 1} more)" if len(build.errors) > 1 else ""
            outcome, fault = Outcome.FAILED, Fault.BUILD
            reason = f"The build failed: {build.errors[0] if build.errors else 'no message'}{more}"
        verdict = Verdict(outcome=outcome, assurance=self._assurance, fault=fault, reason=reason)
        return self._result(verdict, installed, build=build, tests=None, process=process)

    def tested(
        self,
        installed: DependencyInstallResult,
        examined: Examination,
        verdict: Verdict,
    ) -> FCorrResult:
        assert examined.evidence is not None  # noqa: S101 - the caller has looked
        tests = examined.evidence.summary()
        if self._expectation is not None:
            # A run cut short is measured by what it should have run.
            known = len(self._expectation.must_pass) + len(self._expectation.may_skip)
            tests = tests.model_copy(update={"total": max(tests.total, known)})
        tests = tests.model_copy(update={"success": verdict.outcome is Outcome.PASSED})
        if verdict.outcome is Outcome.FAILED and not examined.build.success:
            verdict = verdict.model_copy(update={"fault": Fault.BUILD})
        return self._result(
            verdict, installed, build=examined.build, tests=tests, process=examined.process
        )

    def _result(
        self,
        verdict: Verdict,
        installed: DependencyInstallResult,
        *,
        build: BuildResult | None,
        tests: TestResult | None,
        process: Completed | None,
    ) -> FCorrResult:
        errors = None if build is None else len(build.errors)
        scored = score(self._options.mode, verdict.outcome, build_errors=errors, tests=tests)
        sandbox = process and SandboxReport(level=process.level, unapplied=list(process.unapplied))
        return FCorrResult(
            score=scored.score,
            outcome=verdict.outcome,
            assurance=verdict.assurance,
            mode=self._options.mode,
            sample_id=self._subject.name,
            language=self._runner.get_language(),
            framework=self._runner.get_framework(),
            error=verdict.reason,
            fault=verdict.fault,
            findings=list(verdict.findings),
            test_results=tests,
            install_results=installed,
            build_results=build,
            runtime_errors=scored.runtime_errors,
            runtime_score=scored.runtime_score,
            duration=time.monotonic() - self._began,
            sandbox=sandbox,
            notes=[*self._notes, *(process.notes if process else [])],
        )
