"""Two runs, or two models of one, side by side: by model and suite what changed, and where they
were judged otherwise.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sdkbench import __version__
from sdkbench.core import Value
from sdkbench.errors import InputError
from sdkbench.metrics.changes import ChangeKind, Changes, ComparedTrial, SampleContent, changes
from sdkbench.metrics.statistics import Trial
from sdkbench.report.source import RunSource
from sdkbench.store import Attempt, JudgedAs, RunState, Suite

DIGEST_CHARACTERS = 12


class ComparedRun(Value):
    """`state` and `label` are None where a file tells of attempts only; `unfinished` is a sentence
    on a run that is not whole.
    """

    run_id: str
    label: str | None
    state: RunState | None
    unfinished: str | None
    models: tuple[str, ...]


class JudgedOtherwise(Value):
    """A circumstance of judging in which the two sides differ, with all values of each."""

    what: str
    first: tuple[str, ...]
    second: tuple[str, ...]


class ModelChanges(Value):
    first: str
    second: str
    suites: dict[Suite, Changes]

    @property
    def named(self) -> str:
        return self.first if self.first == self.second else f"{self.first} → {self.second}"

    def count(self, change: ChangeKind) -> int:
        return sum(each.counts[change] for each in self.suites.values())


class RunComparison(Value):
    """`second` is judged against `first`. Models without a partner are named in `unpaired`."""

    schema_version: str = "1"
    sdkbench_version: str = __version__
    first: ComparedRun
    second: ComparedRun
    judged_otherwise: tuple[JudgedOtherwise, ...]
    unpaired_first: tuple[str, ...]
    unpaired_second: tuple[str, ...]
    models: tuple[ModelChanges, ...]


class ModelPair(NamedTuple):
    first: str
    second: str


def compare_runs(
    first: RunSource, second: RunSource, model: str | None = None, against: str | None = None
) -> RunComparison:
    """The model `model` of the first with `against` (default: the same) of the second; without
    them every model that both have, or the only ones.

    Raises InputError where there are no such models, or nobody can say which are meant.
    """
    before, after = _Side(first), _Side(second)
    pairs = _pairs(before, after, model, against)
    one_run = first.run is not None and second.run is not None and first.name == second.name
    chosen = [{pair.first for pair in pairs}, {pair.second for pair in pairs}]
    return RunComparison(
        first=before.described(),
        second=after.described(),
        judged_otherwise=_judged_otherwise(
            before.circumstances(chosen[0]), after.circumstances(chosen[1])
        ),
        unpaired_first=() if one_run or model else tuple(sorted(before.models - chosen[0])),
        unpaired_second=() if one_run or model else tuple(sorted(after.models - chosen[1])),
        models=tuple(
            ModelChanges(
                first=pair.first,
                second=pair.second,
                suites={
                    suite: changes(before.of(pair.first, suite), after.of(pair.second, suite))
                    for suite in Suite
                    if before.of(pair.first, suite) or after.of(pair.second, suite)
                },
            )
            for pair in pairs
        ),
    )


class _Side:
    """What is needed of a run's attempts; their texts and tests are not kept in memory."""

    def __init__(self, source: RunSource) -> None:
        self.source = source
        self._trials: dict[tuple[str, Suite], list[ComparedTrial]] = defaultdict(list)
        self._circumstances: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for attempt in source.attempts():
            self._trials[attempt.model, attempt.suite].append(compared_trial(attempt))
            if attempt.finished:
                for what, value in self._circumstances_of(attempt):
                    self._circumstances[attempt.model][what].add(value)

    @property
    def models(self) -> set[str]:
        return {model for model, _ in self._trials}

    def of(self, model: str, suite: Suite) -> Sequence[ComparedTrial]:
        return self._trials.get((model, suite), ())

    def described(self) -> ComparedRun:
        run = self.source.run
        return ComparedRun(
            run_id=self.source.name,
            label=run.label if run else None,
            state=run.state if run else None,
            unfinished=self.source.unfinished,
            models=tuple(sorted(self.models)),
        )

    def circumstances(self, models: Iterable[str]) -> dict[str, set[str]]:
        joined: dict[str, set[str]] = defaultdict(set)
        for model in models:
            for what, values in self._circumstances[model].items():
                joined[what] |= values
        return joined

    def _circumstances_of(self, attempt: Attempt) -> Iterable[tuple[str, str]]:
        run = self.source.run
        noted = JudgedAs.of(attempt.result)
        settings = noted.settings if noted else (run.settings if run else {})
        version = noted.version if noted else (run.harness if run else "")
        if version:
            yield "SDKBench version", version
        if noted:
            suite = "solutions" if attempt.suite is Suite.SDK else "commands"
            yield f"code that judges {suite}", noted.harness[:DIGEST_CHARACTERS]
        if attempt.suite is Suite.SHELL:
            return
        yield "score mode", attempt.mode
        yield "assurance", attempt.assurance
        if noted and noted.environment:
            yield "machine", noted.environment
        for name in ("integrity", "timeout", "sandbox"):
            if settings.get(name) is not None:
                yield name, str(settings[name])


def compared_trial(attempt: Attempt) -> ComparedTrial:
    noted = JudgedAs.of(attempt.result)
    return ComparedTrial(
        trial_of(attempt),
        attempt.mode,
        attempt.fault,
        SampleContent(noted.case, noted.tests) if noted else None,
    )


def trial_of(attempt: Attempt) -> Trial:
    return Trial(
        model=attempt.model,
        sample=f"{attempt.sdk}/{attempt.sample}",
        task_type=attempt.task_type,
        outcome=attempt.outcome,
        score=attempt.score,
    )


def _pairs(first: _Side, second: _Side, model: str | None, against: str | None) -> list[ModelPair]:
    if model is not None:
        pair = ModelPair(model, against if against is not None else model)
        for side, name in ((first, pair.first), (second, pair.second)):
            if name not in side.models:
                raise InputError(
                    f"Run {side.source.name} has no model {name!r}. It has: {_listed(side.models)}."
                )
        return [pair]
    if against is not None:
        raise InputError("--against goes with --model: the two are compared.")
    common = sorted(first.models & second.models)
    if common:
        return [ModelPair(name, name) for name in common]
    if len(first.models) == len(second.models) == 1:
        return [ModelPair(*first.models, *second.models)]
    raise InputError(
        f"The runs have no model in common ({_listed(first.models)}; {_listed(second.models)}). "
        "Name two of them: --model A --against B."
    )


def _listed(models: Iterable[str]) -> str:
    names = sorted(models)
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""  # noqa: PLR2004
    return ", ".join(name or "(none)" for name in names[:5]) + more


def _judged_otherwise(
    first: Mapping[str, set[str]], second: Mapping[str, set[str]]
) -> tuple[JudgedOtherwise, ...]:
    """What only one of the sides tells of is no difference."""
    return tuple(
        JudgedOtherwise(
            what=what, first=tuple(sorted(first[what])), second=tuple(sorted(second[what]))
        )
        for what in first
        if what in second and first[what] != second[what]
    )
