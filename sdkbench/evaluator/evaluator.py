"""Evaluator: every metric of one solution folder; F-CORR is the first of them."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from sdkbench.core import GroundTruth, ScoreMode, Solution
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.test_harness import FCorrResult, Harness, QuickCheck


class EvaluationResult(BaseModel):
    model_config = ConfigDict(frozen=True)

    solution_dir: str
    sample_id: str | None = None
    files: int
    quick: QuickCheck
    f_corr: FCorrResult | None = None


class Evaluator:
    """Reads `solution_dir` and, where given, the sample's metadata; nothing runs until asked.

    Raises InputError for a folder that can't be read and SampleError for broken metadata.
    """

    def __init__(
        self,
        solution_dir: Path | str,
        metadata_path: Path | str | None = None,
        *,
        harness: Harness | None = None,
    ) -> None:
        self.solution = Solution(solution_dir)
        self.ground_truth = None if metadata_path is None else GroundTruth(metadata_path)
        self._f_corr = FCorrEvaluator(self.solution, self.ground_truth, harness=harness)

    def evaluate(
        self,
        run_fcorr: bool = True,
        auto_install: bool = True,
        mode: ScoreMode = ScoreMode.STRICT,
    ) -> EvaluationResult:
        """All metrics; F-CORR executes the solution in the sandbox unless switched off."""
        result = self._f_corr.evaluate(auto_install=auto_install, mode=mode) if run_fcorr else None
        return self._result(result)

    def evaluate_quick(self, run_fcorr: bool = False) -> EvaluationResult:
        """What reading alone shows; F-CORR only if asked for."""
        return self._result(self._f_corr.evaluate() if run_fcorr else None)

    def _result(self, f_corr: FCorrResult | None) -> EvaluationResult:
        metadata = self.ground_truth.metadata if self.ground_truth else None
        return EvaluationResult(
            solution_dir=str(self.solution.solution_dir),
            sample_id=metadata.sample_id if metadata else None,
            files=len(self.solution.paths),
            quick=self._f_corr.quick_check(),
            f_corr=f_corr,
        )
