"""F-CORR, functional correctness: does the solution install, build, run and pass its tests?"""

from sdkbench.metrics.f_corr.evaluator import FCorrEvaluator
from sdkbench.metrics.f_corr.judge import judge
from sdkbench.metrics.f_corr.subject import Options, Subject

__all__ = ["FCorrEvaluator", "Options", "Subject", "judge"]
