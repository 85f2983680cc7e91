"""Metrics that are read from code, for the attempts of a run that asks for them."""

import functools
from collections.abc import Callable
from pathlib import Path

from pydantic import JsonValue

from sdkbench.core import Solution
from sdkbench.datasets import Sample
from sdkbench.engine.settings import RunSettings
from sdkbench.errors import SdkbenchError
from sdkbench.metrics.code.models import MetricResult
from sdkbench.metrics.cq import CqEvaluator
from sdkbench.metrics.reading import read_metrics
from sdkbench.test_harness import Harness

METRICS = "metrics"  # the key in an attempt's result
Measure = Callable[[Path, Sample], JsonValue]


def code_measure(settings: RunSettings) -> Measure:
    """To be called from any thread, with a solution's folder and its sample."""

    @functools.cache
    def harness() -> Harness:
        return Harness.default(settings.sandbox, install=not settings.no_install, warm=False)

    def measure(folder: Path, sample: Sample) -> JsonValue:
        """Nothing where a solution can't be read: its verdict says why."""
        try:
            solution = Solution(folder)
            results: list[MetricResult] = [*read_metrics(solution, sample.ground_truth)]
            quality = CqEvaluator(solution, sample.ground_truth, harness=harness())
            results.append(quality.evaluate())
        except SdkbenchError:
            return []
        return [result.model_dump(mode="json") for result in results]

    return measure
