"""Judge every reference and every right variant in the repository with twins, several times.

Usage: python scripts/prove_honest.py [--times 5] [--workers 2] [--sdk NAME]
Exits with 1 if any of them is not passed every time.
"""

import argparse
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sdkbench.core import Integrity, Outcome
from sdkbench.datasets import bundled_samples, load_sdk, load_variants
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness


def subjects(sdk: str, scratch: Path) -> list[Subject]:
    """The references, and the right variants laid out in `scratch`."""
    found = []
    for sample in load_sdk(bundled_samples(), sdk):
        right = [v for v in load_variants(sample) if v.outcome is Outcome.PASSED]
        folders = [v.solution.lay_out(scratch / sample.root.name / v.name) for v in right]
        found += [Subject(folder, sample) for folder in (sample.reference_dir, *folders)]
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sdk", default="all")
    wanted = parser.parse_args()
    harness, options = Harness.default(), Options(integrity=Integrity.TWINNED)
    outcomes: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory(prefix="sdkbench-honest-") as scratch,
        ThreadPoolExecutor(wanted.workers) as pool,
    ):
        every = subjects(wanted.sdk, Path(scratch))
        attempts = [subject for subject in every for _ in range(wanted.times)]
        results = pool.map(lambda subject: judge_attempt(subject, options, harness), attempts)
        for subject, result in zip(attempts, results, strict=True):
            outcomes[f"{result.outcome} at {result.assurance}"] += 1
            if result.outcome is not Outcome.PASSED:
                sys.stdout.write(f"{subject.name} {subject.solution_dir.name}: {result.error}\n")
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    sys.stdout.write(f"{len(attempts)} attempts on {len(attempts) // wanted.times}: {told}\n")
    return 0 if all(name.startswith("passed") for name in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
