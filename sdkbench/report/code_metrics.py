"""Means of the metrics that were read from code, by model, out of stored attempts."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import AfterValidator, JsonValue, TypeAdapter, ValidationError

from sdkbench.core import Value
from sdkbench.metrics.code.models import MetricResult
from sdkbench.metrics.overall import Overall, overall, usable_weights
from sdkbench.metrics.statistics import JUDGED
from sdkbench.store import Attempt, Run
from sdkbench.test_harness import FCorrResult

Place = tuple[str, str]  # run and model
Weights = str | Mapping[str, float]

KEY = "metrics"  # in an attempt's result
F_CORR = "F-CORR"
WEIGHTS = "weights"  # in a run's settings
_RESULTS = TypeAdapter(tuple[MetricResult, ...])
_WEIGHTS: TypeAdapter[str | dict[str, float]] = TypeAdapter(
    Annotated[str | dict[str, float], AfterValidator(usable_weights)]
)


class MeasuredSolution(Value):
    """What `sdkbench metrics` prints of one solution."""

    solution_dir: str
    sample_id: str | None
    f_corr: FCorrResult | None
    metrics: tuple[MetricResult, ...]
    overall: Overall


class CodeFigures(Value):
    """`means` by metric, each over the attempts that have a figure: `counts`."""

    model: str
    attempts: int
    means: dict[str, float]
    counts: dict[str, int]
    overall: Overall


def stored_metrics(attempt: Attempt) -> tuple[MetricResult, ...]:
    """Those that were kept with the attempt; none where it was not asked for."""
    return _read(attempt.result.get(KEY))


def _read(kept: JsonValue) -> tuple[MetricResult, ...]:
    if not isinstance(kept, list):
        return ()
    # The score is computed from the parts.
    bare = [{k: v for k, v in e.items() if k != "score"} for e in kept if isinstance(e, dict)]
    try:
        return _RESULTS.validate_python(bare)
    except ValidationError:
        return ()


def attempt_overall(attempt: Attempt, weights: Weights = "classic") -> Overall:
    """Of what was kept with the attempt, and its F-CORR where it has a verdict."""
    scores = {result.metric: result.score for result in stored_metrics(attempt)}
    if attempt.outcome in JUDGED:
        scores[F_CORR] = attempt.score
    return overall(scores, weights)


def code_figures(
    attempts: Iterable[Attempt], weights: Weights = "classic"
) -> tuple[CodeFigures, ...]:
    """By model, in order of their names; models without such metrics are left out."""
    collector = CodeCollector()
    for attempt in attempts:
        collector.add(attempt)
    return collector.figures({}, {"": weights})


def run_weights(run: Run) -> str | dict[str, float]:
    """What the run was told to weigh by; the usual weights where that can't be read."""
    try:
        return _WEIGHTS.validate_python(run.settings.get(WEIGHTS, "classic"))
    except ValidationError:
        return "classic"


class CodeCollector:
    """Scores of attempts as they come, by run and model."""

    def __init__(self) -> None:
        self._scores: dict[Place, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        self._counted: Counter[Place] = Counter()

    def add(self, attempt: Attempt, run_id: str = "") -> None:
        results = stored_metrics(attempt)
        if not results:
            return
        place = run_id, attempt.model
        self._counted[place] += 1
        for result in results:
            if result.score is not None:
                self._scores[place][result.metric].append(result.score)
        if attempt.outcome in JUDGED:
            self._scores[place][F_CORR].append(attempt.score)

    def figures(
        self, labels: Mapping[Place, str], weights: Mapping[str, Weights]
    ) -> tuple[CodeFigures, ...]:
        """In order of their names: labels, and models where there are none. `weights` by run."""
        made = [
            _figures(labels.get(place, place[1]), self._counted[place], scores, weights[place[0]])
            for place, scores in self._scores.items()
        ]
        return tuple(sorted(made, key=lambda figures: figures.model))


def _figures(
    name: str,
    attempts: int,
    scores: Mapping[str, list[float]],
    weights: Weights,
) -> CodeFigures:
    means = {metric: sum(each) / len(each) for metric, each in scores.items()}
    return CodeFigures(
        model=name,
        attempts=attempts,
        means=means,
        counts={metric: len(each) for metric, each in scores.items()},
        overall=overall(means, weights),
    )
