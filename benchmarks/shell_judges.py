"""Judged shell commands per second: each judge alone, all together, one by one and batched.

Commands are those of our own dataset and of the labelled test files. What runs in this process is
timed by its CPU seconds, as other work on the machine is none of its business; what starts tools by
the clock. The tools run in the sandbox, as in an evaluation. The POSIX
verdict on one command is timed both ways in one run: by a sandbox for each tool, by kept tools.

Usage: python benchmarks/shell_judges.py [--commands N]
"""

import argparse
import time
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.backends import Answer
from sdkbench.core.collector import collect_seldom
from sdkbench.shell import (
    Category,
    TestCase,
    TestDataset,
    check_posix,
    check_safety,
    is_posix_compliant,
)
from sdkbench.shell.equivalence import canonical_form, compare
from sdkbench.shell.extract import extract
from sdkbench.shell.judging import CaseJudge
from sdkbench.shell.posix import Edition
from sdkbench.shell.posix.check import LANGUAGE_RULES
from sdkbench.shell.posix.plain import surely_plain
from sdkbench.shell.posix.tools import SandboxedTools
from sdkbench.shell.posix.utilities import judge_utilities
from sdkbench.shell.safety import DEFAULT_POLICY
from sdkbench.shell.syntax import parse

REPOSITORY = Path(__file__).parents[1]
EDITION = Edition.POSIX_2017
ROUNDS = 3  # the best counts: the machine is noisy
SINGLES = 20  # a tool started for each command is slow; this many are enough to see it
STATIC_TARGET = 5_000
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
    return per_second(lambda: [work(text) for text in texts], len(texts), time.process_time)


def per_second(work: Callable[[], object], count: int, clock: Callable[[], float]) -> float:
    best = 0.0
    for _ in range(ROUNDS):
        began = clock()
        work()
        best = max(best, count / (clock() - began))
    return best


def judges(texts: Sequence[str]) -> dict[str, CaseJudge]:
    """A case for each command: for every other one it is right, for the rest another one is."""
    made = {}
    for place, text in enumerate(texts):
        expected = text if place % 2 == 0 else texts[place - 1]
        case = TestCase(
            id="x",
            prompt="x",
            expected_command=expected,
            category=Category.CORRECTNESS,
            safe=True,
            posix_compliant=True,
        )
        made[text] = CaseJudge(case, DEFAULT_POLICY)
    return made


def static(judge: CaseJudge, text: str) -> object:
    """Everything that is judged of an answer without a tool."""
    return judge.judge(Answer(text=f"```bash\n{text}\n```")), judge_utilities(text, EDITION)


def rows(texts: list[str]) -> Iterable[Row]:
    yield Row("read", rate(parse, texts))
    yield Row("extract", rate(lambda text: extract(f"Here it is:\n```sh\n{text}\n```"), texts))
    yield Row("canonical form", rate(canonical_form, texts))
    yield Row("equivalence, two commands", rate(lambda text: compare(text, "ls -la"), texts))
    yield Row("safety", rate(check_safety, texts))
    yield Row("POSIX utilities", rate(lambda text: judge_utilities(text, EDITION), texts))
    cases = judges(texts)
    together = rate(lambda text: static(cases[text], text), texts)
    yield Row("all static judges", together, STATIC_TARGET)
    clock = time.perf_counter
    sandboxes = SandboxedTools()
    batched = per_second(lambda: check_posix(texts, run=sandboxes), len(texts), clock)
    yield Row("POSIX with tools, batched", batched, BATCH_TARGET)

    def everything() -> None:
        for text in texts:
            static(cases[text], text)
        check_posix(texts, run=sandboxes)

    yield Row("all judges, batched", per_second(everything, len(texts), clock), BATCH_TARGET)


class Times(NamedTuple):
    name: str
    milliseconds: list[float]

    def line(self) -> str:
        ordered = sorted(self.milliseconds)
        middle, late = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100]
        mean = sum(ordered) / len(ordered)
        return f"{self.name:<44}{len(ordered):>6}{mean:>10.2f}{middle:>10.2f}{late:>10.2f}"


def times(name: str, work: Callable[[str], object], texts: Iterable[str]) -> Times:
    taken = []
    for text in texts:
        began = time.perf_counter()
        work(text)
        taken.append(1000 * (time.perf_counter() - began))
    return Times(name, taken)


def needs_tools(text: str) -> bool:
    objects = any(f.rule in LANGUAGE_RULES for f in judge_utilities(text, EDITION))
    return not (objects or surely_plain(text))


def singles(texts: Sequence[str]) -> Iterable[Times]:
    """`is_posix_compliant` of one command: sandboxes of its own, and the tools that are kept."""
    asked = [text for text in texts if needs_tools(text)]
    share = 100 * (len(texts) - len(asked)) / len(texts)
    few = asked[:: max(len(asked) // SINGLES, 1)][:SINGLES]
    sandboxes = SandboxedTools()
    yield times("a sandbox for each tool (before)", lambda text: old_way(text, sandboxes), few)
    yield times("the first one, which starts the kept tools", is_posix_compliant, ["f() { $1; }"])
    yield times("kept tools, seen for the first time", is_posix_compliant, asked)
    yield times("seen before", is_posix_compliant, asked)
    static_only = [text for text in texts if not needs_tools(text)]
    name = f"decided without a tool ({share:.0f} % of all)"
    yield times(name, is_posix_compliant, static_only)


def old_way(text: str, tools: SandboxedTools) -> bool:
    return is_posix_compliant(text, run=tools)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=int, default=None, help="only the first N")
    texts = commands()[: parser.parse_args().commands]
    collect_seldom()  # as every command of ours
    print(f"{len(texts)} commands, {sum(map(len, texts)) // len(texts)} characters on average\n")
    print(f"{'judge':<32}{'commands/s':>12}  target")
    for row in rows(texts):
        goal = "" if row.target is None else f"{row.target:>6,}"
        missed = row.target is not None and row.per_second < row.target
        print(f"{row.name:<32}{row.per_second:>12,.0f}  {goal}{'  MISSED' if missed else ''}")
    print(
        f"\n{'is_posix_compliant, milliseconds':<44}{'n':>6}{'mean':>10}{'median':>10}{'95 %':>10}"
    )
    for each in singles(texts):
        print(each.line())


if __name__ == "__main__":
    main()
