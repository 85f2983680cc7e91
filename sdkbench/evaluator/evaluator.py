"""Evaluator: every metric of one solution folder, and the overall score."""

from collections.abc import Mapping

from pydantic import InstanceOf

from sdkbench.core import GroundTruth, ScoreMode, Solution
from sdkbench.core.arguments import AnyPath, PublicModel, public, public_methods
from sdkbench.metrics.code.models import MetricResult
from sdkbench.metrics.cq import CqEvaluator
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.metrics.overall import Overall, overall
from sdkbench.metrics.reading import read_metrics
from sdkbench.metrics.statistics import JUDGED
from sdkbench.test_harness import FCorrResult, Harness, QuickCheck


class EvaluationResult(PublicModel):
    """`metrics` are those that were asked for and that there is a ground truth for."""

    solution_dir: str
    sample_id: str | None = None
    files: int
    quick: QuickCheck
    f_corr: FCorrResult | None = None
    metrics: tuple[MetricResult, ...] = ()

    def scores(self) -> dict[str, float | None]:
        """By metric; None where one says nothing of this solution."""
        figures = {each.metric: each.score for each in self.metrics}
        judged = self.f_corr is not None and self.f_corr.outcome in JUDGED
        return {**figures, "F-CORR": self.f_corr.score if self.f_corr and judged else None}

    @public
    def overall(self, weights: str | Mapping[str, float] = "classic") -> Overall:
        """Raises InputError for weights that are unknown or don't add up."""
        return overall(self.scores(), weights)


@public_methods
class Evaluator:
    """Reads `solution_dir` and, where given, the sample's metadata; nothing runs until asked.

    Raises InputError for a folder that can't be read and SampleError for broken metadata.
    """

    def __init__(
        self,
        solution_dir: AnyPath,
        metadata_path: AnyPath | None = None,
        *,
        harness: InstanceOf[Harness] | None = None,
    ) -> None:
        self.solution = Solution(solution_dir)
        self.ground_truth = None if metadata_path is None else GroundTruth(metadata_path)
        self._f_corr = FCorrEvaluator(self.solution, self.ground_truth, harness=harness)
        self._quality = CqEvaluator(self.solution, self.ground_truth, harness=harness)

    def evaluate(
        self,
        run_fcorr: bool = True,
        auto_install: bool = True,
        mode: ScoreMode = ScoreMode.STRICT,
    ) -> EvaluationResult:
        """All metrics; F-CORR executes the solution in the sandbox unless switched off."""
        result = self._f_corr.evaluate(auto_install=auto_install, mode=mode) if run_fcorr else None
        return self._result(result, self._quality.evaluate())

    def evaluate_quick(self, run_fcorr: bool = False) -> EvaluationResult:
        """What reading alone shows; F-CORR only if asked for."""
        return self._result(self._f_corr.evaluate() if run_fcorr else None)

    def _result(self, f_corr: FCorrResult | None, *others: MetricResult) -> EvaluationResult:
        read = read_metrics(self.solution, self.ground_truth) if self.ground_truth else ()
        metadata = self.ground_truth.metadata if self.ground_truth else None
        return EvaluationResult(
            solution_dir=str(self.solution.solution_dir),
            sample_id=metadata.sample_id if metadata else None,
            files=len(self.solution.paths),
            quick=self._f_corr.quick_check(),
            f_corr=f_corr,
            metrics=(*read, *others),
        )
