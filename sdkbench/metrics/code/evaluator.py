"""CodeEvaluator: a metric that is read from code and held against a sample's right solutions."""

import functools
from abc import ABC, abstractmethod

from sdkbench.core import GroundTruth, Solution
from sdkbench.core.arguments import public
from sdkbench.metrics.code.facts import CodeFacts
from sdkbench.metrics.code.models import MetricResult
from sdkbench.metrics.code.targets import REFERENCE_ONLY, SampleCode

KEPT_SAMPLES = 256


@functools.lru_cache(maxsize=KEPT_SAMPLES)
def sample_code(ground_truth: GroundTruth) -> SampleCode:
    return SampleCode(ground_truth)


def facts_of(solution: Solution) -> CodeFacts:
    return CodeFacts({p: text for p, text in solution.files.items() if p not in REFERENCE_ONLY})


class CodeEvaluator(ABC):
    """Reads `solution` and holds it against the sample that `ground_truth` belongs to."""

    @public
    def __init__(self, solution: Solution, ground_truth: GroundTruth) -> None:
        self.solution = solution
        self.ground_truth = ground_truth

    def evaluate(self) -> MetricResult:
        return self.measure(facts_of(self.solution), sample_code(self.ground_truth))

    @abstractmethod
    def measure(self, facts: CodeFacts, sample: SampleCode) -> MetricResult: ...
