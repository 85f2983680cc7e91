"""What programs inside report of whole tests, as plugins use it too."""

from typing import Any

import pytest

from sdkbench.core import Outcome
from sdkbench.test_harness.runners_api import Evidence, TestStatus, case_evidence
from tests.support.evidence_builder import completed, through_the_channel, verdict_on

CASE: dict[str, Any] = {
    "kind": "case", "id": "t/a.t::1", "status": "passed", "expected_failure": False,
    "seconds": 0.1, "reason": "",
}  # fmt: skip
END: dict[str, Any] = {"kind": "end", "status": 0}


def read(*records: dict[str, Any]) -> Evidence:
    return case_evidence(through_the_channel(records), completed(0))


def test_a_case_and_an_end_make_a_pass() -> None:
    found = read(CASE, END)
    assert [(r.id, r.status) for r in found.reports] == [("t/a.t::1", TestStatus.PASSED)]
    assert verdict_on(found, None).outcome is Outcome.PASSED


def test_tampering_that_the_boot_script_saw_makes_the_verdict_invalid() -> None:
    found = read(CASE, {"kind": "tampered", "message": "t/a.t wrote to the pipe"}, END)
    assert found.faults == ("t/a.t wrote to the pipe",)
    assert verdict_on(found, None).outcome is Outcome.INVALID


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "tampered"},
        {"kind": "tampered", "message": 5},
        {"kind": "case", "id": "t/a.t::2"},
        {"kind": "start", "id": None},
        {"kind": "end", "status": True},
    ],
)
def test_a_record_that_lacks_something_is_a_fault(record: dict[str, Any]) -> None:
    assert read(CASE, record, END).faults


def test_nothing_counts_after_the_end() -> None:
    found = read(END, CASE)
    assert found.reports == ()
    assert found.faults == ("a case record came after the end of the run",)
