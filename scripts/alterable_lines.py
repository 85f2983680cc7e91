"""How many expectations of the bundled samples' tests twins can alter, by sample.

Usage: python scripts/alterable_lines.py [--sdk NAME] [--proven]
An expectation is a line with an assertion, or a row of a table that one compares with. Without
--proven it counts what could be altered; with it, what the reference has proven to fail, of which
every judgement draws.
"""

import argparse
import re
import sys
from collections.abc import Iterable
from typing import NamedTuple

from sdkbench.core import Integrity
from sdkbench.datasets import Sample, bundled_samples, load_sdk
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options, Subject, prepared
from sdkbench.test_harness import Harness
from sdkbench.test_harness.mutations import Mutation, exact_text

# Where each language's tests expect something; in Go, an `if` whose block fails the test.
EXPECTATIONS = {
    ".py": re.compile(r"^\s*assert\b|\bassert[A-Z]\w*\(|\braises\(|\.assert_\w+\("),
    ".go": re.compile(r"^\s*if\b.*\{\s*\n\s*t\.(?:Error|Fatal|Fail)"),
    ".rs": re.compile(r"^\s*assert\w*!"),
    ".java": re.compile(r"\bassert\w+\("),
}
JAVASCRIPT = re.compile(r"\bexpect\(|\bassert(?:\.\w+)*\(")


class Line(NamedTuple):
    path: str
    number: int


def expectation_lines(sample: Sample) -> set[Line]:
    found = set()
    for path in sorted(p for p in sample.tests_dir.rglob("*") if p.is_file()):
        target = f"tests/{path.relative_to(sample.tests_dir).as_posix()}"
        pattern = EXPECTATIONS.get(path.suffix, JAVASCRIPT)
        lines = exact_text(path).splitlines()
        for number, line in enumerate(lines, start=1):
            block = "".join(lines[number : number + 1]) if path.suffix == ".go" else ""
            if pattern.search(f"{line}\n{block}"):
                found.add(Line(target, number))
    return found


def owners(mutations: Iterable[Mutation], expected: set[Line]) -> set[Line]:
    """The expectation that each mutation is of: one that began lines before, or a row itself."""
    found = set()
    for mutation in mutations:
        began = [n for path, n in expected if path == mutation.path and n <= mutation.line]
        inside = bool(began) and mutation.line - max(began) <= 5  # noqa: PLR2004 - one statement
        found.add(Line(mutation.path, max(began) if inside else mutation.line))
    return found


def mutations_of(sample: Sample, harness: Harness, *, proven: bool) -> list[Mutation]:
    options = Options(integrity=Integrity.TWINNED)
    if proven:
        tests = Reference(sample, harness, options).mutants.tests
        return [mutation for test in tests for mutation in test.mutations]
    with prepared(Subject(sample.reference_dir, sample), options, harness) as runner:
        return list(runner.mutations())


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sdk", default="all")
    parser.add_argument("--proven", action="store_true")
    wanted = parser.parse_args()
    harness = Harness.default()
    sums = [0, 0, 0]
    for sample in load_sdk(bundled_samples(), wanted.sdk):
        if sample.ground_truth.metadata.black_box is not None:
            continue
        found = mutations_of(sample, harness, proven=wanted.proven)
        expected = expectation_lines(sample)
        altered = owners(found, expected)
        by_value = owners([m for m in found if m.kind == "value"], expected)
        counts = [len(expected | altered), len(altered), len(by_value)]
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        sys.stdout.write(
            "{:32} {:4} expectations, {:4} alterable, {:4} to another value\n".format(
                sample.root.name, *counts
            )
        )
    sys.stdout.write(
        "{:32} {:4} expectations, {:4} alterable, {:4} to another value\n".format("all", *sums)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
