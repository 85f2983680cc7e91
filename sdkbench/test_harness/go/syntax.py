"""Where Go sources stop being Go: a program of its own, and how it is asked.

The parser takes minutes for a page of text that is made for that, and cannot be stopped from
within.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import tree_sitter_go
from tree_sitter import Language

from sdkbench.sandbox import Cancellation, Limits, run_own
from sdkbench.test_harness.mutations import SourceTree
from sdkbench.test_harness.recognition import Placed, bytes_of

SECONDS = 10.0  # a large project takes less than one
PACKAGE = Path(__file__).parents[3]  # where `sdkbench` is imported from


def syntax_problems(sources: Sequence[Placed]) -> list[str]:
    """A sentence for each file that is no Go, with the line where it stops being so; one more where
    that could not be found out in time.
    """
    if not sources:
        return []
    done = run_own(
        [sys.executable, "-m", "sdkbench.test_harness.go.syntax"],
        stdin=json.dumps([(str(path), name) for path, name in sources]).encode(),
        environment={"PATH": os.defpath, "PYTHONPATH": str(PACKAGE)},
        cwd=Path("/"),
        limits=Limits(wall_seconds=SECONDS),
        cancellation=Cancellation(),
    )
    problems = done.stdout.splitlines()
    return problems if done.ok else [*problems, f"not read to the end: {done.ending()}"]


def main() -> None:
    grammar = Language(tree_sitter_go.language())
    for path, name in json.load(sys.stdin):
        line = SourceTree(bytes_of(Path(path)), grammar).first_error
        if line is not None:
            shown = " ".join(name.encode("utf-8", "replace").decode().splitlines())
            sys.stdout.write(f"{shown}:{line}: not valid Go\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
