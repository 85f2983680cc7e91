"""Verdicts of two sides on the same samples: what improved, what regressed, whether by chance."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from sdkbench.core import Outcome, ScoreMode, Value
from sdkbench.metrics.statistics import JUDGED, Trial, compare, standings_of

SIGNIFICANT = 0.05


class ChangeKind(StrEnum):
    """Of one sample, from the first side to the second."""

    IMPROVED = "improved"
    REGRESSED = "regressed"
    UNCHANGED = "unchanged"
    UNSTABLE = "unstable"  # trials of one side disagree among themselves
    NOT_COMPARABLE = "not_comparable"
    ONLY_FIRST = "only_first"
    ONLY_SECOND = "only_second"


class SampleContent(NamedTuple):
    """Digests of a sample and of what judges it."""

    case: str
    tests: str


class ComparedTrial(NamedTuple):
    """A trial, with what decides whether it can be compared; `content` is None where unknown."""

    trial: Trial
    mode: ScoreMode
    fault: str | None = None
    content: SampleContent | None = None


class SideCounts(Value):
    """One side's trials of a sample: `passed` of `judged`, the others have no verdict."""

    trials: int
    judged: int
    passed: int
    outcomes: dict[Outcome, int]


class SampleChange(Value):
    """`reason` says why verdicts can't be compared; it is empty for the others."""

    sample: str
    task_type: str
    change: ChangeKind
    first: SideCounts | None
    second: SideCounts | None
    reason: str = ""


class Significance(Value):
    """Over the `samples` that can be compared, unstable ones too: `better` and `worse` count those
    on which the second side has the higher or the lower share of passes.

    `p_value` is that of the exact two-sided sign test, for one trial each McNemar's exact test.
    `score_difference` is second minus first in mean score with a 95 % paired bootstrap interval;
    None where the sides were scored in different modes. All are None without samples.
    """

    samples: int
    better: int
    worse: int
    p_value: float | None
    significant: bool
    score_difference: float | None
    low: float | None
    high: float | None


class Changes(Value):
    """Of one suite. `unknown_content` samples were compared though nobody noted which tests judged
    them.
    """

    counts: dict[ChangeKind, int]
    significance: Significance
    unknown_content: int
    samples: tuple[SampleChange, ...]

    def of(self, *kinds: ChangeKind) -> list[SampleChange]:
        return [each for each in self.samples if each.change in kinds]


def changes(first: Iterable[ComparedTrial], second: Iterable[ComparedTrial]) -> Changes:
    """Samples by name. Each counts once, however often it was tried."""
    before, after = _by_sample(first), _by_sample(second)
    samples = [
        _sample_change(name, before.get(name, ()), after.get(name, ()))
        for name in sorted(before.keys() | after.keys())
    ]
    counted = Counter(each.change for each in samples)
    compared = [
        each.sample
        for each in samples
        if each.change
        in {ChangeKind.IMPROVED, ChangeKind.REGRESSED, ChangeKind.UNCHANGED, ChangeKind.UNSTABLE}
    ]
    return Changes(
        counts={change: counted[change] for change in ChangeKind},
        significance=_significance(compared, before, after),
        unknown_content=sum(
            _contents(before[n]) is None or _contents(after[n]) is None for n in compared
        ),
        samples=tuple(samples),
    )


def _by_sample(trials: Iterable[ComparedTrial]) -> dict[str, list[ComparedTrial]]:
    samples: dict[str, list[ComparedTrial]] = defaultdict(list)
    for each in trials:
        samples[each.trial.sample].append(each)
    return dict(samples)


def _sample_change(
    name: str, first: Sequence[ComparedTrial], second: Sequence[ComparedTrial]
) -> SampleChange:
    sides = [_counts(side) if side else None for side in (first, second)]
    change, reason = _change(first, second, *sides)
    return SampleChange(
        sample=name,
        task_type=[*first, *second][-1].trial.task_type,
        change=change,
        first=sides[0],
        second=sides[1],
        reason=reason,
    )


def _change(
    first: Sequence[ComparedTrial],
    second: Sequence[ComparedTrial],
    before: SideCounts | None,
    after: SideCounts | None,
) -> tuple[ChangeKind, str]:
    if before is None:
        return ChangeKind.ONLY_SECOND, ""
    if after is None:
        return ChangeKind.ONLY_FIRST, ""
    if reason := _why_not(first, second, before, after):
        return ChangeKind.NOT_COMPARABLE, reason
    if any(0 < side.passed < side.judged for side in (before, after)):
        return ChangeKind.UNSTABLE, ""
    passed, passes = before.passed > 0, after.passed > 0
    if passed == passes:
        return ChangeKind.UNCHANGED, ""
    return (ChangeKind.IMPROVED if passes else ChangeKind.REGRESSED), ""


def _why_not(
    first: Sequence[ComparedTrial],
    second: Sequence[ComparedTrial],
    before: SideCounts,
    after: SideCounts,
) -> str:
    """Why two sides' verdicts on a sample can't be compared; empty where they can."""
    unjudged = [
        f"no verdict {where}: {_without_verdict(trials)}"
        for where, trials, counts in (("before", first, before), ("after", second, after))
        if not counts.judged
    ]
    if unjudged:
        return "; ".join(unjudged)
    was, now = _contents(first), _contents(second)
    if was is None or now is None or was == now:
        return ""
    tests = {each.tests for each in was} != {each.tests for each in now}
    return "its tests are others" if tests else "its task is another"


def _without_verdict(trials: Sequence[ComparedTrial]) -> str:
    """`2 error (network), 1 not_executed`."""
    kinds = Counter(
        f"{each.trial.outcome} ({each.fault})"
        if each.fault and each.trial.outcome is Outcome.ERROR
        else each.trial.outcome.value
        for each in trials
    )
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def _contents(trials: Sequence[ComparedTrial]) -> frozenset[SampleContent] | None:
    """Of the trials with a verdict; None where one of them doesn't tell."""
    contents = [each.content for each in trials if each.trial.outcome in JUDGED]
    known = [content for content in contents if content is not None]
    return frozenset(known) if len(known) == len(contents) else None


def _counts(trials: Sequence[ComparedTrial]) -> SideCounts:
    outcomes = Counter(each.trial.outcome for each in trials)
    return SideCounts(
        trials=len(trials),
        judged=sum(outcomes[outcome] for outcome in JUDGED),
        passed=outcomes[Outcome.PASSED],
        outcomes=dict(sorted(outcomes.items())),
    )


def _significance(
    compared: Sequence[str],
    first: Mapping[str, Sequence[ComparedTrial]],
    second: Mapping[str, Sequence[ComparedTrial]],
) -> Significance:
    before, after = (
        standings_of([each.trial for name in compared for each in side[name]])
        for side in (first, second)
    )
    # From the second to the first: what is more there is an improvement.
    measured = compare("second", "first", after, before)
    modes = {
        each.mode
        for side in (first, second)
        for name in compared
        for each in side[name]
        if each.trial.outcome in JUDGED
    }
    scored = len(modes) == 1
    return Significance(
        samples=measured.samples,
        better=measured.first_better,
        worse=measured.second_better,
        p_value=measured.p_value,
        significant=measured.p_value is not None and measured.p_value < SIGNIFICANT,
        score_difference=measured.difference if scored else None,
        low=measured.low if scored else None,
        high=measured.high if scored else None,
    )
