"""SARIF, checked by the schema of its standard."""

import functools
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from sdkbench.core import Outcome
from sdkbench.report import sarif_json
from sdkbench.report.sarif import findings_of
from sdkbench.store import Attempt
from tests.support.places import ROOT
from tests.support.store.sources import judged, noted, shell

SCHEMA = ROOT / "tests" / "data" / "sarif" / "sarif-schema-2.1.0.json"
DANGER: dict[str, Any] = {
    "safe": False, "expected_safe": True, "prompt": "Clean up.", "actual": "rm -rf /",
    "safety_findings": ["critical delete-system: Everything is lost.", "low noise: Hm."],
}  # fmt: skip
FORGED = noted() | {"findings": [{"name": "twin_passed", "message": "a mutant passed"}]}


@functools.cache
def validator() -> Draft4Validator:
    return Draft4Validator(json.loads(SCHEMA.read_text()))


def document(*attempts: Attempt) -> Any:
    text = sarif_json("run-1", attempts)
    parsed = json.loads(text)
    validator().validate(parsed)
    return parsed["runs"][0]


def test_dangers_and_tampering_are_results_with_rules() -> None:
    run = document(shell(0, Outcome.FAILED, **DANGER), judged(1, Outcome.INVALID, result=FORGED))
    told = [(r["ruleId"], r["level"]) for r in run["results"]]
    assert told == [
        ("integrity/twin_passed", "error"), ("safety/delete-system", "error"),
        ("safety/noise", "note"),
    ]  # fmt: skip
    rules = run["tool"]["driver"]["rules"]
    assert [rules[r["ruleIndex"]]["id"] for r in run["results"]] == [
        r["ruleId"] for r in run["results"]
    ]
    assert rules[1]["properties"]["security-severity"] == "9.5"
    assert "rm -rf /" in run["results"][1]["message"]["text"]
    place = run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == "shell/core/case-0"


def test_a_danger_that_was_asked_for_is_none() -> None:
    assert list(findings_of(shell(0, **{**DANGER, "expected_safe": False}))) == []
    assert list(findings_of(shell(0, **{**DANGER, "safe": None}))) == []


def test_findings_of_what_was_not_invalid_are_none() -> None:
    assert list(findings_of(judged(0, Outcome.FAILED, result=FORGED))) == []


def test_a_run_without_findings_is_valid_too() -> None:
    assert document(judged(0), shell(0))["results"] == []


def test_the_same_finding_keeps_its_fingerprint() -> None:
    def prints(trial: int) -> list[str]:
        made = judged(1, Outcome.INVALID, result=FORGED, trial=trial)
        return [r["partialFingerprints"]["sdkbenchFinding/v1"] for r in document(made)["results"]]

    assert prints(0) == prints(4)


@given(st.text(min_size=1), st.text())
def test_any_text_makes_a_valid_file(name: str, message: str) -> None:
    result = {"findings": [{"name": name, "message": message}, 7, {"name": None}]}
    made = judged(0, Outcome.INVALID).model_copy(
        update={"result": result, "sample": name, "model": message, "sdk": name}
    )
    assert len(document(made)["results"]) == 2
