"""The framework's own last line must agree with the channel; what code prints itself is its own."""

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.judge.verdict import Verdict
from sdkbench.test_harness.python.records import OWN_RECORDS, to_evidence
from tests.support.evidence_builder import completed, through_the_channel, verdict_on

A, B = "tests/test_app.py::test_a", "tests/test_app.py::test_b"
OWN = "2 passed in 0.12s"  # pytest's, of the run below
OTHERS = ("3 passed in 0.20s", "1 failed, 2 errors in 0.01s", "no tests ran in 0.01s", "1 failed")


def verdict(stdout: str) -> Verdict:
    """On a run whose records say that two tests passed."""
    sent: list[dict[str, object]] = []
    for name in (A, B):
        sent.append({"kind": "start", "id": name})
        for when in ("setup", "call", "teardown"):
            report = {"kind": "report", "outcome": "passed", "xfail": False, "seconds": 0.1}
            sent.append({**report, "id": name, "when": when})
    records = through_the_channel([*sent, {"kind": "end", "status": 0}], OWN_RECORDS)
    return verdict_on(to_evidence(records, completed(0, stdout=stdout)), None)


@pytest.mark.parametrize("line", ["", *OTHERS, "9" * 5000 + " passed in 0.01s", "\0"])
@pytest.mark.parametrize(
    "form",
    [
        "{own}\n{line}\n",
        "{line}\n{own}\n",
        "..{line}{own}\n",
        "..\n{own} {line}",
        "= {line} =\n= {own} =\n",
        "{line}\n" * 100 + "{own}\n",
    ],
)
def test_lines_of_the_solutions_own_beside_pytests_are_no_tampering(form: str, line: str) -> None:
    assert verdict(form.format(own=OWN, line=line)).outcome is Outcome.PASSED


@pytest.mark.parametrize("line", ["", "Tests: 3 passed", "# pass 3", "FAIL", "3 passed", "OK"])
def test_without_a_line_of_pytests_form_the_records_stand_alone(line: str) -> None:
    assert verdict(f"..\n{line}\n").outcome is Outcome.PASSED


@pytest.mark.parametrize(
    "line",
    ["1 passed in 0.12s", "1 failed, 1 passed in 0.12s", "2 passed, 1 error in 61.00s (0:01:01)"],
)
def test_a_run_whose_only_summary_disagrees_is_invalid(line: str) -> None:
    found = verdict(f"..\n{line}\n")
    assert (found.outcome, found.fault) == (Outcome.INVALID, Fault.TAMPERING)
    assert [finding.name for finding in found.findings] == ["console"]


def test_a_megabyte_of_what_looks_like_a_summary_is_read_at_once() -> None:
    assert verdict("1 passed, " * 100_000).outcome is Outcome.PASSED
