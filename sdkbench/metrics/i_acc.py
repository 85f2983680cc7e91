"""I-ACC: is the SDK initialised in the right file, with the right imports, pattern and place?"""

from collections.abc import Sequence

from sdkbench.metrics.code.evaluator import CodeEvaluator
from sdkbench.metrics.code.facts import Call, CodeFacts
from sdkbench.metrics.code.models import Finding, MetricResult, Part, share
from sdkbench.metrics.code.targets import SampleCode, Targets, WantedImport, is_of

METRIC = "I-ACC"


def initialisation(facts: CodeFacts, sample: SampleCode) -> MetricResult:
    targets = sample.targets
    calls = sample.sdk_calls(facts)
    used = [call for key, call in calls if key in targets.patterns]
    return MetricResult(
        metric=METRIC,
        parts=(
            _file(targets, used),
            _imports(facts, sample),
            _pattern(targets, [key for key, _ in calls]),
            _placement(sample, used),
        ),
        findings=tuple(
            Finding(message="it can't be read here", path=place.path, line=place.line)
            for place in facts.broken
        ),
    )


def _file(targets: Targets, used: Sequence[Call]) -> Part:
    if not targets.files or not targets.patterns:
        return Part(name="file", weight=20, score=None)
    # Several that an author names all belong to the solution; several derived ones are a choice.
    places = {call.place.path for call in used}
    wanted = targets.files[0]
    if places & {*targets.files}:
        return Part(name="file", weight=20, score=100)
    elsewhere = tuple(
        Finding(
            message=f"{call} is called here; expected in {wanted}",
            path=call.place.path,
            line=call.place.line,
        )
        for call in used[:1]
    )
    missing = Finding(message=f"{targets.patterns[0]} is expected in {wanted}")
    return Part(name="file", weight=20, score=0, findings=elsewhere or (missing,))


def _imports(facts: CodeFacts, sample: SampleCode) -> Part:
    wanted = sample.targets.imports
    if not wanted:
        return Part(name="imports", weight=20, score=None)
    missing = [each for each in wanted if not _imported(each, facts)]
    # Another right solution may do without what the reference imports for itself.
    for model in sample.models[1:]:
        if "imports" in sample.targets.derived:
            missing = [each for each in missing if _imported(each, model.facts)]
    return Part(
        name="imports",
        weight=20,
        score=share(len(wanted) - len(missing), len(wanted)),
        findings=tuple(Finding(message=f"{each} is not imported") for each in missing),
    )


def _imported(wanted: WantedImport, facts: CodeFacts) -> bool:
    """By name, or as a part of the whole module."""
    for each in facts.imports:
        if not wanted.name and is_of(each.module, {wanted.module}):
            return True
        if each.module == wanted.module and each.name in {wanted.name, "", "default"}:
            return True
    return False


def _pattern(targets: Targets, keys: Sequence[str]) -> Part:
    if not targets.patterns:
        return Part(name="pattern", weight=30, score=None)
    missing = [name for name in targets.patterns if name not in keys]
    return Part(
        name="pattern",
        weight=30,
        score=share(len(targets.patterns) - len(missing), len(targets.patterns)),
        findings=tuple(Finding(message=f"{name} is never used") for name in missing),
    )


def _placement(sample: SampleCode, used: Sequence[Call]) -> Part:
    """In the same kind of place as in a right solution, and around others where it is so there."""
    if not sample.targets.patterns:
        return Part(name="placement", weight=30, score=None)
    places = {
        (call.scope, call.wraps)
        for model in sample.models
        for key, call in sample.sdk_calls(model.facts)
        if key in sample.targets.patterns
    }
    if any((call.scope, call.wraps) in places for call in used):
        return Part(name="placement", weight=30, score=100)
    findings = tuple(
        Finding(
            message=f"{call} stands in a {call.scope}{'' if call.wraps else ', around nothing'}",
            path=call.place.path,
            line=call.place.line,
        )
        for call in used[:1]
    )
    return Part(name="placement", weight=30, score=0, findings=findings)


class IAccEvaluator(CodeEvaluator):
    """I-ACC: file, imports, pattern and place of the SDK's initialisation."""

    def measure(self, facts: CodeFacts, sample: SampleCode) -> MetricResult:
        return initialisation(facts, sample)
