"""10,000 attempts by replay through engine and store, with a judge that only says yes.

    python benchmarks/run_engine.py [--attempts N] [--store PATH|URL]

What is measured is everything but the judging: the plan, the solutions laid out as folders, the
queue, the store with all files of each solution. Memory is taken at four moments of the run: flat
means that the last is no higher than the second.
"""

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

from sdkbench.core import Outcome
from sdkbench.datasets import load_sdk
from sdkbench.engine import (
    Event,
    Finished,
    JudgeSetup,
    LocalJudge,
    RunSettings,
    Suites,
    run_models,
)
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox import Cancellation, Level
from sdkbench.store import open_store
from sdkbench.test_harness import FCorrResult, TestResult, TestStatus

SAMPLES = 20
MOMENTS = (0.25, 0.5, 0.75, 1.0)


def write_samples(root: Path) -> None:
    for number in range(SAMPLES):
        sample = root / "samples" / "demo" / f"demo_{number:03}"
        metadata = {
            "sample_id": sample.name, "sdk": "demo", "task_type": 1 + number % 5,
            "task_name": "demo", "framework": "python", "difficulty": "easy",
            "description": "demo", "demo_version": "1",
        }  # fmt: skip
        files = {
            sample / "input" / "app.py": "def answer():\n    raise NotImplementedError\n",
            sample / "expected" / "app.py": f"def answer():\n    return {number}\n",
            sample / "expected" / "metadata.json": json.dumps(metadata),
            sample / "tests" / "test_app.py": "from expected import app\n",
            root / "replay" / sample.name / "app.py": f"def answer():\n    return {number}\n" * 20,
            root / "replay" / sample.name / "requirements.txt": "requests==2.32.3\n",
            root / "replay" / sample.name / "pkg" / "store.py": "ROWS = []\n" * 50,
        }
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def yes(subject: Subject) -> FCorrResult:
    tests = TestResult(
        success=True, total=5, passed=5,
        cases={f"tests/test_app.py::test_{n}": TestStatus.PASSED for n in range(5)},
    )  # fmt: skip
    return FCorrResult(
        score=100.0, outcome=Outcome.PASSED, sample_id=subject.name, test_results=tests
    )


class Watch:
    """Counts, and looks at the memory now and then."""

    def __init__(self, total: int) -> None:
        self.ended = 0
        self.memory: list[float] = []
        self._looks = [round(total * moment) for moment in MOMENTS]

    def on_event(self, event: Event) -> None:
        if isinstance(event, Finished):
            self.ended += 1
            if self.ended in self._looks:
                self.memory.append(_resident_mib())


def _resident_mib() -> float:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--attempts", type=int, default=10_000)
    parser.add_argument("--store", help="default: a SQLite file in a temporary folder")
    asked = parser.parse_args()
    trials = max(1, asked.attempts // SAMPLES)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        write_samples(root)
        suites = Suites(tuple(load_sdk(root / "samples", "all")), ())
        settings = RunSettings(model=(f"replay:{root / 'replay'}",), sdk=("all",), trials=trials)
        judging = JudgeSetup(Options(), Level.PLAIN, lambda: LocalJudge(yes, 2), Cancellation())
        watch = Watch(trials * SAMPLES)
        with open_store(asked.store or root / "store.db") as store:
            began = time.perf_counter()
            run = run_models(settings, suites, judging, store, watch.on_event)
            seconds = time.perf_counter() - began
            stored = store.outcome_counts()[run.id][Outcome.PASSED]
    print(
        f"{stored} attempts in {seconds:.1f} s: {stored / seconds:.0f}/s through engine and store"
    )
    shown = ", ".join(f"{mib:.0f}" for mib in watch.memory)
    print(f"resident memory at a quarter, half, three quarters and the end: {shown} MiB")


if __name__ == "__main__":
    main()
