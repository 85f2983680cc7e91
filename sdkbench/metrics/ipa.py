"""IPA: is the SDK used at the expected points, and at no others?"""

from sdkbench.metrics.code.evaluator import CodeEvaluator
from sdkbench.metrics.code.facts import CodeFacts
from sdkbench.metrics.code.models import Finding, MetricResult, Part, share
from sdkbench.metrics.code.targets import SampleCode, WantedPoint

METRIC = "IPA"


def integration(facts: CodeFacts, sample: SampleCode) -> MetricResult:
    """F1 is the score; precision and recall are told with it."""
    calls = sample.sdk_calls(facts)
    wanted = sample.targets.points
    if not wanted:
        return MetricResult(metric=METRIC, parts=(Part(name="F1", weight=100, score=None),))
    uses = {(key, call.place.path) for key, call in calls}
    missing = [point for point in wanted if not _has(point, uses)]
    known = {key for model in sample.models for key, _ in sample.sdk_calls(model.facts)}
    strange = {key: call for key, call in calls if key not in known}
    used = {key for key, _ in calls}
    recall = (len(wanted) - len(missing)) / len(wanted)
    precision = (len(used) - len(strange)) / len(used) if used else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return MetricResult(
        metric=METRIC,
        parts=(
            Part(name="F1", weight=100, score=100 * f1),
            Part(name="precision", weight=0, score=100 * precision),
            Part(name="recall", weight=0, score=share(len(wanted) - len(missing), len(wanted))),
        ),
        findings=(
            *(Finding(message=f"{point} is missing") for point in missing),
            *(
                Finding(
                    message=f"{call}: no right solution calls it",
                    path=call.place.path,
                    line=call.place.line,
                )
                for call in strange.values()
            ),
        ),
    )


def _has(point: WantedPoint, used: set[tuple[str, str]]) -> bool:
    return any(name == point.name and point.path in {"", path} for name, path in used)


class IpaEvaluator(CodeEvaluator):
    """IPA: precision and recall over the expected integration points."""

    def measure(self, facts: CodeFacts, sample: SampleCode) -> MetricResult:
        return integration(facts, sample)
