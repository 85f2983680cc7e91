"""SEM-SIM: how near is the code to a right solution, whatever its names, layout and order?"""

import math
from collections import Counter
from collections.abc import Hashable

from sdkbench.metrics.code.evaluator import CodeEvaluator
from sdkbench.metrics.code.facts import CodeFacts
from sdkbench.metrics.code.models import Finding, MetricResult, Part
from sdkbench.metrics.code.targets import SampleCode

METRIC = "SEM-SIM"
Bag = Counter[Hashable]


def similarity(facts: CodeFacts, sample: SampleCode) -> MetricResult:
    """Against the reference and its right variants; the nearest one counts."""
    results = [(_parts(facts, model.facts, sample), model.name) for model in sample.models]
    parts, name = max(results, key=lambda each: sum(p.weight * (p.score or 0) for p in each[0]))
    finding = Finding(message=f"nearest to the right variant {name}")
    return MetricResult(
        metric=METRIC, parts=parts, findings=(finding,) if name != "reference" else ()
    )


def _parts(facts: CodeFacts, model: CodeFacts, sample: SampleCode) -> tuple[Part, ...]:
    mine, theirs = sample.sdk_calls(facts), sample.sdk_calls(model)
    patterns = None
    if mine or theirs:
        patterns = 100 * overlap(Counter(k for k, _ in mine), Counter(k for k, _ in theirs))
    return (
        Part(name="structure", weight=30, score=100 * cosine(_shape(facts), _shape(model))),
        Part(name="SDK patterns", weight=40, score=patterns),
        Part(
            name="approach",
            weight=30,
            score=100 * overlap(_approach(facts, sample), _approach(model, sample)),
        ),
    )


def _shape(facts: CodeFacts) -> Bag:
    """Kinds of nodes with those around them; no names, no literals, no order."""
    return Counter(shape for file in facts.files for shape in file.shapes)


def _approach(facts: CodeFacts, sample: SampleCode) -> Bag:
    """How the SDK is used: under which control, with which options; what is raised and caught."""
    bag: Bag = Counter()
    for key, call in sample.sdk_calls(facts):
        bag["use", key, call.controls] += 1
        bag.update(("option", key, name) for name in call.keys)
    for name, placed in facts.raised():
        bag["raise", name, placed.controls] += 1
    for file in facts.files:
        bag["catch", file.grammar.name] += len(file.handlers)
        bag["function", file.grammar.name] += len(file.functions)
    return bag


def overlap(first: Bag, second: Bag) -> float:
    """What two multisets share, of what both have; 1 for two empty ones."""
    both = (first & second).total()
    either = (first | second).total()
    return both / either if either else 1.0


def cosine(first: Bag, second: Bag) -> float:
    """Of roots of the counts, so that what is frequent in any code doesn't outweigh the rest."""
    if not first or not second:
        return 1.0 if first == second else 0.0
    product = sum(math.sqrt(count * second[shape]) for shape, count in first.items())
    return min(1.0, product / math.sqrt(first.total() * second.total()))


class SemSimEvaluator(CodeEvaluator):
    """SEM-SIM: nearness to a right solution."""

    def measure(self, facts: CodeFacts, sample: SampleCode) -> MetricResult:
        return similarity(facts, sample)
