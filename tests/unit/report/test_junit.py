"""JUnit XML, read by a program that others use for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped

from sdkbench.core import Outcome
from sdkbench.report import junit_xml
from sdkbench.report.gate import GateCheck
from sdkbench.store import Attempt, TestRow
from tests.support.store.sources import HOSTILE, judged, shell


def read(attempts: list[Attempt], *checks: GateCheck) -> JUnitXml:
    return JUnitXml.fromstring(junit_xml("run-1", attempts, checks))


def test_a_suite_for_each_sdk_and_model() -> None:
    other = judged(1, Outcome.FAILED, model="model-b", duration_seconds=2.0)
    xml = read([judged(0), other, shell(0)])
    suites = [(s.name, s.tests, s.failures, s.time) for s in xml]
    assert suites == [("demo/model-a", 1, 0, 1.5), ("demo/model-b", 1, 1, 2.0),
                      ("core/model-a", 1, 0, 1.5)]  # fmt: skip
    assert (xml.tests, xml.failures, xml.errors, xml.skipped) == (3, 1, 0, 0)


@pytest.mark.parametrize(
    ("outcome", "fault", "kind", "type_"),
    [
        (Outcome.FAILED, "build", Failure, "build"),
        (Outcome.INVALID, "tampering", Failure, "invalid"),
        (Outcome.ERROR, "network", Error, "network"),
        (Outcome.NOT_EXECUTED, None, Skipped, None),
    ],
)
def test_every_outcome_has_its_element(
    outcome: Outcome, fault: str | None, kind: type, type_: str | None
) -> None:
    tests = (TestRow(test_id="t::one", status="failed", message="1 != 2"),)
    made = judged(0, outcome, fault=fault, error="it\nbroke", tests=tests, trial=2)
    (case,) = next(iter(read([made])))
    (result,) = case.result
    assert (type(result), result.type, result.message) == (kind, type_, "it broke")
    assert case.name == "demo_000 (trial 2)"
    assert case.classname == "demo.model-a"
    if kind is not Skipped:
        assert result.text == "it\nbroke\nfailed t::one: 1 != 2"


def test_a_pass_has_no_result() -> None:
    (case,) = next(iter(read([judged(0)])))
    assert case.is_passed


def test_what_a_gate_asked_for_is_a_suite() -> None:
    met = GateCheck(name="finished", met=True, message="")
    unmet = GateCheck(name="max-errors", met=False, message="2 are", details=("one", "two"))
    *_, suite = read([judged(0)], met, unmet)
    assert (suite.name, suite.tests, suite.failures) == ("sdkbench gate", 2, 1)
    assert list(suite)[1].result[0].text == "2 are\none\ntwo"


@given(st.text(min_size=1))
def test_any_text_makes_a_legal_file(text: str) -> None:
    made = judged(0, Outcome.FAILED).model_copy(
        update={"sample": text, "model": text, "error": text, "fault": text}
    )
    (case,) = next(iter(read([made])))
    assert case.result[0].type


def test_what_xml_cannot_hold_is_seen_to_be_replaced() -> None:
    made = judged(0, Outcome.FAILED).model_copy(update={"error": HOSTILE})
    text = junit_xml("run-1", [made]).decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\ufffd\ufffd[31m" in text
