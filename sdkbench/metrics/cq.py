"""CQ: what linters and type checkers say, how tangled functions are, how errors are handled.

All of it by density, so that a longer solution is not a worse one. The tools are the language's
own, in an environment of their own; nothing of the solution is executed.
"""

from collections.abc import Callable, Sequence

from pydantic import InstanceOf
from tree_sitter import Node

from sdkbench.core import GroundTruth, Solution
from sdkbench.core.arguments import public_methods
from sdkbench.errors import SdkbenchError
from sdkbench.metrics.code.evaluator import facts_of
from sdkbench.metrics.code.facts import CodeFacts
from sdkbench.metrics.code.grammars import Grammar, text_of
from sdkbench.metrics.code.models import Finding, MetricResult, Part
from sdkbench.metrics.code.scopes import Scope
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.test_harness import CheckDetails, Harness

METRIC = "CQ"
LINT_ZERO = 10.0  # problems in 100 lines at which nothing is left of the part
TYPES_ZERO = 5.0
SIMPLE, TANGLED = 6, 20  # paths through a function: all of the part, and nothing of it
MOST_FINDINGS = 20
SILENT = frozenset({"pass", "...", "continue"})


def quality(
    facts: CodeFacts, lint: CheckDetails | None, types: CheckDetails | None
) -> MetricResult:
    """`lint`, `types`: what the tools found; None where a language has none or it can't run."""
    lines = sum(_code_lines(file.text) for file in facts.files)
    if not lines:
        nothing = Finding(message="there is no code that can be read")
        return MetricResult(metric=METRIC, parts=(), findings=(nothing,))
    return MetricResult(
        metric=METRIC,
        parts=(
            _checked("lint", 35, lint, lines, LINT_ZERO),
            _checked("types", 30, types, lines, TYPES_ZERO),
            _complexity(facts),
            _errors(facts),
        ),
    )


def _code_lines(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def _checked(
    name: str, weight: float, details: CheckDetails | None, lines: int, zero: float
) -> Part:
    if details is None or (not details.success and not details.problems):
        why = "no such tool for this language" if details is None else f"{details.tool} did not run"
        return Part(name=name, weight=weight, score=None, findings=(Finding(message=why),))
    density = 100 * len(details.problems) / lines
    return Part(
        name=name,
        weight=weight,
        score=100 * max(0.0, 1 - density / zero),
        findings=tuple(
            Finding(message=f"{each.code} {each.message}".strip(), path=each.path, line=each.line)
            for each in details.problems[:MOST_FINDINGS]
        ),
    )


def _complexity(facts: CodeFacts) -> Part:
    """McCabe's number of each function: one more than its branches and loops."""
    functions = [function for file in facts.files for function in file.functions]
    if not functions:
        return Part(name="complexity", weight=20, score=None)
    numbers = [(function, complexity(function)) for function in functions]
    rated = [min(1.0, max(0.0, (TANGLED - n) / (TANGLED - SIMPLE))) for _, n in numbers]
    return Part(
        name="complexity",
        weight=20,
        score=100 * sum(rated) / len(rated),
        findings=tuple(
            Finding(
                message=f"{n} paths lead through this function",
                path=function.file.path,
                line=function.node.start_point[0] + 1,
            )
            for function, n in numbers
            if n > SIMPLE
        )[:MOST_FINDINGS],
    )


def complexity(function: Scope) -> int:
    grammar = function.file.grammar
    counted = grammar.branches | grammar.loops | (grammar.handlers - {"try_expression"})
    todo = list(function.node.named_children)
    paths = 1
    while todo:
        node = todo.pop()
        if node.type in grammar.functions:
            continue  # an inner one is counted by itself
        paths += node.type in counted
        todo += node.named_children
    return paths


def _errors(facts: CodeFacts) -> Part:
    """Handlers that swallow what they catch, and those that catch everything."""
    handlers = [
        (file.path, node, file.grammar)
        for file in facts.files
        for node in file.handlers
        if node.type != "try_expression"
    ]
    if not handlers:
        return Part(name="error handling", weight=15, score=None)
    findings = [
        Finding(message=fault, path=path, line=node.start_point[0] + 1)
        for path, node, grammar in handlers
        if (fault := _fault(node, grammar))
    ]
    return Part(
        name="error handling",
        weight=15,
        score=100 * (1 - len(findings) / len(handlers)),
        findings=tuple(findings[:MOST_FINDINGS]),
    )


def _fault(node: Node, grammar: Grammar) -> str:
    body = node.child_by_field_name("body") or (node.named_children or [node])[-1]
    statements = [child for child in body.named_children if "comment" not in child.type]
    if all(text_of(child).strip().rstrip(";") in SILENT for child in statements):
        return "what is caught here is swallowed"
    bare = grammar.name == "python" and len(_caught(node)) == 0
    return "everything is caught here, interrupts too" if bare else ""


def _caught(node: Node) -> Sequence[Node]:
    return [child for child in node.named_children if child.type not in {"block", "comment"}]


@public_methods
class CqEvaluator:
    """CQ: linters, type checkers, complexity and error handling. Its tools run in a sandbox."""

    def __init__(
        self,
        solution: Solution,
        ground_truth: GroundTruth | None = None,
        *,
        harness: InstanceOf[Harness] | None = None,
    ) -> None:
        self.solution = solution
        self._f_corr = FCorrEvaluator(solution, ground_truth, harness=harness)

    def evaluate(self) -> MetricResult:
        lint = _tried(self._f_corr.get_lint_details)
        types = _tried(self._f_corr.get_type_check_details)
        return quality(facts_of(self.solution), lint, types)


def _tried(check: Callable[[], CheckDetails]) -> CheckDetails | None:
    """None where this language or machine has no such tool: then the part drops out."""
    try:
        return check()
    except SdkbenchError:
        return None
