"""What judging a Python solution costs, side by side in one run: CPU, time, memory.

    naive  a virtual environment, pip install and `python -m pytest` for every attempt
    bare   `python -m pytest` in an environment that is ready
    cold   SDKBench, every run with an interpreter of its own
    warm   SDKBench, every run forked from a process that has the packages loaded

All judge the same references, turn by turn. Usage: python benchmarks/fcorr_python.py [--rounds N]
[--many N] [--naive N] [--sdk lancedb --sdk trivial]
"""

import argparse
import contextlib
import functools
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import Usage, load, measured, spread
from sdkbench.core import Integrity, Outcome
from sdkbench.datasets import Sample, default_samples_dir, load_sample, load_sdk
from sdkbench.environments import Cache
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options, Subject, prepared
from sdkbench.sandbox import choose
from sdkbench.test_harness import Harness
from sdkbench.test_harness.warm_start import WarmStarts

TRIVIAL = {
    "input/app.py": "raise NotImplementedError\n",
    "expected/app.py": "def double(n):\n    return 2 * n\n",
    "expected/metadata.json": json.dumps(
        {"sample_id": "trivial_task_001", "sdk": "trivial", "task_type": 1}
    ),
    "tests/test_app.py": "from expected import app\n"
    "def test_two(): assert app.double(2) == 4\n"
    "def test_three(): assert app.double(3) == 6\n",
}


class Way(NamedTuple):
    name: str
    work: Callable[[], int]  # does some attempts, and says how many


class Bench:
    """The samples of one SDK with everything ready that is made once."""

    def __init__(self, samples: list[Sample], cache: Cache) -> None:
        self.samples = samples
        self.cache = cache
        self.sandbox = choose()

    def judge(self, level: Integrity, warm: WarmStarts | None, workers: int, times: int) -> int:
        harness = Harness(self.sandbox, self.cache, warm=warm)
        options = Options(integrity=level)

        def one(sample: Sample) -> None:
            result = judge_attempt(Subject(sample.reference_dir, sample), options, harness)
            if result.outcome is not Outcome.PASSED:
                sys.exit(f"The reference of {sample.id} did not pass: {result.error_messages}")

        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(one, self.samples * times))
        return len(self.samples) * times

    def bare(self) -> int:
        for sample in self.samples:
            with _laid_out(sample) as root:
                _run([self.python(sample), "-m", "pytest", "-q", "tests"], root)
        return len(self.samples)

    def naive(self, number: int) -> int:
        for sample in self.samples[:number]:
            with _laid_out(sample) as root:
                base = getattr(sys, "_base_executable", sys.executable)
                _run([base, "-m", "venv", root / "venv"], root)
                python = root / "venv" / "bin" / "python"
                wanted = root / "expected" / "requirements.txt"
                named = ["-r", wanted] if wanted.is_file() else []
                _run([python, "-m", "pip", "install", "-q", "pytest", *named], root)
                _run([python, "-m", "pytest", "-q", "tests"], root)
        return min(number, len(self.samples))

    def python(self, sample: Sample) -> Path:
        harness = Harness(self.sandbox, self.cache)
        with prepared(Subject(sample.reference_dir, sample), Options(), harness) as runner:
            runner.install_dependencies()
            return runner.provided().path / "venv" / "bin" / "python"

    def prove(self, sample: Sample, folder: Path) -> Usage:
        """A proof of a reference that is nowhere kept: its tests have a line more."""
        root = folder / "fresh" / sample.root.parent.name
        shutil.rmtree(root.parent, ignore_errors=True)
        shutil.copytree(sample.root.parent, root, ignore=shutil.ignore_patterns("variants"))
        for path in (root / sample.root.name / "tests").glob("test_*.py"):
            path.write_text(f"{path.read_text()}\n# {tempfile.mktemp()}\n")  # noqa: S306 - a name
        fresh = load_sample(root / sample.root.name)
        with measured() as usage:
            warm = WarmStarts()
            options = Options(integrity=Integrity.TWINNED)
            reference = Reference(fresh, Harness(self.sandbox, self.cache, warm=warm), options)
            if not reference.mutants.tests:
                sys.exit(f"No mutant of {sample.id} was proven.")
            warm.close()
        return usage


@contextlib.contextmanager
def _laid_out(sample: Sample) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(sample.reference_dir, root / "expected")
        shutil.copytree(sample.tests_dir, root / "tests")
        for path in sample.shared:
            shutil.copy(path, root)
        yield root


def _run(words: list[object], root: Path) -> None:
    done = subprocess.run(
        list(map(str, words)), cwd=root, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{words} failed:\n{done.stdout}\n{done.stderr}")


def compare(bench: Bench, rounds: int, naive: int) -> None:
    """Turn by turn; what is made once (environments, proofs, zygotes) is made before."""
    with measured():  # before zygotes start: theirs counts too
        warm = WarmStarts()
    ways = [Way("bare", bench.bare)]
    for level, workers in itertools.product((Integrity.CHECKED, Integrity.TWINNED), (1, 2)):
        for name, start in (("cold", None), ("warm", warm)):
            label = f"{name}, {level.value}, {workers} worker{'s' * (workers > 1)}"
            ways.append(Way(label, functools.partial(bench.judge, level, start, workers, 1)))
        bench.judge(level, warm, 1, 1)
    taken: dict[str, list[tuple[float, float]]] = {way.name: [] for way in ways}
    for _ in range(rounds):
        for way in ways:
            with measured() as usage:
                number = way.work()
            taken[way.name].append(((usage.cpu_ms or 0) / number, 1000 * usage.seconds / number))
    if naive:
        with measured() as usage:
            number = bench.naive(naive)
        taken["naive"] = [((usage.cpu_ms or 0) / number, 1000 * usage.seconds / number)]
    warm.close()
    bare = taken["bare"]
    print("| way | CPU-ms per attempt | ms per attempt | CPU: times less than bare |")
    print("|---|---|---|---|")
    for name, pairs in taken.items():
        cpu, wall = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        ratios = [b[0] / c for b, c in zip(bare, cpu, strict=False)]
        print(f"| {name} | {spread(cpu)} | {spread(wall)} | {spread(ratios)} |", flush=True)


def many(bench: Bench, number: int) -> None:
    """Whether memory and processes stay as they are, however many attempts there are."""
    print("| attempts | attempts/s | CPU-ms per attempt | peak memory, MB |")
    print("|---|---|---|---|")
    for times in sorted({10, min(100, number), number}):
        warm = WarmStarts()
        with measured() as usage:
            judged = bench.judge(Integrity.CHECKED, warm, 2, times // len(bench.samples) or 1)
            warm.close()
        cpu, peak = (usage.cpu_ms or 0) / judged, usage.peak_mb or 0
        print(f"| {judged} | {judged / usage.seconds:.1f} | {cpu:.0f} | {peak:.0f} |", flush=True)


def proofs(bench: Bench, rounds: int) -> None:
    print("| sample | a proof, CPU-ms | bare, CPU-ms | proof / bare |")
    print("|---|---|---|---|")
    one = Bench(bench.samples[:1], bench.cache)
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            with measured() as usage:
                one.bare()
            proof = one.prove(one.samples[0], Path(folder))
            pairs.append((proof.cpu_ms or 0, usage.cpu_ms or 1))
    proven, plain = [p for p, _ in pairs], [b for _, b in pairs]
    ratio = spread([p / b for p, b in pairs])
    print(f"| {one.samples[0].id} | {spread(proven)} | {spread(plain)} | {ratio} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--many", type=int, default=1000, metavar="N")
    parser.add_argument("--naive", type=int, default=2, metavar="N", help="attempts done naively")
    parser.add_argument("--sdk", action="append", choices=("trivial", "lancedb"))
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, content in TRIVIAL.items():
            path = Path(folder) / "trivial" / "trivial_task_001" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        for sdk in wanted.sdk or ("trivial", "lancedb"):
            samples = (
                [load_sample(Path(folder) / "trivial" / "trivial_task_001")]
                if sdk == "trivial"
                else load_sdk(default_samples_dir(), sdk)
            )
            bench = Bench(samples, Cache())
            print(f"\n### {sdk}, {len(samples)} samples ({load()})\n")
            compare(bench, wanted.rounds, wanted.naive)
            print()
            proofs(bench, wanted.rounds)
            if sdk == "trivial" and wanted.many:
                print()
                many(bench, wanted.many)


if __name__ == "__main__":
    main()
