"""The attack corpus, judged: does anything forge a pass here, and does every honest one pass?"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Fault, Outcome, Value
from sdkbench.datasets import CorpusEntry, Kind
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import FCorrResult, Harness


class Tried(NamedTuple):
    """`cold`: the verdict on the same entry where every run started anew, if that was asked for."""

    entry: CorpusEntry
    result: FCorrResult
    cold: FCorrResult | None = None

    @property
    def agrees(self) -> bool:
        """Whether it passes, is refused or is our error however its runs start.

        Refused is refused: which mutants are drawn decides whether a forgery shows or just fails.
        """
        return self.cold is None or _kind(self.cold) == _kind(self.result)

    @property
    def possible(self) -> bool:
        """False where this machine lacks what the entry's language needs."""
        return self.result.fault is not Fault.MISSING_TOOL

    @property
    def as_it_should_be(self) -> bool:
        if self.entry.kind is Kind.HONEST:
            return self.result.outcome is Outcome.PASSED
        return self.result.outcome in {Outcome.FAILED, Outcome.INVALID}


def _kind(result: FCorrResult) -> Outcome:
    return Outcome.FAILED if result.outcome is Outcome.INVALID else result.outcome


class FrameworkTally(Value):
    """One framework's row of the table."""

    framework: str
    attacks: int
    forged: int
    failed: int
    invalid: int
    escaped: int  # attacks that ended in an error: outside of every score, as they may have wanted
    errors: int  # of all entries
    wrong_found: int
    wrong: int
    honest_passed: int
    honest: int
    not_run: int


def judge_entry(entry: CorpusEntry, options: Options, harness: Harness) -> FCorrResult:
    """The verdict on one entry of the corpus, laid out with the files that it shares."""
    with tempfile.TemporaryDirectory(prefix="sdkbench-attack-") as folder:
        solution = entry.solution.lay_out(Path(folder) / entry.name)
        return judge_attempt(Subject(solution, entry.sample), options, harness)


def tally(tried: Sequence[Tried]) -> list[FrameworkTally]:
    frameworks = list(dict.fromkeys(one.entry.framework for one in tried))
    return [_row(name, [t for t in tried if t.entry.framework == name]) for name in frameworks]


def _row(framework: str, tried: list[Tried]) -> FrameworkTally:
    run = [one for one in tried if one.possible]
    by_kind = {kind: [t for t in run if t.entry.kind is kind] for kind in Kind}
    attacks = [one.result.outcome for one in by_kind[Kind.ATTACK]]
    return FrameworkTally(
        framework=framework,
        attacks=len(attacks),
        forged=attacks.count(Outcome.PASSED),
        failed=attacks.count(Outcome.FAILED),
        invalid=attacks.count(Outcome.INVALID),
        escaped=attacks.count(Outcome.ERROR),
        errors=sum(one.result.outcome is Outcome.ERROR for one in run),
        wrong_found=sum(one.as_it_should_be for one in by_kind[Kind.WRONG]),
        wrong=len(by_kind[Kind.WRONG]),
        honest_passed=sum(one.as_it_should_be for one in by_kind[Kind.HONEST]),
        honest=len(by_kind[Kind.HONEST]),
        not_run=len(tried) - len(run),
    )
