"""MetricResult: a figure, its parts, and what was found where."""

from typing import Annotated

from pydantic import Field, computed_field

from sdkbench.core import Value

Percent = Annotated[float, Field(ge=0, le=100)]


class Finding(Value):
    """One thing that is missing or elsewhere; `path` and `line` are of the solution."""

    message: str
    path: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}: " if self.path and self.line else ""
        return f"{place}{self.message}"


class Part(Value):
    """A share of a metric. `score` is None where the sample says nothing that it could be held to;
    then its weight is spread over the others.
    """

    name: str
    weight: float
    score: Percent | None
    findings: tuple[Finding, ...] = ()


class MetricResult(Value):
    metric: str
    parts: tuple[Part, ...]
    findings: tuple[Finding, ...] = ()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def score(self) -> float | None:
        """0–100 over the parts that apply; None where none does."""
        rated = [(part.weight, part.score) for part in self.parts if part.score is not None]
        total = sum(weight for weight, _ in rated)
        return round(sum(w * s for w, s in rated) / total, 2) if total else None

    def all_findings(self) -> tuple[Finding, ...]:
        return (*self.findings, *(finding for part in self.parts for finding in part.findings))


def share(count: int, wanted: int) -> float:
    return 100.0 * count / wanted
