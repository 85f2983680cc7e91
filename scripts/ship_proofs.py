"""Prove the references of the bundled samples, and write down what the package ships.

Usage: python -m scripts.ship_proofs [--sdk NAME]
A proof is known by content: one that is older than the judge or its sample is never used.
"""

import argparse
import sys
from pathlib import Path

from sdkbench.core import Integrity
from sdkbench.datasets import bundled_samples, load_sdk
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
    proofs: list[Proof] = []
    left_out = 0
    for sample in load_sdk(bundled_samples(), chosen.sdk):
        try:
            proofs.append(Reference(sample, harness, Options(integrity=Integrity.APART)).proof())
        except SdkbenchError as error:
            left_out += 1
            sys.stderr.write(f"left out: {sample.id}: {error}\n")
    harness.close()
    write_proofs(TARGET, proofs)
    sys.stderr.write(f"{len(proofs)} proofs in {TARGET}\n")
    return 1 if left_out else 0


if __name__ == "__main__":
    sys.exit(main())
