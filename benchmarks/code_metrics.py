"""How many solutions a second the four metrics read that start no tool, by CPU time.

Usage: python -m benchmarks.code_metrics [--rounds N]
References, starters and variants of all bundled samples, each read from its files anew.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.measuring import load
from sdkbench.core import Solution
from sdkbench.datasets import Sample, bundled_samples, load_sdk, load_variants
from sdkbench.metrics.code.evaluator import facts_of
from sdkbench.metrics.code.targets import SampleCode
from sdkbench.metrics.reading import read_against

TARGET = 50  # solutions a second


def solutions(sample: Sample, scratch: Path) -> list[Path]:
    folders = [sample.reference_dir, sample.starter_dir]
    variants = [v.solution.lay_out(scratch / v.name) for v in load_variants(sample)]
    return [folder for folder in [*folders, *variants] if folder.is_dir()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    milliseconds = []
    for sample in load_sdk(bundled_samples(), "all"):
        with tempfile.TemporaryDirectory() as scratch:
            folders = solutions(sample, Path(scratch))
            code = SampleCode(sample.ground_truth)
            read_against(facts_of(Solution(folders[0])), code)  # the sample's own side, once
            for folder in folders * wanted.rounds:
                began = time.process_time()
                read_against(facts_of(Solution(folder)), code)
                milliseconds.append(1000 * (time.process_time() - began))
    rate = 1000 / statistics.mean(milliseconds)
    print(load())
    print(
        f"{len(milliseconds)} solutions: {rate:.0f}/s (target {TARGET}/s); "
        f"{statistics.median(milliseconds):.1f} ms each in the middle, "
        f"{max(milliseconds):.1f} ms at most"
    )


if __name__ == "__main__":
    main()
