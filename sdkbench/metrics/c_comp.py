"""C-COMP: are the environment variables, packages and options there that the SDK needs?"""

from collections.abc import Collection, Sequence

from sdkbench.metrics.code.evaluator import CodeEvaluator
from sdkbench.metrics.code.facts import CodeFacts
from sdkbench.metrics.code.manifests import dependencies_of
from sdkbench.metrics.code.models import Finding, MetricResult, Part, share
from sdkbench.metrics.code.targets import SampleCode, variables_of

METRIC = "C-COMP"


def configuration(facts: CodeFacts, sample: SampleCode) -> MetricResult:
    targets = sample.targets
    keys = {name for _, call in sample.sdk_calls(facts) for name in call.keys}
    optional = _optional(sample)
    packages = [*targets.dependencies, *targets.properties]
    given = {*dependencies_of(facts.texts), *keys}
    return MetricResult(
        metric=METRIC,
        parts=(
            _part("environment variables", 50, targets.variables, variables_of(facts)),
            _part("dependencies and properties", 30, packages, given),
            _part("options", 20, [o for o in targets.options if o not in optional], keys),
        ),
    )


def _optional(sample: SampleCode) -> set[str]:
    """Options that a right variant does without, where the author names none."""
    used = [
        {name for _, call in sample.sdk_calls(model.facts) for name in call.keys}
        for model in sample.models[1:]
    ]
    return {name for name in sample.targets.options if any(name not in keys for keys in used)}


def _part(name: str, weight: float, wanted: Sequence[str], given: Collection[str]) -> Part:
    if not wanted:
        return Part(name=name, weight=weight, score=None)
    missing = [each for each in wanted if each not in given]
    return Part(
        name=name,
        weight=weight,
        score=share(len(wanted) - len(missing), len(wanted)),
        findings=tuple(Finding(message=f"{each} is missing") for each in missing),
    )


class CCompEvaluator(CodeEvaluator):
    """C-COMP: environment variables, dependencies and properties, options."""

    def measure(self, facts: CodeFacts, sample: SampleCode) -> MetricResult:
        return configuration(facts, sample)
