"""What a level costs: the same references judged checked, twinned and apart, turn by turn.

Environments, proofs and warm starts are ready. Usage: python -m benchmarks.fcorr_integrity
[--rounds N] [--times N] [--samples N] [--sdk lancedb --sdk jose]
"""

import argparse

from benchmarks.fcorr_python import Bench
from benchmarks.measuring import load, measured, spread
from sdkbench.core import Integrity
from sdkbench.datasets import default_samples_dir, load_sdk
from sdkbench.environments import Cache
from sdkbench.test_harness.warm_start import WarmStarts

SDKS = ("lancedb", "jose", "stripe", "octokit")
LEVELS = (Integrity.CHECKED, Integrity.TWINNED, Integrity.APART)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=2, help="attempts at each sample in a round")
    parser.add_argument("--sdk", action="append")
    parser.add_argument("--samples", type=int, help="of each SDK; default: all")
    wanted = parser.parse_args()
    print(f"One worker, {load()}.\n")
    heads = ("SDK", "level", "CPU-ms per attempt", "ms per attempt", "CPU to checked",
             "CPU to twinned", "time to checked", "time to twinned")  # fmt: skip
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for sdk in wanted.sdk or SDKS:
        bench = Bench(load_sdk(default_samples_dir(), sdk)[: wanted.samples], Cache())
        with measured():
            warm = WarmStarts()
        for level in LEVELS:
            bench.judge(level, warm, 1, 1)  # whatever must be made once is made here
        cpu: dict[Integrity, list[float]] = {level: [] for level in LEVELS}
        wall: dict[Integrity, list[float]] = {level: [] for level in LEVELS}
        for _ in range(wanted.rounds):
            for level in LEVELS:
                with measured() as usage:
                    done = bench.judge(level, warm, 1, wanted.times)
                cpu[level].append((usage.cpu_ms or 0.0) / done)
                wall[level].append(1000 * usage.seconds / done)
        warm.close()
        for level in LEVELS:
            ratios = [
                spread([a / b for a, b in zip(cost[level], cost[other], strict=True)])
                for cost in (cpu, wall)
                for other in LEVELS[:2]
            ]
            cells = [sdk, level, spread(cpu[level]), spread(wall[level]), *ratios]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
