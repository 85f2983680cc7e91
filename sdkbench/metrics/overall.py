"""The overall score: all metrics in one figure, by weights that are named with it."""

from collections.abc import Mapping

from pydantic import computed_field

from sdkbench.core import Value
from sdkbench.errors import InputError

METRICS = ("I-ACC", "C-COMP", "IPA", "F-CORR", "CQ", "SEM-SIM")
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "classic": {"I-ACC": 30, "C-COMP": 20, "IPA": 15, "F-CORR": 15, "CQ": 10, "SEM-SIM": 10},
    "balanced": {"I-ACC": 15, "C-COMP": 15, "IPA": 15, "F-CORR": 25, "CQ": 15, "SEM-SIM": 15},
}
GRADES = ((90.0, "A"), (80.0, "B"), (70.0, "C"), (60.0, "D"))
WHOLE = 100.0


class Overall(Value):
    """`counted` are the metrics that have a figure; the weights of others are spread over them."""

    weights_name: str
    weights: dict[str, float]
    counted: tuple[str, ...]
    score: float | None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def grade(self) -> str | None:
        return None if self.score is None else grade(self.score)


def grade(score: float) -> str:
    return next((letter for least, letter in GRADES if score >= least), "F")


def weights_of(wanted: str | Mapping[str, float]) -> tuple[str, dict[str, float]]:
    """By name, or one's own. Raises InputError for what is unknown or doesn't add up to 100."""
    if isinstance(wanted, str):
        if wanted not in WEIGHTS:
            known = ", ".join(WEIGHTS)
            raise InputError(f"No weights are called {wanted!r}. There are: {known}.")
        return wanted, dict(WEIGHTS[wanted])
    unknown = [name for name in wanted if name not in METRICS]
    if unknown:
        raise InputError(f"There is no metric {unknown[0]!r}. There are: {', '.join(METRICS)}.")
    if any(weight < 0 for weight in wanted.values()) or sum(wanted.values()) != WHOLE:
        total = sum(wanted.values())
        raise InputError(f"Weights must be 0 or more and add up to 100, not to {total:g}.")
    return "own", dict(wanted)


def parse_weights(text: str) -> str | dict[str, float]:
    """A name as it is; `IPA=50,CQ=50` as one's own weights. InputError for what can't be used."""
    if "=" not in text:
        return weights_of(text)[0]
    own = {}
    for each in text.split(","):
        name, _, number = each.partition("=")
        try:
            own[name.strip()] = float(number)
        except ValueError as error:
            raise InputError(f"{each!r} gives no weight. Write it like IPA=50.") from error
    return weights_of(own)[1]


def usable_weights(weights: str | dict[str, float]) -> str | dict[str, float]:
    """For settings: own weights are a table in a file, and `IPA=50,CQ=50` as a flag. ValueError."""
    try:
        if isinstance(weights, str):
            return parse_weights(weights)
        weights_of(weights)
    except InputError as error:
        raise ValueError(str(error).removesuffix(".")) from error
    return weights


def overall(
    scores: Mapping[str, float | None], wanted: str | Mapping[str, float] = "classic"
) -> Overall:
    """`scores` by metric; None where one says nothing of this solution."""
    name, weights = weights_of(wanted)
    rated = {
        metric: score
        for metric, score in scores.items()
        if score is not None and weights.get(metric)
    }
    total = sum(weights[metric] for metric in rated)
    mean = sum(weights[m] * score for m, score in rated.items()) / total if total else None
    return Overall(
        weights_name=name,
        weights=weights,
        counted=tuple(metric for metric in METRICS if metric in rated),
        score=None if mean is None else round(mean, 2),
    )
