"""Prove the references of the bundled samples, and write down what the package ships.

Usage: python -m scripts.ship_proofs [--sdk NAME]
A proof is known by content: one that is older than the judge or its sample is never used.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sdkbench.core import Integrity
from sdkbench.datasets import Sample, bundled_samples, load_sdk
from sdkbench.engine.judging import default_workers
from sdkbench.errors import SdkbenchError
from sdkbench.judge.reference import Reference
from sdkbench.judge.shipped import FILE, Proof, write_proofs
from sdkbench.judge.subject import Options
from sdkbench.test_harness import Harness

TARGET = Path(__file__).parent.parent / "proofs" / FILE


def main() -> int:
    parser = argparse.ArgumentParser(description="Prove the bundled samples' references.")
    parser.add_argument("--sdk", default="all")
    chosen = parser.parse_args()
    harness = Harness.default()
    samples = load_sdk(bundled_samples(), chosen.sdk)

    def proven(sample: Sample) -> Proof | None:
        try:
            return Reference(sample, harness, Options(integrity=Integrity.APART)).proof()
        except SdkbenchError as error:
            sys.stderr.write(f"left out: {sample.id}: {error}\n")
            return None

    with ThreadPoolExecutor(default_workers()) as pool:
        proofs = [proof for proof in pool.map(proven, samples) if proof is not None]
    harness.close()
    write_proofs(TARGET, proofs)
    sys.stderr.write(f"{len(proofs)} proofs in {TARGET}\n")
    return 1 if len(proofs) < len(samples) else 0


if __name__ == "__main__":
    sys.exit(main())
