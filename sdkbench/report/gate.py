"""A run against what was asked of it: thresholds, a baseline, errors; with what is not met."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sdkbench import __version__
from sdkbench.core import Outcome, Value
from sdkbench.errors import InputError
from sdkbench.metrics.changes import ChangeKind
from sdkbench.metrics.thresholds import (
    METRICS,
    GatedTrial,
    Threshold,
    ThresholdCheck,
    check_thresholds,
)
from sdkbench.report.comparison import RunComparison, compare_runs
from sdkbench.report.source import RunSource
from sdkbench.store import RunState


class GateRequest(NamedTuple):
    """What is asked of a run. `model` limits it to one; `against` is its partner in the baseline.

    `max_errors` counts attempts without a verdict, `max_missing` samples that only the baseline
    has.
    """

    thresholds: Sequence[Threshold] = ()
    max_regressions: int = 0
    max_errors: int = 0
    max_missing: int = 0
    allow_unfinished: bool = False
    model: str | None = None
    against: str | None = None


class GateCheck(Value):
    """One thing that was asked for. `details` names the samples, or what else a reader needs."""

    name: str
    met: bool
    message: str
    details: tuple[str, ...] = ()


class GateReport(Value):
    """`met` where every check is. `comparison` is there with a baseline."""

    schema_version: str = "1"
    sdkbench_version: str = __version__
    run_id: str
    label: str | None
    state: RunState | None
    met: bool
    checks: tuple[GateCheck, ...]
    thresholds: tuple[ThresholdCheck, ...]
    outcomes: dict[Outcome, int]
    comparison: RunComparison | None

    @property
    def unmet(self) -> list[GateCheck]:
        return [check for check in self.checks if not check.met]


def gate_run(source: RunSource, request: GateRequest, baseline: RunSource | None) -> GateReport:
    """Raises InputError where a threshold covers nothing, or there is no such model."""
    trials = [GatedTrial.of(each) for each in source.attempts() if _chosen(each.model, request)]
    if not trials:
        raise InputError(f"Run {source.name} has no attempt of model {request.model!r}.")
    thresholds = check_thresholds(trials, request.thresholds)
    checks = [_finished(source, request), _verdicts(trials, request)]
    checks += [GateCheck(name="fail-under", met=t.met, message=t.sentence) for t in thresholds]
    comparison = None
    if baseline is not None:
        of_baseline = request.against if request.against is not None else request.model
        comparison = compare_runs(baseline, source, of_baseline, request.model)
        checks += [_regressions(comparison, request), _missing(comparison, request)]
    return GateReport(
        run_id=source.name,
        label=source.run.label if source.run else None,
        state=source.run.state if source.run else None,
        met=all(check.met for check in checks),
        checks=tuple(checks),
        thresholds=tuple(thresholds),
        outcomes=dict(sorted(Counter(trial.outcome for trial in trials).items())),
        comparison=comparison,
    )


def _chosen(model: str, request: GateRequest) -> bool:
    return request.model is None or model == request.model


def _finished(source: RunSource, request: GateRequest) -> GateCheck:
    sentence = source.unfinished
    return GateCheck(
        name="finished",
        met=sentence is None or request.allow_unfinished,
        message=sentence or f"Run {source.name} is whole: {source.stored} attempts.",
    )


def _verdicts(trials: Sequence[GatedTrial], request: GateRequest) -> GateCheck:
    """An attempt without a verdict is in no figure: so it must not go unnoticed."""
    missing = [t for t in trials if t.outcome in {Outcome.ERROR, Outcome.NOT_EXECUTED}]
    kinds = Counter(t.outcome for t in missing)
    counted = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    told = f" ({counted})" if missing else ""
    return GateCheck(
        name="max-errors",
        met=len(missing) <= request.max_errors,
        message=f"{len(missing)} of {len(trials)} attempts have no verdict{told}; "
        f"{request.max_errors} may.",
        details=tuple(
            sorted({f"{t.group}/{t.sample} by {t.model or 'nobody'}: {t.outcome}" for t in missing})
        ),
    )


def _regressions(comparison: RunComparison, request: GateRequest) -> GateCheck:
    names = _names(comparison, ChangeKind.REGRESSED)
    apart = {ChangeKind.UNSTABLE: "unstable", ChangeKind.NOT_COMPARABLE: "not comparable"}
    counted = [
        f"{count} {word}"
        for change, word in apart.items()
        if (count := sum(model.count(change) for model in comparison.models))
    ]
    aside = f" Not counted: {', '.join(counted)}." if counted else ""
    return GateCheck(
        name="max-regressions",
        met=len(names) <= request.max_regressions,
        message=f"{len(names)} regressed since {comparison.first.run_id}; "
        f"{request.max_regressions} may.{aside}",
        details=tuple(names),
    )


def _missing(comparison: RunComparison, request: GateRequest) -> GateCheck:
    names = _names(comparison, ChangeKind.ONLY_FIRST)
    return GateCheck(
        name="max-missing",
        met=len(names) <= request.max_missing,
        message=f"{len(names)} samples of {comparison.first.run_id} are missing; "
        f"{request.max_missing} may.",
        details=tuple(names),
    )


def _names(comparison: RunComparison, change: ChangeKind) -> list[str]:
    return [
        f"{each.sample} by {model.second or 'nobody'} ({METRICS[suite]})"
        for model in comparison.models
        for suite, changes in model.suites.items()
        for each in changes.of(change)
    ]
