"""Thresholds: `80`, `sdk=lancedb:80`, `category=safety,model=gpt-4o:95`; and who stays below."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from sdkbench.core import Outcome, Value
from sdkbench.errors import GateNotMet, InputError
from sdkbench.metrics.statistics import Mean, Trial, figures
from sdkbench.store import Attempt, Suite

METRICS = {Suite.SDK: "F-CORR", Suite.SHELL: "CSR"}
# What a threshold may be limited to → the field of a trial, and the suite that has it.
KEYS: dict[str, tuple[str, Suite | None]] = {
    "suite": ("suite", None),
    "model": ("model", None),
    "sdk": ("group", Suite.SDK),
    "task-type": ("kind", Suite.SDK),
    "dataset": ("group", Suite.SHELL),
    "category": ("kind", Suite.SHELL),
}
HINT = "Write it like 80, sdk=lancedb:80 or category=safety,model=NAME:95."
ROUNDING = 1e-9  # sums of floats end a hair beside what they mean


class GatedTrial(NamedTuple):
    """What thresholds need of one attempt. `group` is its SDK or dataset, `kind` its task type or
    category.
    """

    suite: str
    group: str
    kind: str
    model: str
    sample: str
    outcome: Outcome
    score: float

    @classmethod
    def of(cls, attempt: Attempt) -> Self:
        return cls(
            attempt.suite,
            attempt.sdk,
            attempt.task_type,
            attempt.model,
            attempt.sample,
            attempt.outcome,
            attempt.score,
        )


class Threshold(Value):
    """`percent` for every model and suite that `where` leaves."""

    text: str
    percent: float
    where: dict[str, str]

    @classmethod
    def parse(cls, text: str) -> Self:
        """InputError where `text` is none."""
        conditions, separator, number = text.rpartition(":")
        percent = _percent(number, text)
        if separator and not conditions:
            raise InputError(f"--fail-under {text!r}: nothing stands before the colon. {HINT}")
        where: dict[str, str] = {}
        for condition in conditions.split(",") if conditions else ():
            key, equals, value = condition.partition("=")
            if not equals or not value or key not in KEYS:
                raise InputError(
                    f"--fail-under {text!r}: {condition!r} is no condition. {HINT} "
                    f"Conditions: {', '.join(KEYS)}."
                )
            if key in where:
                raise InputError(f"--fail-under {text!r}: {key} stands there twice.")
            where[key] = value
        return cls(text=text, percent=percent, where=where)

    def covers(self, trial: GatedTrial) -> bool:
        return all(
            getattr(trial, KEYS[key][0]) == value and KEYS[key][1] in {None, trial.suite}
            for key, value in self.where.items()
        )


class ThresholdCheck(Value):
    """One model on one suite against a threshold. `value` is the mean score in percent over
    samples, which in mode strict is the share that passed.
    """

    threshold: str
    percent: float
    suite: Suite
    model: str
    value: float | None
    samples: int
    met: bool

    @property
    def sentence(self) -> str:
        of = f" of {self.threshold.rpartition(':')[0]}" if ":" in self.threshold else ""
        who = f"{METRICS[self.suite]}{of}" + (f" by {self.model}" if self.model else "")
        if self.value is None:
            return f"{who}: nothing has a verdict, and {self.percent:g} % is asked for"
        relation = "is at least" if self.met else "is below"
        samples = "1 sample" if self.samples == 1 else f"{self.samples} samples"
        return f"{who}: {rounded_down(self.value)} % over {samples} {relation} {self.percent:g} %"


def parse_thresholds(texts: Iterable[str] | None) -> tuple[Threshold, ...]:
    return tuple(Threshold.parse(text.strip()) for text in texts or ())


def check_thresholds(
    trials: Iterable[GatedTrial], thresholds: Sequence[Threshold]
) -> list[ThresholdCheck]:
    """Each threshold for each suite and model that it covers.

    InputError where one covers nothing at all: a misspelt name would be met for ever.
    """
    trials = list(trials)
    return [check for threshold in thresholds for check in _check(trials, threshold)]


def require_thresholds(trials: Iterable[GatedTrial], thresholds: Sequence[Threshold]) -> None:
    """GateNotMet with a sentence on each that stays below."""
    unmet = [each.sentence for each in check_thresholds(trials, thresholds) if not each.met]
    if unmet:
        raise GateNotMet(f"{'; '.join(unmet)}.")


def is_below(value: float | None, percent: float) -> bool:
    """What has no value is below every threshold."""
    return value is None or value < percent - ROUNDING


def rounded_down(value: float) -> str:
    """Two digits, so that what is below a threshold doesn't look like it."""
    return f"{math.floor(value * 100 + ROUNDING) / 100:g}"


def _check(trials: Sequence[GatedTrial], threshold: Threshold) -> list[ThresholdCheck]:
    covered: dict[tuple[str, str], list[Trial]] = defaultdict(list)
    for each in trials:
        if threshold.covers(each):
            trial = Trial(
                each.model, f"{each.group}/{each.sample}", each.kind, each.outcome, each.score
            )
            covered[each.suite, each.model].append(trial)
    if not covered:
        raise InputError(f"--fail-under {threshold.text!r} covers nothing. {_there_is(trials)}")
    checks = []
    for (suite, model), chosen in sorted(covered.items()):
        mean: Mean = figures(chosen).mean_score
        checks.append(
            ThresholdCheck(
                threshold=threshold.text,
                percent=threshold.percent,
                suite=Suite(suite),
                model=model,
                value=mean.value,
                samples=mean.samples,
                met=not is_below(mean.value, threshold.percent),
            )
        )
    return checks


def _there_is(trials: Sequence[GatedTrial]) -> str:
    """What could have been meant."""
    names = sorted(
        {
            f"{key}={getattr(trial, field)}"
            for trial in trials
            for key, (field, suite) in KEYS.items()
            if suite in {None, trial.suite} and getattr(trial, field)
        }
    )
    more = ", …" if len(names) > 12 else ""  # noqa: PLR2004 - a line or two
    return f"There is: {', '.join(names[:12])}{more}."


def _percent(number: str, text: str) -> float:
    try:
        percent = float(number)
    except ValueError:
        percent = math.nan
    if not 0 <= percent <= 100:  # noqa: PLR2004
        raise InputError(f"--fail-under {text!r}: {number!r} is no percent from 0 to 100. {HINT}")
    return percent
