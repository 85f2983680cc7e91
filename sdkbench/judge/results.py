"""ResultOf: puts the stages of one attempt together into its FCorrResult."""

import time

from sdkbench.core import Assurance, Fault, Outcome
from sdkbench.judge.reference import Reference
from sdkbench.judge.scoring import score
from sdkbench.judge.subject import Options, Subject
from sdkbench.judge.twinned import Judged
from sdkbench.judge.verdict import Verdict
from sdkbench.sandbox import Completed
from sdkbench.test_harness import (
    BaseTestRunner,
    BuildResult,
    DependencyInstallResult,
    Examination,
    FCorrResult,
    SandboxReport,
    TestResult,
)


class ResultOf:
    """One attempt's result, at whichever stage it ended."""

    def __init__(
        self,
        subject: Subject,
        options: Options,
        runner: BaseTestRunner,
        began: float,
        reference: Reference | None,
        notes: list[str],
    ) -> None:
        self._subject = subject
        self._options = options
        self._runner = runner
        self._began = began
        self._notes = [*notes, *(reference.notes if reference else [])]
        self._expectation = reference.expectation if reference else None
        self.assurance = reference.assurance if reference else Assurance.PLAIN

    def not_installed(self, installed: DependencyInstallResult) -> FCorrResult:
        verdict = Verdict(
            outcome=Outcome.FAILED,
            assurance=self.assurance,
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
        verdict = Verdict(outcome=outcome, assurance=self.assurance, fault=fault, reason=reason)
        return self._result(verdict, installed, build=build, tests=None, process=process)

    def judged(self, installed: DependencyInstallResult, judged: Judged) -> FCorrResult:
        if judged.verdict is None:
            return self.without_tests(installed, judged.examined)
        return self.tested(installed, judged.examined, judged.verdict)

    def tested(
        self,
        installed: DependencyInstallResult,
        examined: Examination,
        verdict: Verdict,
    ) -> FCorrResult:
        assert examined.evidence is not None  # noqa: S101 - the caller has looked
        evidence = examined.evidence
        if self._expectation is not None:
            evidence = evidence.without(self._expectation.unstable)
        tests = evidence.summary()
        if self._expectation is not None:
            # A run cut short is measured by what it should have run.
            known = len(self._expectation.known - {*self._expectation.unstable})
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
            excluded_tests=list(self._expectation.unstable) if self._expectation else [],
            notes=[*self._notes, *(process.notes if process else [])],
        )
