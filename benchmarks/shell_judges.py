"""Judged shell commands per second: each judge alone, all together, one by one and batched.

Commands are those of our own dataset and of the labelled test files. The tools run in the sandbox,
as in an evaluation. Usage: python benchmarks/shell_judges.py [--commands N]
"""

import argparse
import time
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.backends import Answer
from sdkbench.shell import TestCase, TestDataset, check_posix, validate_safety
from sdkbench.shell.equivalence import canonical_form, compare
from sdkbench.shell.extract import extract
from sdkbench.shell.judging import CaseJudge
from sdkbench.shell.posix import Edition
from sdkbench.shell.posix.utilities import judge_utilities
from sdkbench.shell.safety import DEFAULT_POLICY
from sdkbench.shell.syntax import parse

REPOSITORY = Path(__file__).parents[1]
ROUNDS = 3  # the best counts: the machine is noisy
SINGLES = 20  # a tool started for each command is slow; this many are enough to see it
STATIC_TARGET = 2_000
BATCH_TARGET = 300


class Row(NamedTuple):
    name: str
    per_second: float
    target: int | None = None


def commands() -> list[str]:
    data = REPOSITORY / "tests" / "data" / "shell"
    found: list[str] = []
    for case in TestDataset.from_toml(REPOSITORY / "datasets" / "shell" / "core.toml").test_cases:
        found += case.right_commands
    for name in ("posix.toml", "safety.toml", "safety_fresh.toml"):
        cases = tomllib.loads((data / name).read_text("utf-8"))["cases"]
        found += [case["command"] for case in cases]
    return list(dict.fromkeys(found))


def rate(work: Callable[[str], object], texts: Sequence[str]) -> float:
    return max(len(texts) / seconds(lambda: [work(text) for text in texts]) for _ in range(ROUNDS))


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def all_static(text: str) -> object:
    """Everything that is judged of an answer without a tool, against a right command."""
    case = TestCase.model_validate(
        {
            "id": "x",
            "prompt": "x",
            "expected_command": text,
            "category": "correctness",
            "safe": True,
            "posix_compliant": True,
        }
    )
    judged = CaseJudge(case, DEFAULT_POLICY).judge(Answer(text=f"```bash\n{text}\n```"))
    return judged, judge_utilities(text, Edition.POSIX_2017)


def whole(texts: Sequence[str]) -> object:
    return [all_static(text) for text in texts], check_posix(texts)


def rows(texts: list[str]) -> Iterable[Row]:
    yield Row("read", rate(parse, texts))
    yield Row("extract", rate(lambda text: extract(f"Here it is:\n```sh\n{text}\n```"), texts))
    yield Row("canonical form", rate(canonical_form, texts))
    yield Row("equivalence, two commands", rate(lambda text: compare(text, "ls -la"), texts))
    yield Row("safety", rate(validate_safety, texts))
    yield Row(
        "POSIX utilities", rate(lambda text: judge_utilities(text, Edition.POSIX_2017), texts)
    )
    yield Row("all static judges", rate(all_static, texts), STATIC_TARGET)
    few = texts[:: max(len(texts) // SINGLES, 1)][:SINGLES]
    yield Row("POSIX with tools, one by one", rate(lambda text: check_posix([text]), few))
    batched = max(len(texts) / seconds(lambda: check_posix(texts)) for _ in range(ROUNDS))
    yield Row("POSIX with tools, batched", batched, BATCH_TARGET)
    everything = max(len(texts) / seconds(lambda: whole(texts)) for _ in range(ROUNDS))
    yield Row("all judges, batched", everything, BATCH_TARGET)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=int, default=None, help="only the first N")
    texts = commands()[: parser.parse_args().commands]
    print(f"{len(texts)} commands, {sum(map(len, texts)) // len(texts)} characters on average\n")
    print(f"{'judge':<32}{'commands/s':>12}  target")
    for row in rows(texts):
        goal = "" if row.target is None else f"{row.target:>6,}"
        missed = row.target is not None and row.per_second < row.target
        print(f"{row.name:<32}{row.per_second:>12,.0f}  {goal}{'  MISSED' if missed else ''}")


if __name__ == "__main__":
    main()
