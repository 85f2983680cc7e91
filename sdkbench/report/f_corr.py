"""F-CORR results summed up, with the denominator of every figure, and as JSON."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, computed_field

from sdkbench.core import Outcome, ScoreMode
from sdkbench.report.json_text import json_text
from sdkbench.test_harness import FCorrResult


class Summary(BaseModel):
    """Our own errors are told, but never counted against a solution."""

    model_config = ConfigDict(frozen=True)

    total: int
    passed: int
    failed: int
    invalid: int
    error: int
    not_executed: int
    mode: ScoreMode | None
    mean_score: float | None  # over what was judged; None where nothing was
    environments_built: int
    environments_reused: int
    runs_started_warm: int = 0
    runs_judged_again_cold: int = 0  # of those

    @computed_field  # type: ignore[prop-decorator]
    @property
    def judged(self) -> int:
        """The denominator: attempts with a verdict on the solution."""
        return self.passed + self.failed + self.invalid


def summarise(
    results: Sequence[FCorrResult], warm_counts: Mapping[str, int] = MappingProxyType({})
) -> Summary:
    """`warm_counts` are those of `WarmStarts`."""
    again = warm_counts.get("again cold", 0)
    counts = Counter(result.outcome for result in results)
    judged = [
        r.score for r in results if r.outcome in {Outcome.PASSED, Outcome.FAILED, Outcome.INVALID}
    ]
    installs = [r.install_results for r in results if r.install_results]
    used = {i.environment_key for i in installs if i.environment_key}
    built = {i.environment_key for i in installs if i.environment_key and i.built}
    return Summary(
        total=len(results),
        passed=counts[Outcome.PASSED],
        failed=counts[Outcome.FAILED],
        invalid=counts[Outcome.INVALID],
        error=counts[Outcome.ERROR],
        not_executed=counts[Outcome.NOT_EXECUTED],
        mode=results[0].mode if results else None,
        mean_score=round(sum(judged) / len(judged), 4) if judged else None,
        environments_built=len(built),
        environments_reused=len(used - built),
        runs_started_warm=warm_counts.get("warm", 0) + again,
        runs_judged_again_cold=again,
    )


def single_json(result: FCorrResult) -> str:
    return result.model_dump_json(indent=2)


class SuiteReport(BaseModel):
    """What `fcorr --sdk --json` prints."""

    model_config = ConfigDict(frozen=True)

    summary: Summary
    results: tuple[FCorrResult, ...]


def suite_json(
    results: Sequence[FCorrResult], warm_counts: Mapping[str, int] = MappingProxyType({})
) -> str:
    report = SuiteReport(summary=summarise(results, warm_counts), results=tuple(results))
    return json_text(report, indent=2)
