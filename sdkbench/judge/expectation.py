"""What a clean run of a sample's tests looks like, recorded from its reference."""

from collections.abc import Collection, Sequence

from pydantic import BaseModel, ConfigDict

from sdkbench.test_harness.evidence import CaseReport, Evidence
from sdkbench.test_harness.models import TestStatus


class Expectation(BaseModel):
    """`must_pass` pass on the reference; `may_skip` are skipped or expected to fail there.

    `unstable` sometimes pass there and sometimes don't: they say nothing, and never count.
    """

    model_config = ConfigDict(frozen=True)

    must_pass: tuple[str, ...]
    may_skip: tuple[str, ...] = ()
    unstable: tuple[str, ...] = ()
    environment: str | None = None  # the key of the one that the reference ran in

    def without(self, ids: Collection[str]) -> "Expectation":
        return Expectation(
            must_pass=tuple(i for i in self.must_pass if i not in ids),
            may_skip=tuple(i for i in self.may_skip if i not in ids),
        )

    @property
    def known(self) -> frozenset[str]:
        return frozenset((*self.must_pass, *self.may_skip, *self.unstable))


def expectation_from(runs: Sequence[Evidence]) -> Expectation:
    """The ids of the reference's runs; a test that passes in some and not in all is unstable."""
    clean = [{r.id for r in run.reports if _clean_pass(r)} for run in runs]
    every = frozenset[str]().union(*({r.id for r in run.reports} for run in runs))
    always, sometimes = frozenset.intersection(*map(frozenset, clean)), frozenset().union(*clean)
    return Expectation(
        must_pass=tuple(sorted(always)),
        may_skip=tuple(sorted(every - sometimes)),
        unstable=tuple(sorted(sometimes - always)),
    )


def _clean_pass(report: CaseReport) -> bool:
    return report.status is TestStatus.PASSED and not report.expected_failure
