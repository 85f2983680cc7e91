"""What Ray costs: the same attempts here and on a Ray of this machine, in turns; and empty tasks.

    python benchmarks/ray_overhead.py [--attempts 12] [--rounds 3] [--workers 2]

A sample of two tiny tests is judged at level checked, with everything warm: so what is compared is
mostly overhead. Real attempts take longer, on either side by the same.
"""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

from sdkbench.datasets import Sample, load_sample
from sdkbench.engine import Judge, judging_here, open_ray_judge
from sdkbench.environments import Cache
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox import choose
from sdkbench.test_harness import Harness

APP = "def double(x): return 2 * x\n"
TESTS = (
    "from expected import app\n"
    "def test_two(): assert app.double(2) == 4\n"
    "def test_none(): assert app.double(0) == 0\n"
)
EMPTY_TASKS = 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--address")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sample = _sample(Path(folder) / "demo" / "demo_task_001")
        asyncio.run(_compare(sample, chosen))


async def _compare(sample: Sample, chosen: argparse.Namespace) -> None:
    here = judging_here(Options(), Harness(choose(), Cache()), chosen.workers)
    began = time.perf_counter()
    there = open_ray_judge(Options(), address=chosen.address, workers=chosen.workers)
    print(f"opening Ray: {time.perf_counter() - began:.1f} s")
    judges: dict[str, Judge] = {"here": here, "ray": there}
    for judge in judges.values():
        await _timed(judge, sample, 2 * chosen.workers)
    taken: dict[str, list[float]] = {name: [] for name in judges}
    for _ in range(chosen.rounds):
        for name, judge in judges.items():
            taken[name].append(await _timed(judge, sample, chosen.attempts) / chosen.attempts)
    for name, seconds in taken.items():
        each = ", ".join(f"{1000 * s:.0f}" for s in seconds)
        print(f"{name}: {1000 * statistics.median(seconds):.0f} ms an attempt (rounds: {each})")
    ratios = [ray / local for ray, local in zip(taken["ray"], taken["here"], strict=True)]
    print(f"ray / here: {statistics.median(ratios):.2f} (rounds: {_shown(ratios)})")
    began = time.perf_counter()
    await asyncio.gather(*(there.tasks.run(_nothing, number) for number in range(EMPTY_TASKS)))
    print(f"empty tasks: {EMPTY_TASKS / (time.perf_counter() - began):,.0f} a second")
    for judge in judges.values():
        await judge.close()


async def _timed(judge: Judge, sample: Sample, count: int) -> float:
    began = time.perf_counter()
    results = await asyncio.gather(
        *(judge.judge(Subject(sample.reference_dir, sample)) for _ in range(count))
    )
    failed = next((result.error for result in results if not result.passed), None)
    if failed is not None:
        raise SystemExit(failed)
    return time.perf_counter() - began


def _nothing(number: int) -> int:
    return number


def _sample(root: Path) -> Sample:
    files = {
        "expected/app.py": APP,
        "expected/metadata.json": json.dumps(
            {"sample_id": "demo_task_001", "sdk": "demo", "task_type": 1}
        ),
        "tests/test_app.py": TESTS,
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return load_sample(root)


def _shown(values: list[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    main()
