"""Why tests can't be judged apart from the solution: what happened, why, and what would help."""

import re
from pathlib import PurePosixPath

from sdkbench.core import Outcome, tree
from sdkbench.datasets import Sample
from sdkbench.judge.verdict import Expectation, decide
from sdkbench.test_harness.apart import SOLUTION_ENDED, ApartRun
from sdkbench.test_harness.models import TestFailure

MAX_SAID = 300  # characters of what a framework says
SHOWN = 3
UNANSWERED = "the solution does not answer"  # as inside/node/apart says it
# Calls that look at files, in the languages that have the level.
READS = re.compile(
    r"\b(?:readFile|readFileSync|existsSync|statSync|readdir|createReadStream|read_text|read_bytes"
    r"|exists|is_file|getsource)\b|\bopen\("
)


def obstacles_of(run: ApartRun, sample: Sample, expectation: Expectation) -> dict[str, str]:
    """By test, for each that the reference passes and that does not pass apart from it; "" is for
    what is of no single test.
    """
    obstacles = {test: _with_ending(why, run) for test, why in run.obstacles.items()}
    if run.departures:
        obstacles.setdefault("", run.departures[0])
    evidence = run.examination.evidence
    for failure in evidence.failures if evidence else ():
        if UNANSWERED in failure.error_message:  # one cause for all tests
            obstacles.setdefault("", _with_ending(" ".join(failure.error_message.split()), run))
        else:
            obstacles.setdefault(failure.test_name, _why(failure, sample))
    verdict = decide(run.examination, expectation)
    if not obstacles and verdict.outcome is not Outcome.PASSED:
        obstacles[""] = _with_ending(verdict.reason or verdict.outcome, run)
    return obstacles


def _why(failure: TestFailure, sample: Sample) -> str:
    said = _cut(" ".join(failure.error_message.split()))
    names = _files_read(failure.test_name, sample)
    if not names:
        return f"it fails there: {said}"
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return (
        f"it seems to read files of the solution ({', '.join(names[:SHOWN])}{more}), whose text is "
        "not there: apart, tests only see what a solution answers. A test that calls it instead "
        f"can be judged apart. It fails with: {said}"
    )


def _files_read(test: str, sample: Sample) -> list[str]:
    """Files of the reference that a test's file names, where it looks at files at all."""
    path = sample.root / PurePosixPath(test.partition("::")[0].partition(" > ")[0])
    if not tree.is_file(path) or not tree.is_below(path, sample.tests_dir):
        return []
    text = path.read_text(encoding="utf-8", errors="replace")
    if not READS.search(text):
        return []
    inner = (p.relative_to(sample.reference_dir) for p in tree.files(sample.reference_dir))
    return [name.as_posix() for name in inner if name.name in text]


def _with_ending(why: str, run: ApartRun) -> str:
    """And what the solution's process said, where it ended early."""
    ended = next((n for n in run.examination.process.notes if n.startswith(SOLUTION_ENDED)), "")
    return f"{why} ({_cut(' '.join(ended.split()))})" if ended and ended not in why else why


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SAID else f"{text[:MAX_SAID]}…"
