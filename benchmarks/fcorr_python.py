"""Samples per second for Python, four ways side by side, as ratios taken in one run.

    naive  a virtual environment, pip install and `python -m pytest` for every sample
    bare   `python -m pytest` in an environment that is ready
    cold   `sdkbench fcorr` on an empty cache: resolve, download, install, record, judge
    warm   `sdkbench fcorr` again

One sample at a time everywhere. Usage: python benchmarks/fcorr_python.py [--naive N]
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).parents[1]
SDK = REPOSITORY / "samples" / "lancedb"
PROGRAM = Path(sys.executable).parent / "sdkbench"
ROUNDS = 3  # bare and warm alternate this often; the best round counts, the machine is noisy


class Way(NamedTuple):
    name: str
    what: str
    seconds_per_sample: float


def samples() -> list[Path]:
    return sorted(path.parent for path in SDK.glob("*/expected"))


def lay_out(sample: Path, root: Path) -> Path:
    shutil.copytree(sample / "expected", root / "expected")
    shutil.copytree(sample / "tests", root / "tests")
    shutil.copy(SDK / "conftest.py", root)
    return root


def run(words: list[str | Path], **options: object) -> str:
    done = subprocess.run(  # type: ignore[call-overload]
        [str(word) for word in words], check=False, capture_output=True, text=True, **options
    )
    if done.returncode != 0:
        sys.exit(f"{words} failed:\n{done.stdout}\n{done.stderr}")
    return str(done.stdout)


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def naive(sample: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = lay_out(sample, Path(folder) / "w")
        venv = Path(folder) / "venv"
        base: str = getattr(sys, "_base_executable", sys.executable)
        run([base, "-m", "venv", venv])
        pip: list[str | Path] = [venv / "bin" / "python", "-m", "pip", "install", "-q"]
        run([*pip, "-r", root / "expected" / "requirements.txt", "pytest"])
        run([venv / "bin" / "python", "-m", "pytest", "-q", "tests"], cwd=root)


def bare(python: Path) -> float:
    total = 0.0
    for sample in samples():
        with tempfile.TemporaryDirectory() as folder:
            root = lay_out(sample, Path(folder) / "w")
            words: list[str | Path] = [python, "-m", "pytest", "-q", "tests"]
            total += timed(lambda root=root, words=words: run(words, cwd=root))  # type: ignore[misc]
    return total / len(samples())


def ours(cache: Path) -> float:
    words: list[str | Path] = [PROGRAM, "fcorr", "--sdk", "lancedb", "--samples-dir", SDK.parent]
    words += ["--integrity", "checked"]  # what twins cost is measured by fcorr_integrity.py
    words += ["--workers", "1", "--json"]
    env = {**os.environ, "SDKBENCH_CACHE": str(cache)}
    began = time.perf_counter()
    document = json.loads(run(words, env=env))
    seconds = time.perf_counter() - began
    if document["summary"]["passed"] != len(samples()):
        sys.exit(f"not all references passed: {document['summary']}")
    return seconds / len(samples())


def measure(naive_samples: int) -> list[Way]:
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        cold = ours(cache)
        python = next((cache / "python" / "environments").glob("*/venv/bin/python"))
        pairs = [(bare(python), ours(cache)) for _ in range(ROUNDS)]
    chosen = samples()[:naive_samples]
    slow = statistics.mean(timed(lambda s=s: naive(s)) for s in chosen)  # type: ignore[misc]
    return [
        Way("naive", "venv + pip install + python -m pytest, each", slow),
        Way("bare", "python -m pytest in a ready environment", min(p[0] for p in pairs)),
        Way("cold", "sdkbench fcorr, empty cache", cold),
        Way("warm", "sdkbench fcorr, again", min(p[1] for p in pairs)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--naive", type=int, default=2, metavar="N", help="samples done naively")
    ways = measure(parser.parse_args().naive)
    base = {way.name: way.seconds_per_sample for way in ways}
    print(f"{'way':6} {'s/sample':>9} {'samples/s':>10} {'vs naive':>9} {'vs bare':>8}  what")
    for way in ways:
        seconds = way.seconds_per_sample
        print(
            f"{way.name:6} {seconds:9.2f} {1 / seconds:10.3f} {base['naive'] / seconds:8.1f}x "
            f"{seconds / base['bare']:7.2f}x  {way.what}"
        )
    print(
        "\nvs naive: how many times faster. vs bare: time per sample as a multiple of bare pytest."
    )


if __name__ == "__main__":
    main()
