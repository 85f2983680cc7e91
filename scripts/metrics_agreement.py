"""How well the metrics that are read from code agree with F-CORR, on the bundled samples.

Usage: python -m scripts.metrics_agreement [--sdk NAME] [--quality]
References and right variants pass their tests, starters and wrong variants fail them: that is
proven by `make test-all`, so nothing is judged here. --quality adds CQ, whose tools take minutes.
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Outcome, Solution
from sdkbench.datasets import Sample, bundled_samples, load_sdk, load_variants
from sdkbench.metrics.code.evaluator import facts_of
from sdkbench.metrics.code.models import MetricResult
from sdkbench.metrics.code.targets import SampleCode
from sdkbench.metrics.cq import CqEvaluator
from sdkbench.metrics.overall import METRICS, overall
from sdkbench.metrics.reading import read_against
from sdkbench.test_harness import Harness

KINDS = ("reference", "right variant", "wrong variant", "starter")


class Row(NamedTuple):
    kind: str
    passes: bool
    scores: dict[str, float | None]


def solutions(sample: Sample, scratch: Path) -> Iterator[tuple[str, bool, Path]]:
    yield "reference", True, sample.reference_dir
    if sample.starter_dir.is_dir():
        yield "starter", False, sample.starter_dir
    for variant in load_variants(sample):
        right = variant.outcome is Outcome.PASSED
        folder = variant.solution.lay_out(scratch / sample.id / variant.name)
        yield f"{'right' if right else 'wrong'} variant", right, folder


def rows(samples: Iterable[Sample], harness: Harness | None) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as scratch:
        for sample in samples:
            for kind, passes, folder in solutions(sample, Path(scratch)):
                solution = Solution(folder)
                # A right variant is one of those that solutions are held against.
                code = SampleCode(sample.ground_truth, without=folder.name)
                results: list[MetricResult] = [*read_against(facts_of(solution), code)]
                if harness:
                    quality = CqEvaluator(solution, sample.ground_truth, harness=harness)
                    results.append(quality.evaluate())
                scores = {result.metric: result.score for result in results}
                scores["overall"] = overall(scores).score
                yield Row(kind, passes, scores)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's, with ties sharing their mean rank; 0 where one of them never varies."""
    a, b = _ranks(first), _ranks(second)
    mean = (len(a) + 1) / 2
    product = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    spread = (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5
    return product / spread if spread else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    places: dict[float, list[int]] = defaultdict(list)
    for place, value in enumerate(sorted(values), start=1):
        places[value].append(place)
    return [sum(places[value]) / len(places[value]) for value in values]


def table(found: Sequence[Row]) -> Iterator[str]:
    names = [n for n in (*METRICS, "overall") if any(n in row.scores for row in found)]
    yield f"| | n | {' | '.join(names)} |"
    yield f"|---|---|{'---|' * len(names)}"
    for kind in KINDS:
        of_kind = [row for row in found if row.kind == kind]
        cells = [_mean([row.scores.get(name) for row in of_kind]) for name in names]
        yield f"| {kind} | {len(of_kind)} | {' | '.join(cells)} |"
    cells = []
    for name in names:
        pairs = [
            (row.scores[name], row.passes) for row in found if row.scores.get(name) is not None
        ]
        figures = [score for score, _ in pairs if score is not None]
        passed = [100.0 * passes for _, passes in pairs]
        cells.append(f"{rank_correlation(figures, passed):.2f}")
    yield f"| rank correlation with F-CORR | {len(found)} | {' | '.join(cells)} |"


def _mean(values: Sequence[float | None]) -> str:
    figures = [value for value in values if value is not None]
    return f"{sum(figures) / len(figures):.0f}" if figures else "–"


def main() -> int:
    parser = argparse.ArgumentParser(description="Agreement of the code metrics with F-CORR.")
    parser.add_argument("--sdk", default="all")
    parser.add_argument("--quality", action="store_true")
    chosen = parser.parse_args()
    harness = Harness.default() if chosen.quality else None
    found = list(rows(load_sdk(bundled_samples(), chosen.sdk), harness))
    if harness:
        harness.close()
    sys.stdout.write("\n".join(table(found)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
