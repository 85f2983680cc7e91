"""How many judgements of solutions start warm, and why the others don't.

Judged are the references, starters and variants of the bundled Python samples: as they are, and
with what answers often change in their requirements. Verdicts are made at level checked.
Usage: python -m benchmarks.warm_share [--sdk NAME …] [--each N]
"""

import argparse
import itertools
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from sdkbench.core import Integrity
from sdkbench.datasets import Sample, bundled_samples, load_sdk, load_variants
from sdkbench.datasets.layers import Layers
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness

REQUIREMENTS = "requirements.txt"
KEPT, UNPINNED = "as they are", "without versions"
# By what an answer does to its requirements: lines that it adds.
ADDED = {
    KEPT: "",
    "with python-dotenv": "python-dotenv\n",
    "with requests and tqdm": "requests>=2.31\ntqdm\n",
    "with numpy": "numpy\n",
    UNPINNED: "",
}


def solutions(sample: Sample, each: int) -> Iterator[Layers]:
    """The reference, the starter and up to `each` variants."""
    yield Layers((), sample.reference_dir)
    yield Layers((), sample.starter_dir)
    for variant in itertools.islice(load_variants(sample), each):
        yield variant.solution


def changed(solution: Layers, change: str, folder: Path) -> Path:
    copy = solution.lay_out(folder / "solution")
    path = copy / REQUIREMENTS
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if change == UNPINNED:
        text = "".join(line.partition("==")[0].rstrip() + "\n" for line in text.splitlines())
    path.write_text(text + ADDED[change], encoding="utf-8")
    return copy


def started(subject: Subject, harness: Harness) -> str:
    counts = harness.warm.counts if harness.warm else Counter[str]()
    before = Counter(counts)
    result = judge_attempt(subject, Options(integrity=Integrity.CHECKED), harness)
    since = counts - before
    if since["again cold"] or since["refused"]:
        return "again cold" if since["again cold"] else "refused"
    if since["warm"]:
        return "warm"
    return "cold" if result.test_results else f"not run ({result.outcome})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sdk", nargs="*", default=["lancedb", "typer"])
    parser.add_argument("--each", type=int, default=3, metavar="N", help="variants of a sample")
    wanted = parser.parse_args()
    harness = Harness.default()
    shares: dict[str, Counter[str]] = defaultdict(Counter)
    for sdk in wanted.sdk:
        for sample in load_sdk(bundled_samples(), sdk):
            for solution, change in itertools.product(solutions(sample, wanted.each), ADDED):
                with tempfile.TemporaryDirectory() as name:
                    subject = Subject(changed(solution, change, Path(name)), sample)
                    shares[change][started(subject, harness)] += 1
    harness.close()
    print(f"{'requirements':24}{'solutions':>10}{'warm':>8}  the others")
    for change, counts in shares.items():
        ran = counts.total()
        others = ", ".join(f"{n} {how}" for how, n in counts.most_common() if how != "warm")
        print(f"{change:24}{ran:>10}{100 * counts['warm'] / ran:>7.0f}%  {others}")


if __name__ == "__main__":
    main()
