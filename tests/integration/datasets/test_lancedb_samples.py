"""The bundled samples: references pass, starters fail; and the public classes on one."""

from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.datasets import load_sample
from sdkbench.evaluator import Evaluator
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.test_harness import Harness
from tests.support.nightly import mostly_nightly, of_the_day
from tests.support.places import ROOT

SAMPLES = sorted(p.parent for p in (ROOT / "samples" / "lancedb").glob("*/expected"))


@pytest.mark.parametrize("root", mostly_nightly(SAMPLES, of_the_day, name=lambda p: p.name))
def test_reference_passes_and_starter_fails(root: Path, harness: Harness) -> None:
    sample = load_sample(root)
    reference = judge_attempt(Subject(sample.reference_dir, sample), Options(), harness)
    assert (reference.outcome, reference.score, reference.error) == (Outcome.PASSED, 100, None)
    starter = judge_attempt(Subject(sample.starter_dir, sample), Options(), harness)
    assert (starter.outcome, starter.score) == (Outcome.FAILED, 0)
    assert "NotImplementedError" in (starter.error or "")


def test_the_public_classes_judge_a_sample(harness: Harness) -> None:
    root = next(filter(of_the_day, SAMPLES))
    metadata = root / "expected" / "metadata.json"
    evaluator = Evaluator(root / "expected", metadata, harness=harness)
    quick = evaluator.evaluate_quick()
    assert (quick.f_corr, quick.quick.ok) == (None, True)
    full = evaluator.evaluate(run_fcorr=True)
    assert full.f_corr
    assert full.f_corr.passed
    starter = Evaluator(root / "input", metadata, harness=harness).evaluate_quick(run_fcorr=True)
    assert starter.f_corr
    assert starter.f_corr.score == 0


def test_f_corr_evaluator_details(harness: Harness) -> None:
    root = next(filter(of_the_day, SAMPLES))
    evaluator = Evaluator(root / "expected", root / "expected" / "metadata.json", harness=harness)
    f_corr = FCorrEvaluator(evaluator.solution, evaluator.ground_truth, harness=harness)
    coverage = f_corr.get_coverage_details()
    assert coverage.percent > 80
    assert [f.path for f in coverage.files] == ["expected/app.py"]
    unexecuted = f_corr.evaluate_without_execution()
    assert (unexecuted.outcome, unexecuted.score) == (Outcome.NOT_EXECUTED, 0)
    built = f_corr.evaluate(run_tests=False)
    assert (built.outcome, built.build_results and built.build_results.success) == (
        Outcome.NOT_EXECUTED, True,
    )  # fmt: skip
