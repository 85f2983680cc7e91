"""FCorrEvaluator: the public face of F-CORR for one solution."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from pydantic import InstanceOf

from sdkbench.core import Assurance, GroundTruth, Integrity, Outcome, ScoreMode, Solution
from sdkbench.core.arguments import AnyPath, Seconds, public_methods
from sdkbench.datasets import Sample
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject, located_tests, prepared
from sdkbench.test_harness import (
    BaseTestRunner,
    CheckDetails,
    CoverageDetails,
    FCorrResult,
    Harness,
    QuickCheck,
    quick_check,
)


@public_methods
class FCorrEvaluator:
    """Judges `solution` on the tests of the sample that `ground_truth` belongs to.

    Without a ground truth, or where its sample has no tests, the solution is judged on its own
    tests, at assurance `plain`.
    """

    def __init__(
        self,
        solution: Solution,
        ground_truth: GroundTruth | None = None,
        *,
        harness: InstanceOf[Harness] | None = None,
        timeout: Seconds = 300.0,
    ) -> None:
        self.solution = solution
        self.ground_truth = ground_truth
        self.timeout = timeout
        self._harness = harness

    @property
    def harness(self) -> Harness:
        if self._harness is None:
            self._harness = Harness.default()
        return self._harness

    @property
    def subject(self) -> Subject:
        sample = None
        if self.ground_truth is not None and (self.ground_truth.sample_dir / "tests").is_dir():
            sample = Sample(self.ground_truth.sample_dir, self.ground_truth)
        return Subject(self.solution.solution_dir, sample)

    def evaluate(
        self,
        auto_install: bool = True,
        test_dir: AnyPath | None = None,
        strict: bool = True,
        run_build: bool = True,
        run_tests: bool = True,
        *,
        mode: ScoreMode | None = None,
        integrity: Integrity = Integrity.CHECKED,
    ) -> FCorrResult:
        """Install, build, test, decide, score. `mode` overrides `strict`, which chooses between
        strict and pass rate.

        Whatever goes wrong with the solution, the sample or the machine is in the result, as on the
        command line; only a wrong argument raises: InputError, for a `test_dir` that is not there,
        say.
        """
        options = Options(
            mode=mode or (ScoreMode.STRICT if strict else ScoreMode.PASS_RATE),
            integrity=integrity,
            timeout=self.timeout,
            run_build=run_build,
            run_tests=run_tests,
            test_dir=None if test_dir is None else located_tests(self.subject, Path(test_dir)),
        )
        harness = self.harness._replace(install=auto_install)
        return judge_attempt(self.subject, options, harness)

    def quick_check(self) -> QuickCheck:
        """What can be said at once, by reading alone."""
        return quick_check(self.solution.solution_dir)

    def evaluate_without_execution(self) -> FCorrResult:
        """A reading of the solution; the score stays 0 because nothing was shown to work."""
        check = self.quick_check()
        return FCorrResult(
            score=0.0,
            outcome=Outcome.NOT_EXECUTED,
            assurance=Assurance.PLAIN,
            sample_id=self.subject.name,
            language=check.language,
            framework=check.framework,
            error="Nothing was executed: this is what reading alone shows.",
            notes=list(check.problems),
        )

    def get_type_check_details(self) -> CheckDetails:
        with self._runner() as runner:
            return runner.type_check()

    def get_lint_details(self) -> CheckDetails:
        with self._runner() as runner:
            return runner.lint()

    def get_coverage_details(self) -> CoverageDetails:
        """Lines of the solution that its sample's tests (or its own) run through."""
        with self._runner() as runner:
            return runner.coverage()

    @contextlib.contextmanager
    def _runner(self) -> Iterator[BaseTestRunner]:
        options = Options(timeout=self.timeout)
        with prepared(self.subject, options, self.harness) as runner:
            yield runner
