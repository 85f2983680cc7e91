"""What twins cost: the same references judged checked and twinned, turn by turn in one run.

Environments and what is known of the references are warm. Every core is busy (`--workers`), so the
ratio is one of work, not of cores that would otherwise idle.
Usage: python benchmarks/fcorr_integrity.py [--rounds N] [--workers N]
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
PROGRAM = Path(sys.executable).parent / "sdkbench"
SDKS = ("lancedb", "stripe", "octokit", "jose", "clerk")
LEVELS = ("checked", "twinned")


def judge(sdk: str, level: str, workers: int) -> float:
    words = [str(PROGRAM), "fcorr", "--sdk", sdk, "--integrity", level, "--workers", str(workers)]
    began = time.perf_counter()
    done = subprocess.run(
        [*words, "--json"], check=False, capture_output=True, text=True, cwd=REPOSITORY
    )
    seconds = time.perf_counter() - began
    summary = json.loads(done.stdout or "{}").get("summary", {})
    if not summary or summary["passed"] != summary["total"]:
        sys.exit(f"{sdk} at {level}: not all references passed.\n{done.stdout}\n{done.stderr}")
    return seconds / int(summary["total"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sdk", action="append")
    wanted = parser.parse_args()
    print(f"{'sdk':10} {'checked':>9} {'twinned':>9} {'ratio':>7}   s/sample, best of rounds")
    for sdk in wanted.sdk or SDKS:
        for level in LEVELS:
            judge(sdk, level, wanted.workers)  # whatever must be made once is made here
        best = dict.fromkeys(LEVELS, float("inf"))
        for _ in range(wanted.rounds):
            for level in LEVELS:
                best[level] = min(best[level], judge(sdk, level, wanted.workers))
        ratio = best["twinned"] / best["checked"]
        row = f"{sdk:10} {best['checked']:9.2f} {best['twinned']:9.2f} {ratio:6.2f}×"
        print(row, flush=True)


if __name__ == "__main__":
    main()
