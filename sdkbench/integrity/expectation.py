"""What a clean run of a sample's tests looks like, recorded from its reference."""

from pydantic import BaseModel, ConfigDict

from sdkbench.test_harness.evidence import Evidence
from sdkbench.test_harness.models import TestStatus


class Expectation(BaseModel):
    """`must_pass` pass on the reference; `may_skip` are skipped or expected to fail there."""

    model_config = ConfigDict(frozen=True)

    must_pass: tuple[str, ...]
    may_skip: tuple[str, ...] = ()


def expectation_from(evidence: Evidence) -> Expectation:
    """The ids of a reference run that was judged clean."""
    clean = [r for r in evidence.reports if _clean_pass(r.status, r.expected_failure)]
    other = [r for r in evidence.reports if not _clean_pass(r.status, r.expected_failure)]
    return Expectation(
        must_pass=tuple(sorted(r.id for r in clean)), may_skip=tuple(sorted(r.id for r in other))
    )


def _clean_pass(status: TestStatus, expected_failure: bool) -> bool:
    return status is TestStatus.PASSED and not expected_failure
