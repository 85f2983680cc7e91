"""F-CORR, functional correctness: does the solution install, build, run and pass its tests?"""

from sdkbench.metrics.f_corr.evaluator import FCorrEvaluator
from sdkbench.metrics.f_corr.judge import Options, Subject, judge

__all__ = ["FCorrEvaluator", "Options", "Subject", "judge"]
