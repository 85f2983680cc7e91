"""read_metrics: the four metrics that need no tool, over one reading of the code."""

from sdkbench.core import GroundTruth, Solution
from sdkbench.metrics.c_comp import configuration
from sdkbench.metrics.code.evaluator import facts_of, sample_code
from sdkbench.metrics.code.facts import CodeFacts
from sdkbench.metrics.code.models import MetricResult
from sdkbench.metrics.code.targets import SampleCode
from sdkbench.metrics.i_acc import initialisation
from sdkbench.metrics.ipa import integration
from sdkbench.metrics.sem_sim import similarity


def read_metrics(solution: Solution, ground_truth: GroundTruth) -> tuple[MetricResult, ...]:
    return read_against(facts_of(solution), sample_code(ground_truth))


def read_against(facts: CodeFacts, sample: SampleCode) -> tuple[MetricResult, ...]:
    return tuple(
        measure(facts, sample)
        for measure in (initialisation, configuration, integration, similarity)
    )
